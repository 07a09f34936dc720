//! Asks labelled questions ("where is X defined?") and prints the figures of the
//! README with every miss:
//! `cargo run --release -p grounds --features measure --example locate -- QUESTIONS.jsonl REPOSITORIES`.
//!
//! A line is `{"repo", "cls", "answerable", "question", "gold": [{"file", "line"}]}`.

use std::collections::BTreeMap;
use std::path::Path;

use grounds_ask::{Investigation, QuestionBudget, investigate, understand};
use grounds_evidence::Outcome;
use grounds_evidence::requirement::Bar;
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;
use serde_json::Value;

/// What came of the questions of one class.
#[derive(Default)]
struct Figures {
    questions: u32,
    answered: u32,
    right_file_first: u32,
    right_line_first: u32,
    all_listed: u32,
    failed: u32,
}

type Place = (String, u64);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [questions, repositories] = arguments.as_slice() else {
        return say("usage: locate QUESTIONS.jsonl REPOSITORIES");
    };
    let Ok(text) = std::fs::read_to_string(questions) else {
        return say(&format!("cannot read {questions}"));
    };
    let mut classes: BTreeMap<String, Figures> = BTreeMap::new();
    for row in text
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
    {
        let figures = classes
            .entry(row["cls"].as_str().unwrap_or_default().to_owned())
            .or_default();
        match ask(&row, Path::new(repositories)) {
            Ok(investigation) => count(&row, &investigation, figures),
            Err(error) => say(&format!("skipped: {error}")),
        }
    }
    say("class | questions | answered | right file first | right line first | all listed | failed");
    for (class, f) in classes {
        let row = [
            f.questions,
            f.answered,
            f.right_file_first,
            f.right_line_first,
            f.all_listed,
            f.failed,
        ];
        say(&format!(
            "{class} | {}",
            row.map(|figure| figure.to_string()).join(" | ")
        ));
    }
}

fn ask(row: &Value, repositories: &Path) -> Result<Investigation, String> {
    let question = understand(row["question"].as_str().unwrap_or_default())
        .map_err(|error| error.to_string())?;
    let checkout = Checkout::open(&repositories.join(row["repo"].as_str().unwrap_or_default()))
        .map_err(|error| error.to_string())?;
    Ok(investigate(
        question,
        &checkout,
        &QuestionBudget::default(),
        Bar::Default,
        &Means::default(),
        &Progress::default(),
        &|_| (),
    ))
}

fn count(row: &Value, investigation: &Investigation, figures: &mut Figures) {
    let of_gold = |gold: &Value| {
        (
            gold["file"].as_str().unwrap_or_default().to_owned(),
            gold["line"].as_u64().unwrap_or(0),
        )
    };
    let gold: Vec<Place> = row["gold"]
        .as_array()
        .into_iter()
        .flatten()
        .map(of_gold)
        .collect();
    let cited: Vec<Place> = investigation
        .answer
        .iter()
        .flat_map(|answer| answer.citations())
        .map(place_of)
        .collect();
    let is_answered = investigation.outcome == Outcome::Answered;
    let is_file = cited
        .first()
        .is_some_and(|first| gold.iter().any(|(file, _)| *file == first.0));
    let is_line = cited.first().is_some_and(|first| gold.contains(first));
    let are_all = is_answered && gold.iter().all(|place| cited.contains(place));
    figures.questions += 1;
    figures.answered += u32::from(is_answered);
    figures.right_file_first += u32::from(is_file);
    figures.right_line_first += u32::from(is_line);
    figures.all_listed += u32::from(are_all);
    figures.failed += u32::from(matches!(
        investigation.outcome,
        Outcome::Failed | Outcome::Conflicting | Outcome::NotCheckable
    ));
    let is_answerable = row["answerable"].as_bool().unwrap_or(false);
    if is_answered != is_answerable || (is_answerable && !(is_line && are_all)) {
        let outcome = investigation.outcome.as_str();
        say(&format!(
            "miss: {} ({outcome}): cited {:?}, labelled {:?}",
            investigation.question.text,
            &cited[..cited.len().min(4)],
            gold
        ));
    }
}

fn place_of(citation: &grounds_ask::answer::AnswerCitation) -> Place {
    (citation.path.clone(), citation.line_start().into())
}

#[expect(clippy::print_stdout, reason = "an evaluation prints its figures")]
fn say(line: &str) {
    println!("{line}");
}
