//! Pages of cases about families: a heading, prose, pages in fences, and what came of it.
//! A fence `body NAME` holds text that pages take in as `{NAME}`; a fence `page ADDRESS DAY TIER STANCE`
//! holds a page, whose words that count stand in `[[…]]`, after lines such as `byline: …`.
//! `UPDATE_SUITE=1` rewrites what was expected.
#![expect(
    clippy::use_debug,
    reason = "the words of these pages are those of the types"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use grounds_verify::{
    EvidenceHit, HitManner, HitPlace, HitStanding, JudgeName, SearchHistory, SearchTask, Seeks,
    SourceTier, Stance, VerifyDecision, VisitedPage, decide_from_history,
};
use grounds_web::{DateSource, PageDate};

use crate::histories::{self, day};

struct Case {
    title: String,
    fences: Vec<(String, String)>,
    expected: String,
    before: String,
}

fn cases(page: &str) -> (Vec<Case>, String) {
    let (mut cases, mut title, mut before, mut fences) =
        (Vec::new(), String::new(), String::new(), Vec::new());
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(heading) = line.strip_prefix("## ") {
            heading.clone_into(&mut title);
        }
        let Some(name) = line.strip_prefix("```") else {
            writeln!(before, "{line}").expect("a string");
            continue;
        };
        let text: String = lines
            .by_ref()
            .take_while(|line| *line != "```")
            .fold(String::new(), |text, line| text + line + "\n");
        if name == "text" {
            let (fences, before) = (std::mem::take(&mut fences), std::mem::take(&mut before));
            cases.push(Case {
                title: title.clone(),
                fences,
                expected: text,
                before,
            });
        } else {
            write!(before, "```{name}\n{text}```\n").expect("a string");
            fences.push((name.to_owned(), text));
        }
    }
    (cases, before)
}

fn tier(word: &str) -> SourceTier {
    match word {
        "primary" => SourceTier::Primary,
        "wire" => SourceTier::Wire,
        "trade" => SourceTier::Trade,
        "other" => SourceTier::Other,
        unknown => panic!("no tier `{unknown}`"),
    }
}

fn stance(word: &str) -> Stance {
    match word {
        "support" => Stance::Support,
        "refute" => Stance::Refute,
        unknown => panic!("no stance `{unknown}`"),
    }
}

fn date(word: &str) -> Option<PageDate> {
    (word != "undated").then(|| PageDate {
        at: format!("{word}T00:00:00Z").parse().expect("a day"),
        is_day: true,
        source: DateSource::Meta,
    })
}

fn add(history: &mut SearchHistory, head: &[&str], text: &str, bodies: &BTreeMap<String, String>) {
    let [url, published, tier_word, stance_word] = *head else {
        panic!("a page needs address, day, tier and stance: {head:?}")
    };
    let mut page = VisitedPage {
        status: Some(200),
        published: date(published),
        ..VisitedPage::of_address(url)
    };
    let mut manner = HitManner::Statement;
    let mut body = String::new();
    for line in text.lines() {
        match line.split_once(": ").filter(|_| body.is_empty()) {
            Some(("byline", name)) => page.byline = Some(name.to_owned()),
            Some(("canonical", url)) => page.canonical = Some(url.to_owned()),
            Some(("cites", url)) => page.cites.push(url.to_owned()),
            Some(("manner", "fact check")) => manner = HitManner::FactCheck,
            Some(_) | None => writeln!(body, "{line}").expect("a string"),
        }
    }
    for (name, text) in bodies {
        body = body.replace(&format!("{{{name}}}"), text.trim_end());
    }
    let start = body.find("[[").expect("words that count");
    let end = body.find("]]").expect("the end of the words that count") - 2;
    let excerpt = body[start + 2..end + 2].to_owned();
    page.text = body.replace("[[", "").replace("]]", "");
    history.hits.push(EvidenceHit {
        url: url.into(),
        title: None,
        published: page.published,
        stance: stance(stance_word),
        manner,
        happened: None,
        tier: tier(tier_word),
        place: HitPlace::Page,
        excerpt: excerpt.into(),
        bytes: start..end,
        judge: JudgeName::Human,
    });
    history.pages.push(page);
}

