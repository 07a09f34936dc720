//! Asks the history of a checkout by aspect, without a question's words:
//! `history FOLDER ASPECT [TARGET] [since=…] [until=…] [author=…] [in=FOLDER]`.
#![expect(clippy::print_stdout, reason = "an example prints")]

use grounds_ask::{Question, QuestionBudget, investigate, understand};
use grounds_evidence::requirement::Bar;
use grounds_evidence::{Goal, Intent};
use grounds_repo::checkout::Checkout;
use grounds_repo::history::{HistoryAspect, HistoryQuestion};
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;

const ASPECTS: [HistoryAspect; 11] = [
    HistoryAspect::Newest,
    HistoryAspect::Introduced,
    HistoryAspect::Removed,
    HistoryAspect::LastChanged,
    HistoryAspect::Changes,
    HistoryAspect::WorkTree,
    HistoryAspect::Branch,
    HistoryAspect::Tags,
    HistoryAspect::Authors,
    HistoryAspect::Contributors,
    HistoryAspect::Oldest,
];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [folder, aspect, rest @ ..] = words.as_slice() else {
        return Err("history FOLDER ASPECT …".into());
    };
    let mut question = understand("what are the last commits?")?;
    let aspect = ASPECTS
        .into_iter()
        .find(|known| known.as_str() == aspect)
        .ok_or("no such aspect")?;
    question.goal = Goal {
        intent: Intent::Status,
        ..question.goal
    };
    question.history = HistoryQuestion {
        aspect,
        ..HistoryQuestion::default()
    };
    rest.iter().try_for_each(|word| set(&mut question, word))?;
    let checkout = Checkout::open(std::path::Path::new(folder))?;
    let told = investigate(
        question,
        &checkout,
        &QuestionBudget::default(),
        Bar::Default,
        &Means::default(),
        &Progress::default(),
        &|_| {},
    );
    println!(
        "{} {} after {} ms",
        told.outcome.as_str(),
        told.confidence.explanation,
        told.elapsed.as_millis()
    );
    for error in told.steps.iter().filter_map(|step| step.error.as_ref()) {
        println!("{error}");
    }
    println!(
        "{}",
        told.answer
            .map_or_else(String::new, |answer| answer.markdown())
    );
    Ok(())
}

fn set(question: &mut Question, word: &str) -> Result<(), Box<dyn std::error::Error>> {
    match word.split_once('=') {
        Some(("since", text)) => question.history.since = Some(text.to_owned()),
        Some(("until", text)) => question.history.until = Some(text.to_owned()),
        Some(("author", text)) => question.history.author = Some(text.to_owned()),
        Some(("in", text)) => question.within.folders.push(text.to_owned()),
        Some(_) | None => question.goal.targets.extend(
            understand(&format!("where is {word} defined?"))?
                .goal
                .targets,
        ),
    }
    Ok(())
}
