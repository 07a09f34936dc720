use super::frame::policy;
use super::parts::{address, code, place, sentence, words};

#[test]
fn text_never_becomes_markup() {
    let check = |markup: maud::Markup, expected: &str| assert_eq!(markup.into_string(), expected);
    check(
        sentence("`a<b>` is `c`"),
        "<code>a&lt;b&gt;</code> is <code>c</code>",
    );
    check(sentence("one ` alone"), "one ` alone");
    check(sentence("\u{202e}<i>"), "\\u{202e}&lt;i&gt;");
    check(
        code("a < b\r\n\u{1b}[0m", 7),
        "<pre><code><span class=\"line\" data-n=\"7\">a &lt; b\n</span><span class=\"line\" data-n=\"8\">\\u{1b}[0m\n</span></code></pre>",
    );
    check(
        address("javascript:alert(1)"),
        "<span class=\"path\">javascript:alert(1)</span>",
    );
    check(
        address("https://a.example/\"onmouseover=x"),
        "<a class=\"path\" href=\"https://a.example/&quot;onmouseover=x\" rel=\"noreferrer noopener\">https://a.example/&quot;onmouseover=x</a>",
    );
}

#[test]
fn places_and_keys_read_as_words() {
    assert_eq!(
        [place("a", 0, 0), place("a", 3, 3), place("a", 3, 5)],
        ["a", "a:3", "a:3-5"]
    );
    assert_eq!(words("found_but_not_that"), "found but not that");
}

#[test]
fn a_page_may_load_and_run_nothing() {
    for is_served in [false, true] {
        let policy = policy(is_served);
        assert!(
            policy.starts_with("default-src 'none'")
                && !policy.contains("unsafe")
                && !policy.contains("script"),
            "{policy}"
        );
    }
}
