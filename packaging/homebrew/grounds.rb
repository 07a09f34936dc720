# Template: packaging/homebrew/render fills in the version and the checksums of a release.
class Grounds < Formula
  desc "Answers about code that carry their evidence"
  homepage "https://github.com/grounds-dev/grounds"
  version "@version@"
  license any_of: ["MIT", "Apache-2.0"]

  on_macos do
    on_arm do
      url "https://github.com/grounds-dev/grounds/releases/download/v@version@/grounds-aarch64-apple-darwin.tar.gz"
      sha256 "@aarch64-apple-darwin@"
    end
    on_intel do
      url "https://github.com/grounds-dev/grounds/releases/download/v@version@/grounds-x86_64-apple-darwin.tar.gz"
      sha256 "@x86_64-apple-darwin@"
    end
  end

  on_linux do
    on_arm do
      url "https://github.com/grounds-dev/grounds/releases/download/v@version@/grounds-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@aarch64-unknown-linux-musl@"
    end
    on_intel do
      url "https://github.com/grounds-dev/grounds/releases/download/v@version@/grounds-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@x86_64-unknown-linux-musl@"
    end
  end

  def install
    bin.install "grounds"
    man1.install Dir["man/*.1"]
    bash_completion.install "completions/grounds.bash" => "grounds"
    zsh_completion.install "completions/grounds.zsh" => "_grounds"
    fish_completion.install "completions/grounds.fish"
  end

  test do
    system "git", "init", "--quiet"
    (testpath/"shop.py").write "def total_price(cart):\n    return sum(cart)\n\ndef bill(cart):\n    return total_price(cart)\n"
    assert_match "shop.py", shell_output("#{bin}/grounds ask 'who calls total_price?'")
  end
end
