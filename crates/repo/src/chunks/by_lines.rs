//! The definitions of a text as its lines and margins show them, without a parse.
//!
//! They order what is shown, and nothing is cited because of them: a parse decides what a shown
//! place really is.

use std::ops::Range;

use grounds_evidence::SymbolKind;

use super::margin;
use crate::defining;

/// A definition in a text.
pub(super) struct FoundDefinition {
    /// Its name.
    pub(super) name: Range<usize>,
    /// All of it.
    pub(super) item: Range<usize>,
    /// The names of what encloses it, outermost first.
    pub(super) containers: Vec<String>,
    /// Its kind; `None` if only its line was read.
    pub(super) kind: Option<SymbolKind>,
}

/// Returns the definitions of a text with these starts of lines, in order, `most` at most. Each
/// ends before a line that is indented no further than its own.
pub(super) fn definitions(source: &[u8], lines: &[usize], most: usize) -> Vec<FoundDefinition> {
    let mut found: Vec<FoundDefinition> = Vec::new();
    // The open ones, outermost first: their margins, and their numbers.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (number, &start) in lines.iter().enumerate() {
        let end = lines.get(number + 1).copied().unwrap_or(source.len());
        let line = source[start..end].trim_ascii_end();
        let inner = margin(line);
        let Some(first) = line.get(inner) else {
            continue;
        };
        let name = defining::defined_on(line);
        // A closing bracket or `end` at the margin of a definition belongs to it.
        let goes_on = b"{}()[]#/*".contains(first) || line[inner..].starts_with(b"end");
        if name.is_some() || !goes_on {
            open.retain(|(outer, _)| *outer < inner);
        }
        for (_, number) in &open {
            found[*number].item.end = start + line.len();
        }
        if let Some(name) = name
            && found.len() < most
        {
            let text = |&(_, number): &(usize, usize)| {
                let name = found[number].name.clone();
                String::from_utf8_lossy(&source[name]).into_owned()
            };
            let containers = open.iter().map(text).collect();
            open.push((inner, found.len()));
            found.push(FoundDefinition {
                name: start + name.start..start + name.end,
                item: start..start + line.len(),
                containers,
                kind: None,
            });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::definitions;
    use crate::chunks::lines_of;

    #[test]
    fn definitions_end_where_a_line_is_not_further_in() {
        let source = [
            "class Cart:",
            "    def total(self):",
            "        return 1",
            "",
            "    def add(self):",
            "        pass",
            "",
            "def main():",
            "    run()",
            "import os",
        ]
        .join("\n");
        let found = definitions(source.as_bytes(), &lines_of(source.as_bytes()), 10);
        let told: Vec<(&str, &str, Vec<String>)> = found
            .into_iter()
            .map(|one| {
                let last = source[one.item].lines().last().unwrap_or_default().trim();
                (&source[one.name], last, one.containers)
            })
            .collect();
        let of_cart = vec!["Cart".to_owned()];
        assert_eq!(
            told,
            [
                ("Cart", "pass", Vec::new()),
                ("total", "return 1", of_cart.clone()),
                ("add", "pass", of_cart),
                ("main", "run()", Vec::new()),
            ]
        );
    }

    #[test]
    fn a_body_in_braces_goes_on_after_its_brace() {
        let source =
            "static int\nsend(int to)\n{\n#if NET\n\treturn put(to);\n#endif\n}\nint other;\n";
        let found = definitions(source.as_bytes(), &lines_of(source.as_bytes()), 10);
        let send = &found[0];
        assert_eq!(&source[send.name.clone()], "send");
        assert!(source[send.item.clone()].ends_with('}'));
    }
}
