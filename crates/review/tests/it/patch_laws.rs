//! Laws of reading a diff: applied to the old text it gives the new one, and no bytes make it
//! panic.

use grounds_review::diff::{LineEnding, parse_patch};
use grounds_review::{ChangedFile, DiffScope, LineKind};
use proptest::prelude::*;

use crate::bed::Bed;

/// The new text that a diff makes of an old one.
fn applied(old: &str, file: &ChangedFile) -> String {
    let mut lines: Vec<&str> = old.split_inclusive('\n').collect();
    let mut new = String::new();
    let mut taken = 0;
    for hunk in &file.hunks {
        let start = if hunk.lines.iter().any(|line| line.kind != LineKind::Added) {
            hunk.old_start as usize - 1
        } else {
            hunk.old_start as usize
        };
        lines[taken..start].iter().for_each(|line| new += line);
        taken = start;
        for line in &hunk.lines {
            let ending = match line.ending {
                LineEnding::Lf => "\n",
                LineEnding::CrLf => "\r\n",
                LineEnding::None => "",
            };
            if line.kind != LineKind::Added {
                assert_eq!(
                    lines[taken],
                    format!("{}{ending}", line.text),
                    "line {taken} of the old text"
                );
                assert_eq!(line.old_number, Some(taken as u32 + 1));
                taken += 1;
            }
            if line.kind != LineKind::Removed {
                assert_eq!(
                    line.new_number,
                    Some(new.split_inclusive('\n').count() as u32 + 1)
                );
                new += &line.text;
                new += ending;
            }
        }
    }
    lines.drain(..taken);
    lines.iter().for_each(|line| new += line);
    new
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("a"),
        Just("b"),
        Just(""),
        Just("- x"),
        Just("+y"),
        Just("@@ -1 +1 @@"),
        Just("\\ no"),
        Just("diff --git a/x b/x"),
        Just("c\r")
    ];
    (prop::collection::vec(line, 0..25), any::<bool>())
        .prop_map(|(lines, ends)| lines.join("\n") + if ends { "\n" } else { "" })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn a_diff_makes_the_new_text_of_the_old(old in text(), new in text()) {
        let bed = Bed::with(&[("x", &old), ("other", "1")]);
        bed.write("x", &new);
        bed.write("other", "2");
        bed.commit("new");
        let change = bed.change(&DiffScope::Commit("HEAD".to_owned()));
        match change.diff.files.iter().find(|file| file.path == "x") {
            Some(file) => prop_assert_eq!(applied(&old, file), new),
            None => prop_assert_eq!(old, new),
        }
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse_patch(&bytes, 1_000);
    }

    #[test]
    fn no_lines_of_a_diff_make_it_panic(lines in prop::collection::vec(prop_oneof![
        Just("diff --git a/x b/x"), Just("diff --git \"a/\\303\\q b/x"), Just("--- a/x"), Just("+++ b/x"), Just("--- \"a"), Just("+++ /dev/null"),
        Just("@@ -1 +1 @@"), Just("@@ -0,0 +1,3 @@"), Just("@@ -4294967295,4294967295 +0 @@"), Just("@@ -1,-1 +1 @@"), Just("\\ No newline"),
        Just("+a"), Just("-b"), Just(" c"), Just(""), Just("index 00..11 100644"), Just("old mode 9"), Just("rename from"), Just("rename to \"x"),
        Just("Binary files a and b differ"), Just("GIT binary patch"), Just(":100644 100644 1 2 M\t\"x"), Just("\r"),
    ], 0..30)) {
        let text = lines.join("\n");
        if let Ok(files) = parse_patch(text.as_bytes(), 1_000) {
            for file in files {
                for hunk in file.hunks {
                    prop_assert!(hunk.lines.iter().all(|line| line.old_number.is_some() || line.new_number.is_some()));
                }
            }
        }
    }
}
