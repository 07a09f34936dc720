use super::*;

fn read(text: &[u8]) -> Vec<(String, Option<String>)> {
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let named = |setting: Setting| {
        let part = setting.part.map(|part| format!("[{}]", shown(&part)));
        let name = format!(
            "{}{}.{}",
            setting.section,
            part.unwrap_or_default(),
            setting.key
        );
        (name, setting.value.map(|value| shown(&value)))
    };
    let settings = GitSettingsReader::of(text).settings().expect("settings");
    settings.into_iter().map(named).collect()
}

#[test]
fn settings_are_read_as_git_reads_them() {
    let text = b"\xef\xbb\xbf[Core]\n\tBare = false ; why\n  sparseCheckout\n[remote \"a\\\"b]\"] url = \"x # y\" z  \n\
        [branch.Main]\nmerge = refs/heads/\\\n  main\r\n# end\n[url \"g\xff\"]\n\tinsteadOf=\"\"\n";
    let expected = [
        ("core.bare", Some("false")),
        ("core.sparsecheckout", None),
        ("remote[a\"b]].url", Some("x # y z")),
        ("branch[main].merge", Some("refs/heads/  main")),
        ("url[g\u{fffd}].insteadof", Some("")),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.map(str::to_owned)));
    assert_eq!(read(text), expected);
}

#[test]
fn what_git_refuses_is_refused() {
    for (text, line) in [
        ("[core\n", 2),
        ("bare = true\n", 1),
        ("[core]\n\t= x\n", 2),
        ("[core]\nx = \"open\n", 3),
        ("[core]\nx = \\q\n", 2),
        ("[a \"b\" ]\n", 1),
    ] {
        assert_eq!(
            GitSettingsReader::of(text.as_bytes()).settings().err(),
            Some(line),
            "{text:?}"
        );
    }
}

#[test]
fn only_the_settings_of_the_lists_are_handed_on() {
    let text = b"[core]\n\tfsmonitor = /bin/evil\n\tautocrlf = Input\n\teol = \"lf\\n[alias]\\nlog=!evil\"\n\
        [filter \"x\"]\n\tclean = evil\n[remote \"o\\\\\\\"]\"]\n\turl = a\\\\b\\\"c\n\turl = \"x\\ny\"\n";
    let settings = GitSettings(GitSettingsReader::of(text).settings().expect("settings"));
    let written = String::from_utf8(settings.written()).expect("text");
    assert_eq!(
        written,
        "[core]\n\tautocrlf = input\n[remote \"o\\\\\\\"]\"]\n\turl = \"a\\\\b\\\"c\"\n"
    );
}
