use super::*;

fn shown(text: &str) -> Vec<String> {
    let show = |mention: &FileMention| {
        let name = match &mention.name {
            NamedBy::Path(parts) => parts.join("/"),
            NamedBy::Dotted(segments) => segments.join("."),
        };
        let line = mention
            .line
            .map_or_else(String::new, |line| format!(":{line}"));
        let function = mention
            .function
            .as_ref()
            .map_or_else(String::new, |name| format!(" in {name}"));
        format!(
            "{name}{line}{function}{}",
            if mention.is_frame { " frame" } else { "" }
        )
    };
    find(text).0.iter().map(show).collect()
}

#[test]
fn frames_of_many_languages_are_read() {
    let cases = [
        (
            "  File \"/usr/lib/a/b.py\", line 12, in run",
            "usr/lib/a/b.py:12 in run frame",
        ),
        (
            "\tat org.x.Main.go(Main.java:7)",
            "org/x/Main.java:7 in go frame",
        ),
        (
            "    at load (/app/lib/axios.js:10:5)",
            "app/lib/axios.js:10 frame",
        ),
        ("thread 'main' panicked at src/x.rs:4:2", "src/x.rs:4 frame"),
        (
            "\t/go/src/gin/context.go:77 +0x1d",
            "go/src/gin/context.go:77",
        ),
        (
            "see https://github.com/o/r/blob/main/src/a.c#L31",
            "src/a.c:31",
        ),
        ("C:\\work\\lib\\..\\a.py", "work/lib/a.py"),
        ("look at `pkg.module.Class`.", "pkg.module.Class"),
        ("from a.b import C as D", "a.b.C"),
    ];
    for (text, expected) in cases {
        assert_eq!(shown(text), [expected], "{text}");
    }
    assert!(
        shown("plain words, 3.14 and e.g. nothing")
            .iter()
            .all(|mention| mention == "e.g")
    );
}
