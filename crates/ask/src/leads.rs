//! Where to look next when there is no answer: finds that are something else, similar names, and
//! places with the words of the target close together.

use grounds_evidence::{
    EvidenceClass, Intent, Ledger, Match, ObservationSource, Outcome, QuestionTarget, RefusalKind,
    Relation, TargetKind,
};
use grounds_repo::bench::Bench;
use grounds_repo::checkout::Checkout;
use grounds_repo::emitters::Grade;
use grounds_repo::frames::Holds;
use grounds_repo::hypotheses::QuestionGround;
use grounds_repo::labels::{LabelledPlace, Other};
use grounds_repo::limits::Limits;
use grounds_repo::near::{self, Suggestion, Together};
use grounds_repo::owner::Ownership;
use grounds_repo::path::RepoPath;

use crate::answer::AnswerSection;
use crate::budget::QuestionBudget;
use crate::event::AskEvent;
use crate::hypotheses::Hypotheses;
use crate::localise::{self, FileRanking, RankedFile};
use crate::question::Question;

/// A place that may help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lead {
    /// The file.
    pub path: String,
    /// The first line; 0 for the file as a whole.
    pub line_start: u32,
    /// The last line.
    pub line_end: u32,
    /// Why it may help, in words.
    pub why: String,
}

/// The leads of a refusal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Leads {
    /// Places, best first.
    pub places: Vec<Lead>,
    /// Names that exist and are close to one that was asked for: the target, and the name.
    pub did_you_mean: Vec<(String, Suggestion)>,
    /// The bounds that were reached on the way.
    pub bounds: Vec<&'static str>,
}

/// Limit on the leads of one relation.
const PER_RELATION_MAX: usize = 4;
/// Size of a tree above which no ranking is made for leads: it would take longer than the answer. A
/// text is ranked over any tree.
pub(crate) const RANKED_BYTES_MAX: u64 = 256 << 20;
/// Number of leads below which a ranking is worth its pass.
const FEW: usize = 3;

/// Gathers leads for a refusal or a conflict.
pub(crate) fn gather(
    outcome: Outcome,
    question: &Question,
    ledger: &Ledger,
    bench: &mut Bench<'_>,
    budget: &QuestionBudget,
    findings: &[AnswerSection],
    on_event: &dyn Fn(AskEvent),
) -> Leads {
    let mut leads = Leads::default();
    if !matches!(outcome, Outcome::Insufficient(_) | Outcome::Conflicting) {
        return leads;
    }
    of_ci(bench, &mut leads);
    of_runs(bench, &mut leads);
    // A conflict and findings show that the name exists, so similar names would only distract.
    let searches = outcome != Outcome::Conflicting && findings.is_empty();
    for (number, target) in question.goal.targets.iter().enumerate() {
        // A message is no name, so the searches below do not apply to it.
        if target.kind == TargetKind::Message {
            of_message(bench, number, target, &mut leads);
            continue;
        }
        of_evidence(ledger, target, &mut leads);
        // A question about the history of an existing name needs no similar names either.
        let is_there =
            question.goal.intent == Intent::Status && of_places(bench, number, target, &mut leads);
        bench
            .places(number)
            .others
            .iter()
            .take(PER_RELATION_MAX)
            .for_each(|(other, place)| leads.places.push(of_other(*other, place)));
        of_other_owners(bench, number, target, &mut leads);
        let survey = bench.survey();
        leads.places.extend(
            survey.names[number]
                .iter()
                .take(PER_RELATION_MAX)
                .map(|(_, path)| of_name(target, path)),
        );
        if searches && !is_there && outcome != Outcome::Insufficient(RefusalKind::FoundButNotThat) {
            on_event(AskEvent::NearNames);
            let near = near::look(bench.checkout, target, bench.limits);
            leads
                .places
                .extend(near.together.iter().map(|place| of_words(target, place)));
            leads.did_you_mean.extend(
                near.suggestions
                    .into_iter()
                    .map(|suggestion| (target.text.clone(), suggestion)),
            );
            if is_worth_a_ranking(question, target, &near.together, &leads) {
                on_event(AskEvent::Step {
                    tool: "localise",
                    target: target.text.clone(),
                });
                of_ranking(&target.text, survey.scope.bytes_searched, bench, &mut leads);
            }
        }
    }
    // The order above is the order of trust: of two leads to one line, the first is kept.
    let mut kept: Vec<Lead> = Vec::new();
    for lead in leads.places {
        let known = kept
            .iter()
            .any(|other| other.path == lead.path && other.line_start == lead.line_start);
        if !known && kept.len() < budget.leads_max {
            kept.push(lead);
        }
    }
    Leads {
        places: kept,
        ..leads
    }
}

