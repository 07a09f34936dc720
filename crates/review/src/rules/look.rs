//! Runs rules over one side of a file, and returns every match on the requested lines.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use ast_grep_core::NodeMatch;
use ast_grep_core::matcher::{Matcher as _, MatcherExt as _};
use grounds_syntax::Parse;

use super::fix::Edit;
use super::language::RuleLanguage;
use super::limits::RuleLimits;
use super::report::Open;
use super::rule::{Detector, DetectorKind, Rule, TextMatcher};
use super::side::{RulePlace, ScannedLines, SideText};
use super::watched::Watched;

/// What one look gives: places by the rule's number, and rules that could not look.
#[derive(Debug, Default)]
pub(crate) struct RuleLook {
    pub(crate) places: Vec<(usize, RulePlace)>,
    pub(crate) faults: Vec<Fault>,
}

/// Why a rule, or all that need a tree, could not look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) rule: Option<usize>,
    pub(crate) reason: String,
    pub(crate) open: Open,
}

/// The detectors that are for one file, each with the number of its rule.
type ForFile<'r> = Vec<(usize, &'r Rule, &'r Detector)>;

/// Looks for the places of some rules, given with their numbers.
pub(crate) fn look(
    side: &SideText,
    rules: &[(usize, &Rule)],
    lines: &ScannedLines<'_>,
    limits: &RuleLimits,
) -> RuleLook {
    let mut looked = RuleLook::default();
    let with_detectors = |&(number, rule)| rule_detectors(number, rule, side);
    let wanted: ForFile<'_> = rules
        .iter()
        .filter(|(_, rule)| rule.reach.has(side.role))
        .flat_map(with_detectors)
        .collect();
    for &(number, rule, detector) in &wanted {
        match &detector.kind {
            DetectorKind::Text(matcher) => {
                looked.places.extend(
                    in_lines(side, matcher, &detector.message, lines, limits)
                        .map(|place| (number, place)),
                );
            }
            DetectorKind::Native(native) => {
                match catch_unwind(AssertUnwindSafe(|| native.on_side(side, lines))) {
                    Ok(places) => looked.places.extend(
                        places
                            .into_iter()
                            .map(|place| (number, with_message(place, &detector.message))),
                    ),
                    Err(_) => looked.faults.push(Fault {
                        rule: Some(number),
                        reason: format!("the rule `{}` broke on it", rule.name),
                        open: Open::Failure,
                    }),
                }
            }
            DetectorKind::Tree(_) => {}
        }
    }
    look_at_tree(side, &wanted, lines, limits, &mut looked);
    finish(&mut looked.places);
    looked
}

fn rule_detectors<'r>(
    number: usize,
    rule: &'r Rule,
    side: &SideText,
) -> Vec<(usize, &'r Rule, &'r Detector)> {
    let is_for = |detector: &&Detector| detector.is_for(&side.path, side.language);
    rule.detectors
        .iter()
        .filter(is_for)
        .map(|detector| (number, rule, detector))
        .collect()
}

fn with_message(place: RulePlace, message: &str) -> RulePlace {
    if place.message.is_empty() {
        RulePlace {
            message: message.to_owned(),
            ..place
        }
    } else {
        place
    }
}

/// In order, and one place for one rule and line: the widest.
fn finish(places: &mut Vec<(usize, RulePlace)>) {
    places.sort_by(|(rule, place), (other_rule, other)| {
        (
            place.line_start,
            rule,
            place.range.start,
            std::cmp::Reverse(place.range.end),
        )
            .cmp(&(
                other.line_start,
                other_rule,
                other.range.start,
                std::cmp::Reverse(other.range.end),
            ))
    });
    places.dedup_by(|(rule, place), (kept_rule, kept)| {
        rule == kept_rule && place.line_start == kept.line_start
    });
}

fn in_lines<'a>(
    side: &'a SideText,
    matcher: &'a TextMatcher,
    message: &'a str,
    lines: &ScannedLines<'_>,
    limits: &RuleLimits,
) -> impl Iterator<Item = RulePlace> + use<'a> {
    let most = limits.line_bytes_max;
    lines.of(side).into_iter().filter_map(move |line| {
        let range = side.line_range(line);
        let text = &side.text[range.clone()];
        let cut = text.floor_char_boundary(most.min(text.len()));
        let found = matcher.find(&text[..cut])?;
        Some(RulePlace::at(
            side,
            range.start + found.start..range.start + found.end,
            message.to_owned(),
        ))
    })
}

fn look_at_tree(
    side: &SideText,
    wanted: &ForFile<'_>,
    lines: &ScannedLines<'_>,
    limits: &RuleLimits,
    looked: &mut RuleLook,
) {
    let needs_tree = |(_, rule, detector): &&(usize, &Rule, &Detector)| match &detector.kind {
        DetectorKind::Tree(_) => true,
        DetectorKind::Text(_) | DetectorKind::Native(_) => {
            !rule.reach.has_tests() && !looked.places.is_empty()
        }
    };
    if !wanted.iter().any(|detector| needs_tree(&detector)) {
        return;
    }
    let parsed = match side.parse(limits) {
        Ok(Some(parsed)) => parsed,
        Ok(None) => return,
        Err(reason) => {
            return looked.faults.push(Fault {
                rule: None,
                reason,
                open: Open::Bound,
            });
        }
    };
    let found = catch_unwind(AssertUnwindSafe(|| {
        in_tree(side, &parsed, wanted, lines, limits, &mut looked.faults)
    }));
    match found {
        Ok(places) => looked.places.extend(places),
        Err(_) => looked.faults.push(Fault {
            rule: None,
            reason: "matching its tree broke".to_owned(),
            open: Open::Failure,
        }),
    }
    leave_tests_out(&parsed, wanted, &mut looked.places);
}