fn run(case: &Case) -> String {
    let queries = vec![
        histories::query(Seeks::Support),
        histories::query(Seeks::Refutation),
    ];
    let mut history = SearchHistory {
        as_of: day(400),
        queries,
        pages: Vec::new(),
        hits: Vec::new(),
    };
    let mut bodies = BTreeMap::new();
    let mut task = histories::task();
    for (name, text) in &case.fences {
        let words: Vec<&str> = name.split_whitespace().collect();
        match words.as_slice() {
            ["body", name] => drop(bodies.insert((*name).to_owned(), text.clone())),
            ["page", head @ ..] => add(&mut history, head, text, &bodies),
            ["origin", url] => task.origin = Some((*url).to_owned()),
            unknown => panic!("{}: no fence `{unknown:?}`", case.title),
        }
    }
    let decision = decide_from_history(&task, &history, 1, 1);
    the_order_does_not_matter(&task, &history, &decision, &case.title);
    shown(&decision, &history)
}

fn the_order_does_not_matter(
    task: &SearchTask,
    history: &SearchHistory,
    decision: &VerifyDecision,
    title: &str,
) {
    let mut turned = history.clone();
    turned.hits.reverse();
    turned.pages.reverse();
    let other = decide_from_history(task, &turned, 1, 1);
    assert_eq!(decision.verdict(), other.verdict(), "{title}");
    assert_eq!(
        (decision.trace().support, decision.trace().refute),
        (other.trace().support, other.trace().refute),
        "{title}"
    );
}

fn shown(decision: &VerifyDecision, history: &SearchHistory) -> String {
    let (trace, mut out) = (decision.trace(), String::new());
    for (number, family) in trace.families.iter().enumerate() {
        let members: Vec<&str> = (trace.hits.iter().zip(&history.hits))
            .filter(|(hit, _)| hit.family == Some(u32::try_from(number).expect("few")))
            .map(|(_, hit)| &*hit.url)
            .collect();
        let ties: Vec<String> = family.ties.iter().map(|tie| format!("{tie:?}")).collect();
        let ties = if ties.is_empty() {
            String::new()
        } else {
            format!(" ({})", ties.join(", "))
        };
        writeln!(
            out,
            "{:?} {:?} {}: {}{ties}",
            family.side,
            family.tier,
            family.weight_milli,
            members.join(" ")
        )
        .expect("a string");
    }
    for (hit, seen) in trace.hits.iter().zip(&history.hits) {
        if let HitStanding::NotCounted(why) = hit.standing {
            writeln!(out, "not counted: {} {why:?}", seen.url).expect("a string");
        }
    }
    let (support, refute) = (trace.support, trace.refute);
    writeln!(
        out,
        "{:?}: {} of {} for, {} of {} against",
        decision.verdict(),
        support.weight_milli,
        support.families,
        refute.weight_milli,
        refute.families
    )
    .expect("a string");
    out
}

#[test]
fn pages_of_families() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/families");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the folder").flatten() {
        let path = entry.path();
        let (cases, after) = cases(&std::fs::read_to_string(&path).expect("a page"));
        let (mut written, mut wrong) = (String::new(), String::new());
        for case in &cases {
            let came = run(case);
            write!(written, "{}```text\n{came}```\n", case.before).expect("a string");
            if came != case.expected {
                writeln!(
                    wrong,
                    "{}: {}\n--- expected\n{}--- came\n{came}",
                    path.display(),
                    case.title,
                    case.expected
                )
                .expect("a string");
            }
        }
        count += cases.len();
        if std::env::var_os("UPDATE_SUITE").is_some() {
            std::fs::write(&path, written + &after).expect("the page is written");
        } else {
            assert!(wrong.is_empty(), "{wrong}");
        }
    }
    assert!(count >= 20, "only {count} cases were found");
}