impl Leads {
    /// Adds the places of proposed names, the best ground first. They come after everything that
    /// the question's own words found.
    pub(crate) fn after(&mut self, hypotheses: Option<&Hypotheses>, budget: &QuestionBudget) {
        let mut led: Vec<&(QuestionGround, Lead)> = hypotheses
            .into_iter()
            .flat_map(|all| &all.tried)
            .flat_map(|tried| &tried.places)
            .collect();
        led.sort_by_key(|(ground, _)| std::cmp::Reverse(*ground));
        for (_, lead) in led {
            let is_known = self
                .places
                .iter()
                .any(|other| other.path == lead.path && other.line_start == lead.line_start);
            if !is_known && self.places.len() < budget.leads_max {
                self.places.push(lead.clone());
            }
        }
    }
}

/// Reports whether a ranking is worth its pass: for a description whose words occur nowhere close
/// together, with few other leads.
fn is_worth_a_ranking(
    question: &Question,
    target: &QuestionTarget,
    together: &[Together],
    leads: &Leads,
) -> bool {
    let describes = matches!(question.goal.intent, Intent::Explain | Intent::Locate)
        && target.kind == TargetKind::Phrase;
    describes
        && leads.places.len() < FEW
        && leads.did_you_mean.is_empty()
        && together.iter().all(|place| place.words < 2)
}

/// Adds the best files of a ranking that hold two words of the target, or one in the name of a
/// definition or file.
fn of_ranking(text: &str, bytes: u64, bench: &Bench<'_>, leads: &mut Leads) {
    if bytes > RANKED_BYTES_MAX {
        return leads.bounds.push("ranked_bytes_max");
    }
    let ranking = localise::rank(bench.checkout, text, bench.limits);
    let is_known = |file: &RankedFile| {
        leads
            .places
            .iter()
            .any(|lead| lead.path == file.path.as_str())
    };
    let telling = ranking
        .files
        .into_iter()
        .filter(|file| (file.is_named || file.words > 1) && !is_known(file));
    let telling = FileRanking {
        files: telling.take(PER_RELATION_MAX).collect(),
        right_share: ranking.right_share,
        ..FileRanking::default()
    };
    let shown = telling.shown(bench.checkout, bench.limits, PER_RELATION_MAX);
    let places = localise::leads_of(&shown, PER_RELATION_MAX);
    leads.places.extend(places);
}

/// Adds the CI runs, with those that the question is not about, and the notes about them.
fn of_ci(bench: &Bench<'_>, leads: &mut Leads) {
    let Some(findings) = bench.ci_findings() else {
        return;
    };
    let lead = |path: &str, why: String| Lead {
        path: path.to_owned(),
        line_start: 0,
        line_end: 0,
        why,
    };
    leads.places.extend(
        findings
            .notes
            .iter()
            .map(|note| lead(&findings.repository, note.clone())),
    );
    let runs = findings.runs.iter().chain(&findings.others);
    leads
        .places
        .extend(runs.map(|run| lead(&run.page, crate::answer::forms::ci::describe(run))));
}

/// Adds the results of a build and a test run that were not enough.
fn of_runs(bench: &Bench<'_>, leads: &mut Leads) {
    let workshop = &bench.workshop;
    let Some(manifest) = workshop.manifest() else {
        return;
    };
    let built = workshop.build.iter().map(|build| {
        let notes = build
            .notes
            .iter()
            .map(|note| format!("; {note}"))
            .collect::<String>();
        format!(
            "`{}`: built in this run: {} {}{notes}",
            build.command, build.built, build.unit
        )
    });
    let tested = workshop.test.iter().map(|test| {
        let notes = test
            .notes
            .iter()
            .map(|note| format!("; {note}"))
            .collect::<String>();
        format!("`{}`: tests: {}{notes}", test.command, test.counts())
    });
    let why = built.chain(tested).collect::<Vec<String>>().join(". ");
    if !why.is_empty() {
        leads.places.push(Lead {
            path: manifest.to_owned(),
            line_start: 0,
            line_end: 0,
            why,
        });
    }
}

