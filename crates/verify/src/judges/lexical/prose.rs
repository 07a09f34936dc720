//! Tells the sentences of a writer from code and from the output of programs.

use std::ops::Range;

/// Returns the blocks of code of a text between fences, as ranges of its bytes. A fence that is
/// never closed opens no block.
pub(super) fn fences(text: &str) -> Vec<Range<usize>> {
    let (mut found, mut open, mut at) = (Vec::new(), None, 0);
    for line in text.split_inclusive('\n') {
        // Fences of tildes are not read: a line of tildes underlines a title as often as it opens a
        // block.
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

/// Reports whether a piece of a text is a sentence: it ends as one or has a verb that states, and
/// contains no signs of code.
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
    // The `//` of an address is no sign of code.
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
