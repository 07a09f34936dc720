{
  description = "Answers about code that carry their evidence";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixpkgs-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = make: nixpkgs.lib.genAttrs systems (system: make nixpkgs.legacyPackages.${system});
      workspace = (nixpkgs.lib.importTOML ./Cargo.toml).workspace.package;
    in
    {
      packages = each (pkgs: {
        default = pkgs.rustPlatform.buildRustPackage {
          pname = "grounds";
          inherit (workspace) version;
          src = self;
          cargoLock.lockFile = ./Cargo.lock;
          cargoBuildFlags = [ "--package" "grounds" ];
          # The tests call compilers, browsers and package managers of many languages: CI runs them.
          doCheck = false;
          nativeBuildInputs = [ pkgs.installShellFiles pkgs.makeWrapper ];
          postInstall = ''
            $out/bin/grounds man --out man
            installManPage man/*.1
            for shell in bash zsh fish; do $out/bin/grounds completions $shell >grounds.$shell; done
            installShellCompletion grounds.{bash,zsh,fish}
            wrapProgram $out/bin/grounds --suffix PATH : ${nixpkgs.lib.makeBinPath [ pkgs.git ]}
          '';
          meta = {
            homepage = workspace.repository;
            license = with nixpkgs.lib.licenses; [ mit asl20 ];
            mainProgram = "grounds";
          };
        };
      });
    };
}