/// Adds leads for an error that nothing in the tree is shown to emit: places of its trace, literals
/// that share words with it, quotations, and the definition of its kind.
fn of_message(bench: &mut Bench<'_>, number: usize, target: &QuestionTarget, leads: &mut Leads) {
    let lead = |path: &RepoPath, line: u32, why: String| Lead {
        path: path.as_str().to_owned(),
        line_start: line,
        line_end: line,
        why,
    };
    for traced in bench.frames().iter().take(PER_RELATION_MAX) {
        let why = match traced.holds {
            Holds::AsTold | Holds::ElsewhereInFile => "a frame of the trace",
            Holds::FileOnly => {
                "a frame of the trace names this file; the tree differs from the one that failed"
            }
            Holds::OneOfSeveral => "a frame of the trace fits this file and others",
        };
        leads
            .places
            .push(lead(&traced.path, traced.line, why.to_owned()));
    }
    for place in bench
        .emitters(number)
        .places
        .iter()
        .take(2 * PER_RELATION_MAX)
    {
        let why = match place.grade {
            Grade::Literal | Grade::Format => "can emit the message",
            Grade::Loose if place.is_of_a_test => {
                "a test has the message; nothing that it tests was found to emit it"
            }
            Grade::Loose => "a literal that could make the message among much else",
            Grade::Quoted => "quotes the message, and prints nothing",
        };
        leads
            .places
            .push(lead(&place.path, place.line, why.to_owned()));
    }
    // The targets after the message are the kinds of the error.
    for beside in number + 1..bench.targets().len() {
        let name = bench.targets()[beside].text.clone();
        let places = bench.places(beside);
        let defined = places
            .places
            .iter()
            .filter(|place| place.relation == Relation::Defines)
            .take(PER_RELATION_MAX);
        leads.places.extend(defined.map(|place| {
            lead(
                &place.path,
                place.line,
                format!("`{name}` {}", words_for(Relation::Defines)),
            )
        }));
    }
    let near = near::look(bench.checkout, target, bench.limits);
    leads.places.extend(
        near.together
            .iter()
            // A message has many everyday words, so fewer than half of them prove nothing.
            .filter(|place| 2 * place.words >= place.of)
            .map(|place| of_words(target, place)),
    );
}

/// Adds definitions with the last part of a dotted name that are not shown to belong to the rest.
fn of_other_owners(
    bench: &mut Bench<'_>,
    number: usize,
    target: &QuestionTarget,
    leads: &mut Leads,
) {
    let but = match bench.ownership(number) {
        Ownership::Shown => return,
        Ownership::NoOwner(missing) => format!("there is no `{missing}` in the tree"),
        Ownership::OwnerOnly => format!("not as `{}`", target.text),
    };
    let name = target.needle();
    for place in bench.of_other_owners(number).iter().take(PER_RELATION_MAX) {
        let known = match place.containers.last() {
            Some(container) => format!("`{name}` exists, as `{container}.{name}`; {but}"),
            None => format!("`{name}` exists; {but}"),
        };
        leads.places.push(Lead {
            path: place.path.as_str().to_owned(),
            line_start: place.line,
            line_end: place.line,
            why: known,
        });
    }
}

fn of_evidence(ledger: &Ledger, target: &QuestionTarget, leads: &mut Leads) {
    // `Leads::after` adds the places of proposed names, behind all others.
    let own = ledger
        .about(EvidenceClass::FileSearch, &target.text)
        .filter(|(_, entry)| !entry.observation.found.is_through_a_hypothesis());
    for (_, entry) in own {
        let why = match (
            entry.observation.found.is_exact(),
            words_for(entry.observation.relation),
        ) {
            // These three were found under another name or beside the target, whatever their
            // relation says.
            _ if entry.observation.found == Match::StemmedDefinition => {
                format!(
                    "`{}` is defined here: another form of `{}`",
                    entry.observation.query,
                    target.needle()
                )
            }
            _ if entry.observation.found == Match::DefinedBeside => {
                format!(
                    "`{}` is defined here, in the folder of the best lead",
                    entry.observation.query
                )
            }
            _ if entry.observation.found == Match::NamedInImplementation => {
                format!(
                    "`{}` is here, in the file that implements its declaration",
                    target.needle()
                )
            }
            (true, words) => format!("`{}` {words}", target.needle()),
            (false, _) => match entry.observation.found {
                Match::Substring { places } if places > 1 => format!(
                    "`{}` is a part of other words here, in {places} places in all",
                    target.needle()
                ),
                _ => format!("`{}` is a part of other words here", target.needle()),
            },
        };
        let sources = entry.observation.sources.iter().take(PER_RELATION_MAX);
        leads
            .places
            .extend(sources.map(|source| lead(source, why.clone())));
    }
}

