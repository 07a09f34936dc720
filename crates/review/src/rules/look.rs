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

/// The result of running rules over one side: places by the number of the rule, and rules that
/// could not run.
#[derive(Debug, Default)]
pub(crate) struct RuleLook {
    pub(crate) places: Vec<(usize, RulePlace)>,
    pub(crate) faults: Vec<Fault>,
}

/// The reason that a rule, or all rules that need a tree, could not run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) rule: Option<usize>,
    pub(crate) reason: String,
    pub(crate) open: Open,
}

/// The detectors that are for one file, each with the number of its rule.
type ForFile<'r> = Vec<(usize, &'r Rule, &'r Detector)>;

/// Finds the places of some rules, given with their numbers.
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

/// Sorts places, and keeps one for each rule and line: the first, and of several that begin there
/// the widest.
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
            // Text rules need a tree only to see whether their places are in a test.
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
        // A node on none of the lines has no child on one.
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
            // After the deadline the tree has no more nodes, and a match in such a part of it may
            // be wrong.
            places.extend(found.filter(|_| !is_over()).map(|found| (*number, found)));
        }
        // Children are visited in the order of the text, so the last one goes on the stack first.
        open.extend(node.children().collect::<Vec<_>>().into_iter().rev());
    }
    faults.extend(is_over().then(|| too_long(limits)));
    places
}

/// Returns the places of the matchers that may match a node of a kind. Most rules are about one
/// kind of node, and asking each of them about each node was most of the work.
fn fitting(
    by_kind: &mut HashMap<u16, Vec<usize>>,
    kind: u16,
    count: usize,
    may_match: impl Fn(usize) -> bool,
) -> &[usize] {
    // The answer is the same for all nodes of a kind, of which a file has many.
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

/// Returns the edit of a rule, or `None` unless it has exactly one: among several, only a person
/// can choose.
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

/// Reports whether a node is on one of the lines.
fn touches(node: &ast_grep_core::Node<'_, Watched>, lines: &ScannedLines<'_>) -> bool {
    let number = |row: usize| u32::try_from(row + 1).unwrap_or(u32::MAX);
    lines.touch(
        number(node.start_pos().line()),
        number(node.end_pos().line()),
    )
}

/// Returns the names of the items around a place, for a fingerprint; empty at the top level of a
/// file or without a language.
pub(crate) fn symbol(parsed: Option<&Parse<'_>>, place: &RulePlace) -> String {
    let Some(parsed) = parsed else {
        return String::new();
    };
    let first =
        place.range.start..(place.range.start + 1).min(place.range.end.max(place.range.start));
    parsed.containers(first).join(".")
}
