//! Questions of `heirs.md` over its small trees: which types are listed as heirs, which apart, and at which level.

use std::path::Path;

use grounds_ask::{Investigation, QuestionBudget, investigate, understand};
use grounds_evidence::Outcome;
use grounds_evidence::requirement::Bar;
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;

/// Files by their paths, and questions with what is expected.
type Part<'t> = (Vec<(&'t str, String)>, Vec<(&'t str, &'t str)>);

/// The files and the questions of one part of the page.
fn part(text: &str) -> Part<'_> {
    let (mut files, mut questions): Part<'_> = (Vec::new(), Vec::new());
    let mut is_file = false;
    for line in text.lines() {
        match (line.strip_prefix("```"), is_file) {
            (Some(path), false) => files.push((path, String::new())),
            (None, true) => {
                let (_, file) = files.last_mut().expect("a file");
                file.push_str(line);
                file.push('\n');
            }
            (Some(_), true) => {}
            (None, false) => questions.extend(line.split_once(" => ")),
        }
        is_file ^= line.starts_with("```");
    }
    (files, questions)
}

fn write(folder: &Path, files: &[(&str, String)]) {
    for (path, text) in files {
        let path = folder.join(path);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
}

fn ask(question: &str, checkout: &Checkout) -> Investigation {
    investigate(
        understand(question).expect("a question"),
        checkout,
        &QuestionBudget::default(),
        Bar::Default,
        &Means::default(),
        &Progress::default(),
        &|_| {},
    )
}

/// `High: a.py Heir | b.py Other`
fn told(seen: &Investigation) -> String {
    let Some(answer) = seen
        .answer
        .as_ref()
        .filter(|_| seen.outcome == Outcome::Answered)
    else {
        return "?".to_owned();
    };
    // Go's methods are shown beside the types.
    let shown = answer.sections().iter();
    let shown = shown.filter(|section| section.title != "By these methods");
    let sections = shown.map(|section| {
        let cited = section.citations.iter().map(|one| {
            let what = one.what.split([' ', ',']);
            let word = what.into_iter().next().unwrap_or_default();
            format!("{} {}", one.path, word.trim_matches('`'))
        });
        cited.collect::<Vec<_>>().join(", ")
    });
    let sections: Vec<String> = sections.collect();
    format!("{:?}: {}", seen.confidence.level, sections.join(" | "))
}

#[test]
fn heirs_are_those_of_the_type_that_is_meant() {
    let page = include_str!("heirs.md");
    let mut wrong = Vec::new();
    for text in page.split("\n## ").skip(1) {
        let (files, questions) = part(text);
        let folder = tempfile::tempdir().expect("a folder");
        write(folder.path(), &files);
        let checkout = Checkout::open(folder.path()).expect("a checkout");
        for (question, expected) in questions {
            let seen = told(&ask(question, &checkout));
            if seen != expected {
                wrong.push(format!("{question}\n  not {expected}\n  but {seen}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