/// Adds where the target of a question about the history is now. Reports whether it is anywhere.
fn of_places(
    bench: &mut Bench<'_>,
    number: usize,
    target: &QuestionTarget,
    leads: &mut Leads,
) -> bool {
    if target.kind == TargetKind::Path {
        return !bench.survey().names[number].is_empty();
    }
    let places = bench.places(number);
    for place in places.places.iter().take(PER_RELATION_MAX) {
        let source = ObservationSource {
            path: place.path.as_str().to_owned(),
            line_start: place.line,
            line_end: place.line_end,
        };
        leads.places.push(lead(
            &source,
            format!("`{}` {}", target.needle(), words_for(place.relation)),
        ));
    }
    !places.places.is_empty()
}

fn lead(source: &ObservationSource, why: String) -> Lead {
    Lead {
        path: source.path.clone(),
        line_start: source.line_start,
        line_end: source.line_end,
        why,
    }
}

/// Returns the words for a relation.
pub const fn words_for(relation: Relation) -> &'static str {
    use grounds_evidence::MentionPlace as P;
    match relation {
        Relation::Defines => "is defined here",
        Relation::Declares => "is declared here, without its definition",
        Relation::Binds => "is a local name here",
        Relation::Calls => "is called here",
        Relation::Inherits => "is extended or implemented here",
        Relation::References => "is used here",
        Relation::Imports => "is imported here",
        Relation::Mentions(P::Doc) => "is mentioned in documentation here",
        Relation::Mentions(P::Comment) => "is mentioned in a comment here",
        Relation::Mentions(P::String) => "is mentioned in a string here",
        Relation::Mentions(P::Prose) => "is mentioned in prose here",
        Relation::Mentions(P::Data) => "is in data here",
        Relation::NamedByFile => "is in the name of this file",
        Relation::Unlabelled => "occurs here",
    }
}

fn of_other(other: Other, place: &LabelledPlace) -> Lead {
    let container = if place.containers.is_empty() {
        String::new()
    } else {
        format!(" in `{}`", place.containers.join("::"))
    };
    let why = match other {
        Other::Spelling => format!(
            "`{}` is another name in another convention{container}",
            place.name
        ),
        Other::Container => format!(
            "a `{}` exists{container}, not where the question says",
            place.name
        ),
    };
    Lead {
        path: place.path.as_str().to_owned(),
        line_start: place.line,
        line_end: place.line,
        why,
    }
}

fn of_name(target: &QuestionTarget, path: &RepoPath) -> Lead {
    let why = format!("`{}` {}", target.needle(), words_for(Relation::NamedByFile));
    Lead {
        path: path.as_str().to_owned(),
        line_start: 0,
        line_end: 0,
        why,
    }
}

fn of_words(target: &QuestionTarget, place: &Together) -> Lead {
    let words = |count: usize| format!("{count} of the {} words of `{}`", place.of, target.text);
    let why = match (place.words, place.named) {
        (0 | 1, named) => format!("{} in the name of this file", words(named)),
        (together, 0) => format!("{} occur together here", words(together)),
        (together, named) => format!(
            "{} occur together here, {named} in the name of the file",
            words(together)
        ),
    };
    Lead {
        path: place.path.as_str().to_owned(),
        line_start: place.line,
        line_end: place.line,
        why,
    }
}

/// Returns leads for absent names: similar names, and places with their words close together.
pub(crate) fn close_to(targets: &[QuestionTarget], checkout: &Checkout, limits: &Limits) -> Leads {
    let mut leads = Leads::default();
    for target in targets {
        let near = near::look(checkout, target, limits);
        let together = near.together.iter().map(|place| of_words(target, place));
        leads.places.extend(together);
        let suggestions = near.suggestions.into_iter();
        let suggestions = suggestions.map(|suggestion| (target.text.clone(), suggestion));
        leads.did_you_mean.extend(suggestions);
    }
    leads
}