/// Removes places inside a test of the file, except for rules that look into tests.
fn leave_tests_out(parsed: &Parse<'_>, wanted: &ForFile<'_>, places: &mut Vec<(usize, RulePlace)>) {
    places.retain(|(number, place)| {
        let looks_into_tests = wanted
            .iter()
            .any(|(other, rule, _)| other == number && rule.reach.has_tests());
        looks_into_tests || !parsed.is_test(place.range.clone())
    });
}

fn in_tree(
    side: &SideText,
    parsed: &Parse<'_>,
    wanted: &ForFile<'_>,
    lines: &ScannedLines<'_>,
    limits: &RuleLimits,
    faults: &mut Vec<Fault>,
) -> Vec<(usize, RulePlace)> {
    let Some(root) = side.root(parsed, limits) else {
        return Vec::new();
    };
    let matchers = matchers(wanted, faults).into_iter();
    let matchers: Vec<_> = matchers
        .map(|(number, matcher)| (number, matcher, matcher.matcher.potential_kinds()))
        .collect();
    let (mut by_kind, mut places, mut open) = (HashMap::new(), Vec::new(), vec![root.root()]);
    let is_over = || root.root().get_doc().is_over();
    while let Some(node) = open.pop() {
        if !touches(&node, lines) {
            continue;
        }
        let kind = node.kind_id();
        let may_match = |place: usize| {
            matchers[place]
                .2
                .as_ref()
                .is_none_or(|kinds| kinds.contains(kind.into()))
        };
        for place in fitting(&mut by_kind, kind, matchers.len(), may_match) {
            let (number, matcher, _) = &matchers[*place];
            let found = matched(side, matcher, &node);
            // What is found in a tree of which a part is no longer shown was not found.
            places.extend(found.filter(|_| !is_over()).map(|found| (*number, found)));
        }
        open.extend(node.children().collect::<Vec<_>>().into_iter().rev());
    }
    faults.extend(is_over().then(|| too_long(limits)));
    places
}

/// The places of those matchers that may match a node of a kind. Most rules are about one kind of node:
/// to ask each of them about each node was most of the work.
fn fitting(
    by_kind: &mut HashMap<u16, Vec<usize>>,
    kind: u16,
    count: usize,
    may_match: impl Fn(usize) -> bool,
) -> &[usize] {
    let fitting = || (0..count).filter(|place| may_match(*place)).collect();
    by_kind.entry(kind).or_insert_with(fitting)
}

fn matched(
    side: &SideText,
    matcher: &ast_grep_config::RuleConfig<RuleLanguage>,
    node: &ast_grep_core::Node<'_, Watched>,
) -> Option<RulePlace> {
    let found = matcher.matcher.match_node(node.clone())?;
    let message = matcher.get_message(&found);
    let mut place = RulePlace::at(side, found.get_node().range(), message);
    place.edit = edit(matcher, &found);
    Some(place)
}

fn too_long(limits: &RuleLimits) -> Fault {
    Fault {
        rule: None,
        reason: format!(
            "matching took longer than {} ms (file_ms_max)",
            limits.file_ms_max
        ),
        open: Open::Bound,
    }
}

/// What the rule would write instead, where it says one thing: among several nobody but a person chooses.
fn edit(
    matcher: &ast_grep_config::RuleConfig<RuleLanguage>,
    found: &NodeMatch<'_, Watched>,
) -> Option<Edit> {
    let [fixer] = matcher.fixer.as_slice() else {
        return None;
    };
    let edit = found.make_edit(&matcher.matcher, fixer);
    Some(Edit {
        range: edit.position..edit.position + edit.deleted_length,
        text: String::from_utf8(edit.inserted_text).ok()?,
    })
}

fn matchers<'r>(
    wanted: &ForFile<'r>,
    faults: &mut Vec<Fault>,
) -> Vec<(usize, &'r ast_grep_config::RuleConfig<RuleLanguage>)> {
    let mut matchers = Vec::new();
    for &(number, _, detector) in wanted {
        let DetectorKind::Tree(tree) = &detector.kind else {
            continue;
        };
        // A rule of another language was left out, and one in several languages has a detector for
        // each.
        match tree.matcher() {
            Ok(matcher) => matchers.push((number, matcher)),
            Err(reason) => faults.push(Fault {
                rule: Some(number),
                reason: format!("`{}`: {reason}", detector.id),
                open: Open::Failure,
            }),
        }
    }
    matchers
}

/// Whether a node stands on one of the lines.
fn touches(node: &ast_grep_core::Node<'_, Watched>, lines: &ScannedLines<'_>) -> bool {
    let number = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    lines.touch(
        number(node.start_pos().line()),
        number(node.end_pos().line()),
    )
}

/// The names of the items around a place, for a fingerprint; empty at the top of a file or without
/// a language.
pub(crate) fn symbol(parsed: Option<&Parse<'_>>, place: &RulePlace) -> String {
    let Some(parsed) = parsed else {
        return String::new();
    };
    let first =
        place.range.start..(place.range.start + 1).min(place.range.end.max(place.range.start));
    parsed.containers(first).join(".")
}
