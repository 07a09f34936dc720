//! Suppressions in comments: `grounds-ignore: RULE, RULE -- REASON` on the line of a
//! finding or on the line before it. Those of ast-grep work for rules as well.

use std::sync::LazyLock;

use regex::Regex;

use super::side::SideText;

/// A comment that opens with the mark, names rules, and may give a reason.
static COMMENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        // The mark has to open the comment: `// see grounds-ignore: a-rule` silences nothing.
        r"(?:^|[\s;{}(),])(?://+|\#+|/\*+|--|;+|<!--|%+|\*)\s*",
        r"(?:grounds|ast-grep)-ignore\s*:\s*",
        r"(?<rules>[\w./-]*[\w/](?:\s*,\s*[\w./-]*[\w/])*)",
        r"(?:\s+--\s*(?<reason>.*))?$",
    ))
    .expect("a valid expression")
});

/// A comment that silences a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Comment {
    /// Its line, from 1.
    pub(crate) line: u32,
    /// Its reason, if it gives one.
    pub(crate) reason: Option<String>,
}

/// Returns the comment that silences a rule at a line.
pub(crate) fn at(side: &SideText, rule: &str, line: u32) -> Option<Comment> {
    let on_line = read(side.line(line), rule).map(|reason| Comment { line, reason });
    let above = || {
        let before = line.checked_sub(1).filter(|before| *before > 0)?;
        let text = side.line(before);
        // A comment after code belongs to that line and not to the next one.
        let stands_alone = text
            .trim_start()
            .starts_with(['/', '#', '*', '-', ';', '<', '%']);
        read(text, rule)
            .filter(|_| stands_alone)
            .map(|reason| Comment {
                line: before,
                reason,
            })
    };
    on_line.or_else(above)
}

/// Returns the reason that a line gives for silencing a rule; `None` if it does not silence this
/// rule.
#[expect(clippy::option_option, reason = "a suppression, and in it a reason")]
fn read(line: &str, rule: &str) -> Option<Option<String>> {
    // Nearly every line ends here, without the cost of the regular expression.
    if !line.contains("-ignore") {
        return None;
    }
    let line = line.trim_end();
    let line = ["*/", "-->"]
        .iter()
        .find_map(|end| line.strip_suffix(end))
        .unwrap_or(line)
        .trim_end();
    let found = COMMENT.captures(line)?;
    let mut names = found["rules"]
        .split(',')
        // A comment may name one document of a rule, as ast-grep does: `a-rule/python`.
        .map(|name| name.trim().split('/').next().unwrap_or_default());
    let reason = found
        .name("reason")
        .map(|reason| reason.as_str().trim().to_owned())
        .filter(|reason| !reason.is_empty());
    names.any(|name| name == rule).then_some(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<Option<&str>>) {
        assert_eq!(
            read(line, "a-rule"),
            expected.map(|reason| reason.map(str::to_owned)),
            "{line}"
        );
    }

    #[test]
    fn a_comment_names_rules_and_gives_a_reason() {
        check(
            "x(); // grounds-ignore: a-rule -- it is fine here",
            Some(Some("it is fine here")),
        );
        check(
            "# grounds-ignore: other, a-rule -- because",
            Some(Some("because")),
        );
        check(
            "/* grounds-ignore: a-rule/python -- because */",
            Some(Some("because")),
        );
        check("<!-- ast-grep-ignore: a-rule -->", Some(None));
        check("x() // grounds-ignore: a-rule", Some(None));
        check("x() // grounds-ignore: a-rule --  ", Some(None));
        check(
            "-- grounds-ignore: a-rule -- tables are fixed",
            Some(Some("tables are fixed")),
        );
    }

    #[test]
    fn what_names_no_rule_or_is_no_comment_silences_nothing() {
        check("x() // grounds-ignore", None);
        check("x() // grounds-ignore: other -- because of a-rule", None);
        check("let text = \"grounds-ignore: a-rule -- no comment\";", None);
        check("// see grounds-ignore: a-rule", None);
    }

    #[test]
    fn a_comment_behind_code_speaks_of_its_own_line_only() {
        let side = SideText::new(
            "a.c",
            b"f(); // grounds-ignore: a-rule -- x\ng();\n// grounds-ignore: a-rule -- y\nh();\n"
                .to_vec(),
        );
        assert_eq!(at(&side, "a-rule", 1).map(|comment| comment.line), Some(1));
        assert_eq!(at(&side, "a-rule", 2), None);
        assert_eq!(
            at(&side, "a-rule", 4),
            Some(Comment {
                line: 3,
                reason: Some("y".to_owned())
            })
        );
    }
}
