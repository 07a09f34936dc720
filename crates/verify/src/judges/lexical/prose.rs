//! Which pieces of a text are sentences of a writer, and which are code or what a program printed.

use std::ops::Range;

/// The blocks of code of a text between fences, as ranges of its bytes. A line of tildes underlines a
/// title as often as it opens a block, and a fence that is never closed opens none.
pub(super) fn fences(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open, mut at) = (Vec::new(), None, 0);
    for line in text.split_inclusive('\n') {
        if line.trim_start().starts_with("```") {
            match open.take() {
                Some(start) => found.push(start..at + line.len()),
                None => open = Some(at),
            }
        }
        at += line.len();
    }
    found
}

/// Whether a piece of a text is a sentence: it ends as one or has a verb that states, and holds no
/// signs of code.
pub(super) fn is_prose(text: &str) -> bool {
    const CODE: [&str; 9] = [" = ", "==", "{ ", "};", "//", "-> ", "=>", "$ ", "> "];
    const VERBS: [&str; 12] = [
        "is", "are", "has", "have", "must", "can", "will", "should", "does", "do", "uses",
        "defaults",
    ];
    let ends = text
        .trim_end_matches(['"', '\'', ')', ']', '”', '’', '*', '_', '`'])
        .ends_with(['.', '!', ';', ':', '…']);
    let states = || text.split_whitespace().any(|word| VERBS.contains(&word));
    let is_code = CODE.iter().any(|sign| text.contains(sign)) && !text.contains("://");
    !is_code && (ends || states())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_output_are_no_sentences() {
        for text in [
            "The default is 5.",
            "- The port is 4222",
            "Run `a` first (see https://example.org).",
        ] {
            assert!(is_prose(text), "{text}");
        }
        for text in [
            "if (argc != 2) return wrong(ctx); };",
            "max := 100 * seconds // wait",
            "errors 0, replies 1000",
        ] {
            assert!(!is_prose(text), "{text}");
        }
        let text = "One.\n```\nThe port is 5.\n```\nTwo\n~~~\n```\nopen";
        let shown: Vec<&str> = fences(text).into_iter().map(|code| &text[code]).collect();
        assert_eq!(shown, ["```\nThe port is 5.\n```\n"]);
    }
}
