//! Decides claims over a tree: true or false with evidence, values, counts, or why not.
//!
//! There is one file for each family of predicates. A settled claim is supported by places that
//! were read in this run; a claim that cannot be decided says why, and nothing is guessed.

mod absence;
pub(crate) mod access;
mod body;
mod brought;
pub(crate) mod carried;
mod composed;
mod declared;
mod dependencies;
pub(crate) mod described;
mod effects;
mod environment;
mod field;
pub(crate) mod flags;
pub(crate) mod go_package;
pub(crate) mod hierarchy;
mod import_lines;
pub(crate) mod imports;
mod literal;
mod made;
pub(crate) mod manifest;
pub(crate) mod manifest_field;
pub(crate) mod messages;
mod only;
pub(crate) mod origin;
pub(crate) mod package_version;
mod parameters;
mod parts;
mod plain;
mod qualifier;
pub(crate) mod renamed;
mod shown;
pub(crate) mod signature;
pub(crate) mod sites;
pub(crate) mod spelled;
mod subject;
mod textual;
mod typed_constants;
mod values;
pub(crate) mod workflow;

use grounds_claims::{Claim, names};
use grounds_evidence::ConfidenceLevel;
use grounds_repo::excerpt;

use crate::answer::{AnswerCitation, AnswerSection, CitedPart, PlaceForm, Resource};
use crate::budget::QuestionBudget;
use crate::leads::Lead;
use crate::understand::{QuestionTree, with_line};

pub(crate) use absence::unread;
pub(crate) use parts::{is_kind, is_prefix};
pub(crate) use subject::resolve;

/// Limit on the citations of one list; the section says how many more there are.
const CITED_MAX: usize = 200;

/// A decided claim.
#[derive(Debug)]
pub(crate) struct Settled {
    /// Whether the statement holds; `None` for a claim that asks for values.
    pub(crate) holds: Option<bool>,
    /// The sections of the answer, with the places that support them.
    pub(crate) sections: Vec<AnswerSection>,
    /// How sure it is.
    pub(crate) level: ConfidenceLevel,
    /// The reason why the confidence is not higher; empty if nothing lowers it.
    pub(crate) because: String,
}

impl Settled {
    /// Returns a decision with one section, at High.
    pub(crate) fn told(holds: Option<bool>, section: AnswerSection) -> Self {
        Self {
            holds,
            sections: vec![section],
            level: ConfidenceLevel::High,
            because: String::new(),
        }
    }

    /// Corrects the first word of the sentence about a denied claim: it says whether the denial
    /// holds, as the exit code does.
    fn in_words_of(mut self, claim: &Claim) -> Self {
        // "Does f not call g?" is answered with "Yes: the body does not name `g`".
        if let (true, [section]) = (claim.is_negated, self.sections.as_mut_slice()) {
            let said = section.text.strip_prefix("Yes: ");
            let said = said.or_else(|| section.text.strip_prefix("No: "));
            if let (Some(said), Some(_)) = (said, self.holds) {
                section.text = format!("{}{said}", verdict(self.holds));
            }
        }
        self
    }

    /// Sets the level, and the reason why it is not higher.
    pub(crate) fn at(mut self, level: ConfidenceLevel, because: impl Into<String>) -> Self {
        self.level = level;
        self.because = because.into();
        self
    }
}

/// Why a claim could not be decided.
#[derive(Debug)]
pub(crate) struct Unsettled {
    /// In words.
    pub(crate) reason: String,
    /// Whether the thing that it names was searched everywhere and is absent.
    pub(crate) is_absent: bool,
    /// Places that may help.
    pub(crate) leads: Vec<Lead>,
}

pub(crate) type SettleResult = Result<Settled, Unsettled>;

/// The tree and the budget for decisions.
pub(crate) struct Desk<'d, 'c> {
    pub(crate) tree: &'d QuestionTree<'c>,
    pub(crate) budget: &'d QuestionBudget,
}

/// Decides a claim; `None` for predicates that are decided elsewhere.
pub(crate) fn settle(claim: &Claim, desk: &Desk<'_, '_>) -> Option<SettleResult> {
    if let Some(line) = line_as_name(claim, desk) {
        let why = format!(
            "`{line}` is one line: name what is defined there, or ask which function holds it"
        );
        return Some(Err(Unsettled::unknown(why)));
    }
    let settled = of_code(claim, desk).or_else(|| of_project(claim, desk))?;
    Some(settled.map(|settled| settled.in_words_of(claim)))
}

/// Returns the line of a file that a claim has in the place of a name or folder: `a.go:54` would be
/// denied as a name that does not exist.
fn line_as_name<'c>(claim: &'c Claim, desk: &Desk<'_, '_>) -> Option<&'c str> {
    let takes_lines = [&names::EXISTS, &names::BODY].contains(&claim.predicate);
    let arguments = (0..claim.arguments.len()).filter_map(|number| claim.text(number));
    let scopes = claim.scope.inside.iter().chain(&claim.scope.outside);
    let mut texts = arguments.chain(scopes.map(String::as_str));
    texts.find(|text| {
        let (path, line) = with_line(text);
        !takes_lines && line.is_some() && !desk.tree.files_of(path).is_empty()
    })
}

