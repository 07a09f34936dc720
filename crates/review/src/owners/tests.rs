use std::collections::BTreeMap;

use serde::Deserialize;

use super::*;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    path: String,
    text: String,
    owners: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    unread: Vec<u32>,
}

#[test]
fn a_file_has_the_owners_that_its_service_says() {
    let cases: Vec<Case> = serde_saphyr::from_str(include_str!("cases.yml")).expect("the cases");
    let mut wrong = Vec::new();
    for case in &cases {
        let file = OwnersFile::read(&case.path, &case.text, 100).expect("an owners file");
        for (path, expected) in &case.owners {
            let found = file.owners(path);
            if found.owners != *expected {
                wrong.push(format!("{} {path}: {found:?}, not {expected:?}", case.path));
            }
        }
        let unread: Vec<u32> = file.unread().iter().map(|unread| unread.line).collect();
        if unread != case.unread {
            wrong.push(format!("{}: {:?}", case.path, file.unread()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn more_than_is_read_or_no_text_is_unknown_and_not_without_owners() {
    let limits = OwnersLimits {
        owners_bytes_max: 20,
        owners_rules_max: 1,
    };
    let contents = [
        Content::Bytes(b"* @a\n# a long comment\n".to_vec()),
        Content::Bytes(b"* @a\n/b @b\n".to_vec()),
        Content::Bytes(b"* @\xff\n".to_vec()),
        Content::TooLarge(1 << 30),
        Content::Missing,
    ];
    let whys = contents.map(|content| {
        let path = "CODEOWNERS".to_owned();
        read(&SettingsFile { path, content }, limits).err()
    });
    let parts = [
        "review.owners_bytes_max",
        "review.owners_rules_max",
        "utf-8",
        "review.owners_bytes_max",
        "not a regular file",
    ];
    for (why, part) in whys.iter().zip(parts) {
        assert!(
            why.as_ref().is_some_and(|why| why.contains(part)),
            "{why:?}"
        );
    }
}
