//! Answers questions of standard input, one a line as `TREE<tab>QUESTION`, and prints one line of JSON for each:
//! what a scorer of a bank of questions needs. For measuring; the program itself is `grounds ask`.

use std::io::{BufRead, Write};
use std::path::Path;

use grounds_ask::{Company, Decision, Investigation, QuestionBudget, investigate_in, understand};
use grounds_evidence::Outcome;
use grounds_evidence::requirement::Bar;
use grounds_repo::checkout::Checkout;
use grounds_repo::means::Means;
use grounds_repo::survey::Progress;

fn main() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let Some((tree, question)) = line.split_once('\t') else {
            continue;
        };
        let told = answer(Path::new(tree), question).unwrap_or_else(|| "{\"code\":1}".to_owned());
        if writeln!(out, "{told}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}

fn answer(tree: &Path, text: &str) -> Option<String> {
    let checkout = Checkout::open(tree).ok()?;
    let question = understand(text).ok()?;
    let (progress, means) = (Progress::default(), Means::default());
    let company = Company {
        progress: &progress,
        on_event: &|_| (),
        proposer: None,
    };
    let seen = investigate_in(
        question,
        &checkout,
        &QuestionBudget::default(),
        Bar::Default,
        &means,
        company,
    );
    let mut told = told(&seen);
    if seen.answer.is_none() && std::env::args().any(|word| word == "--ranked") {
        let files =
            grounds_ask::localise::rank(&checkout, text, &QuestionBudget::default().limits).files;
        let rows: Vec<String> = files
            .iter()
            .take(8)
            .map(|file| {
                format!(
                    "[{},{},{},{}]",
                    quoted(file.path.as_str()),
                    file.worth,
                    file.words,
                    file.is_named
                )
            })
            .collect();
        told.truncate(told.len() - 1);
        told.push_str(&format!(",\"ranked\":[{}]}}", rows.join(",")));
    }
    Some(told)
}

fn told(seen: &Investigation) -> String {
    let code = match (seen.outcome, seen.decided()) {
        (_, Some(Decision::No)) => 6,
        (_, Some(Decision::Yes)) | (Outcome::Answered, _) => 0,
        (Outcome::Failed, _) => 1,
        _ => 3,
    };
    let cited: Vec<String> = seen
        .answer
        .iter()
        .flat_map(|answer| answer.citations())
        .map(|citation| {
            let text = citation
                .excerpt()
                .map_or("", |excerpt| excerpt.text.as_str());
            place(
                &citation.path,
                citation.line_start(),
                citation.line_end(),
                text,
            )
        })
        .collect();
    let leads: Vec<String> = seen
        .leads
        .places
        .iter()
        .map(|lead| place(&lead.path, lead.line_start, lead.line_end, ""))
        .collect();
    let answer = seen
        .answer
        .as_ref()
        .map_or_else(|| "null".to_owned(), |answer| quoted(&answer.markdown()));
    let claims: Vec<String> = seen
        .understood
        .iter()
        .flat_map(|understood| &understood.claims)
        .map(|claim| quoted(&claim.to_string()))
        .collect();
    let unread: Vec<String> = seen
        .understood
        .iter()
        .flat_map(|understood| &understood.unread)
        .map(|word| quoted(word))
        .collect();
    let says = seen
        .says
        .as_deref()
        .map_or_else(|| "null".to_owned(), quoted);
    format!(
        "{{\"code\":{code},\"confidence\":{{\"level\":{}}},\"answer\":{answer},\"citations\":[{}],\"leads\":[{}],\"claims\":[{}],\"unread\":[{}],\"says\":{says},\"goal\":{}}}",
        quoted(seen.confidence.level.as_str()),
        cited.join(","),
        leads.join(","),
        claims.join(","),
        unread.join(","),
        quoted(seen.question.goal.intent.as_str()),
    )
}

fn place(path: &str, first: u32, last: u32, text: &str) -> String {
    format!(
        "{{\"path\":{},\"line_start\":{first},\"line_end\":{last},\"text\":{}}}",
        quoted(path),
        quoted(text)
    )
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if (letter as u32) < 0x20 => {
                quoted.push_str(&format!("\\u{:04x}", letter as u32))
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