/// Decides a claim about the code; `None` for other predicates.
fn of_code(claim: &Claim, desk: &Desk<'_, '_>) -> Option<SettleResult> {
    let predicate = claim.predicate;
    let is = |one: &grounds_claims::Predicate| predicate == one;
    let decision = match () {
        // A flag is no name of the code: `--watch` would be searched as `watch`.
        () if let Some(flag) = flags::of_claim(claim) => flags::claimed(flag, claim, desk),
        () if spelled::is_one(claim) => spelled::settle(claim, desk),
        () if is(&names::CALLS) || is(&names::USES) || is(&names::CONSTRUCTS) => {
            sites::settle(claim, desk)
        }
        () if is(&names::EXTENDS) || is(&names::IMPLEMENTS) => hierarchy::settle(claim, desk),
        () if is(&names::OVERRIDES) => hierarchy::overrides(claim, desk),
        () if is(&names::IMPORTS) => imports::imports(claim, desk),
        () if is(&names::DEFINES) => parts::defines(claim, desk),
        () if is(&names::BODY) => shown::settle(claim, desk),
        () if is(&names::MEMBER) => parts::members(claim, desk),
        () if is(&names::PARAMETER) => parameters::settle(claim, desk),
        () if is(&names::EXISTS) => parts::exists(claim, desk),
        () if is(&names::VALUE) => values::settle(claim, desk),
        () if is(&names::THROWS) => effects::throws(claim, desk),
        () if is(&names::RETURNS) => effects::returns(claim, desk),
        () if is(&names::TESTED) => effects::tested(claim, desk),
        () => return None,
    };
    Some(decision)
}

/// Decides a claim about the project; `None` for other predicates.
fn of_project(claim: &Claim, desk: &Desk<'_, '_>) -> Option<SettleResult> {
    let predicate = claim.predicate;
    let is = |one: &grounds_claims::Predicate| predicate == one;
    let decision = match () {
        () if is(&names::LICENSE) => manifest::license(desk),
        () if is(&names::VERSION) => manifest::version(claim, desk),
        () if is(&names::REQUIRES) => manifest::requires(claim, desk),
        () if is(&names::AUTHORED) && claim.text(0) == Some(".") => manifest::authors(desk),
        () if is(&names::DEPENDENCY) => dependencies::settle(claim, desk),
        () if is(&names::ENVIRONMENT) => environment::settle(claim, desk),
        () => return None,
    };
    Some(decision)
}

/// A place that is cited: file, first and last line, what it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SettledSpot {
    pub(crate) path: String,
    pub(crate) line: u32,
    pub(crate) line_end: u32,
    pub(crate) what: String,
}

impl SettledSpot {
    pub(crate) fn line(path: &str, line: u32, what: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            line_end: line,
            what: what.into(),
        }
    }
}

impl Desk<'_, '_> {
    /// Returns a section with a text and its places.
    pub(crate) fn section(
        &self,
        text: impl Into<String>,
        spots: &[SettledSpot],
        lines_max: u32,
    ) -> AnswerSection {
        let citations: Vec<AnswerCitation> = spots
            .iter()
            .take(CITED_MAX)
            .filter_map(|spot| self.cite(spot, lines_max))
            .collect();
        AnswerSection {
            title: String::new(),
            text: text.into(),
            // Places that could not be read count as further ones.
            more: (spots.len() - citations.len().min(spots.len())) as u64,
            citations,
            shown: if lines_max == 1 {
                PlaceForm::ByFile
            } else {
                PlaceForm::Excerpts
            },
        }
    }

    fn cite(&self, spot: &SettledSpot, lines_max: u32) -> Option<AnswerCitation> {
        let language =
            grounds_syntax::languages::of_name(spot.path.rsplit('/').next().unwrap_or(&spot.path))
                .map_or("", |language| language.name);
        let cited = excerpt::read(
            self.tree.checkout,
            &spot.path,
            spot.line.max(1),
            spot.line_end.max(spot.line),
            // A place of up to four lines, such as a head, is shown whole even in a list of single
            // lines.
            lines_max.max(spot.line_end.saturating_sub(spot.line).min(3) + 1),
            self.tree.limits.file_bytes_max,
        );
        Some(AnswerCitation {
            resource: Resource::File,
            path: spot.path.clone(),
            // A file that is cited as a whole may be empty or binary, so that no line can be read.
            cited: if spot.line == 0 {
                CitedPart::Whole
            } else {
                CitedPart::Lines(cited?)
            },
            evidence: Vec::new(),
            what: spot.what.clone(),
            language,
        })
    }
}

impl Unsettled {
    pub(crate) fn unknown(reason: impl Into<String>) -> Self {
        Self {
            reason: reason.into(),
            is_absent: false,
            leads: Vec::new(),
        }
    }

    pub(crate) fn absent(reason: impl Into<String>, near: &[SettledSpot]) -> Self {
        Self {
            reason: reason.into(),
            is_absent: true,
            leads: leads_of(near),
        }
    }

    pub(crate) fn with(mut self, spots: &[SettledSpot]) -> Self {
        self.leads = leads_of(spots);
        self
    }
}

fn leads_of(spots: &[SettledSpot]) -> Vec<Lead> {
    let lead = |spot: &SettledSpot| Lead {
        path: spot.path.clone(),
        line_start: spot.line,
        line_end: spot.line_end,
        why: spot.what.clone(),
    };
    spots.iter().take(8).map(lead).collect()
}

/// Returns the first word of a sentence that decides; empty if it does not.
pub(crate) const fn verdict(holds: Option<bool>) -> &'static str {
    match holds {
        Some(true) => "Yes: ",
        Some(false) => "No: ",
        None => "",
    }
}

/// "1 place", "3 places".
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let ending = match (count, noun) {
        (1, _) => "",
        (_, "class" | "address") => "es",
        _ => "s",
    };
    match noun.strip_suffix('y') {
        Some(stem) if count != 1 => format!("{count} {stem}ies"),
        _ => format!("{count} {noun}{ending}"),
    }
}
