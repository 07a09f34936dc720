//! A check that a change removes while the code that it guarded stays: a branch that left the
//! function early, or one part of a condition. Reports nothing if the same value is checked again,
//! if the function was rewritten, or if nothing after the check uses the value.

mod called;
pub(super) mod condition;
mod danger;
mod function;
mod harm;

use ast_grep_core::Node;

use super::{ChangePlace, ChangedSides, Native};
use crate::diff::LineKind;
use crate::finding::Severity;
use crate::rules::limits::RuleLimits;
use crate::rules::report::Unread;
use crate::rules::side::SideText;
use crate::rules::watched::Watched;
use function::{Function, NumberedLine};

type TreeNode<'n> = Node<'n, Watched>;

/// Maximum number of nodes of one side that are visited.
const NODES_MAX: usize = 400_000;
/// Maximum number of findings of one file; a change that removes more checks is a rewrite.
const FINDINGS_MAX: usize = 3;
/// Maximum number of lines of an added statement that are joined.
const STATEMENT_LINES_MAX: usize = 20;
/// The names of branches in the grammars.
const BRANCHES: [&str; 9] = [
    "while_statement",
    "while_expression",
    "for_statement",
    "if_statement",
    "if_expression",
    "if",
    "unless",
    "if_modifier",
    "unless_modifier",
];

/// See `built_in/check-removed.yml`.
#[derive(Debug)]
pub(super) struct CheckRemoved;

impl Native for CheckRemoved {
    fn name(&self) -> &'static str {
        "check-removed"
    }

    fn languages(&self) -> &'static str {
        "all with a grammar"
    }

    fn is_about_changes(&self) -> bool {
        true
    }

    fn on_change(&self, change: &ChangedSides<'_>) -> Result<Vec<ChangePlace>, Unread> {
        let (Some(base), Some(head)) = (change.base, change.head) else {
            return Ok(Vec::new());
        };
        if change.lines.removed.is_empty() {
            return Ok(Vec::new());
        }
        let limits = RuleLimits::default();
        let parsed = base.parse(&limits).ok().flatten();
        let Some(root) = parsed.and_then(|parsed| base.root(&parsed, &limits)) else {
            return Ok(Vec::new());
        };
        let mut places = Vec::new();
        let gone = gone(base, root.root(), change);
        // Lines of other removed checks do not count as further changes of a function.
        let lines: Vec<(u32, u32)> = gone.iter().map(|branch| rows(branch, base)).collect();
        for branch in gone {
            let Some(function) = Function::around(&branch, &lines, base, change) else {
                continue;
            };
            places.extend(told(&branch, &function, (base, head), change));
        }
        places.dedup();
        Ok(if places.len() > FINDINGS_MAX {
            Vec::new()
        } else {
            places
        })
    }
}

/// Returns the first and the last line of a node.
fn rows(node: &TreeNode<'_>, side: &SideText) -> (u32, u32) {
    let range = node.range();
    (
        side.line_of(range.start),
        side.line_of(range.end.saturating_sub(1)),
    )
}

/// Returns the branches of the base whose condition is on removed lines, and statements that call a
/// check.
fn gone<'n>(base: &SideText, root: TreeNode<'n>, change: &ChangedSides<'_>) -> Vec<TreeNode<'n>> {
    let is_removed = |line: u32| change.lines.removed.binary_search(&line).is_ok();
    let (mut open, mut gone, mut seen) = (vec![root], Vec::new(), 0_usize);
    while let Some(node) = open.pop() {
        seen += 1;
        if seen > NODES_MAX {
            break;
        }
        let range = node.range();
        let (first, last) = (base.line_of(range.start), base.line_of(range.end));
        // A node without a removed line has no branch that is gone, so its children are not
        // visited.
        let next = change.lines.removed.partition_point(|line| *line < first);
        if change
            .lines
            .removed
            .get(next)
            .is_none_or(|line| *line > last)
        {
            continue;
        }
        let kind = node.kind();
        // Ruby has no node for a statement: there, a call directly in a body is one.
        let is_statement = kind == "expression_statement"
            || kind == "call"
                && node
                    .parent()
                    .is_some_and(|parent| parent.kind() == "body_statement");
        let is_check = is_statement && called::of_statement(&node.text()).is_some();
        if (BRANCHES.contains(&kind.as_ref()) || is_check) && is_removed(first) {
            gone.push(node.clone());
        }
        open.extend(node.children());
    }
    gone
}

/// Returns the finding about a branch that is gone, or `None` if nothing is wrong.
///
/// Three cases are findings. The condition lost one part (`weaker`), so `i < 0 || i >= n` became
/// `i < 0`. The body is still there without its condition (`is_open`), so that `if (p) use(p);`
/// became `use(p);`. A branch that left early is gone as a whole, and a kept line after it still
/// uses the value.
fn told(
    branch: &TreeNode<'_>,
    function: &Function,
    (base, head): (&SideText, &SideText),
    change: &ChangedSides<'_>,
) -> Option<ChangePlace> {
    if let Some((name, given)) = called::of_statement(&branch.text()) {
        return call_gone(&name, &given, branch, function, (base, head), change);
    }
    let condition = branch.field("condition")?;
    let checked = condition::subjects(&condition.text());
    let parts = condition::parts(&condition.text());
    if checked.is_empty() || is_moved(&condition.text(), change) {
        return None;
    }
    let (first, last) = rows(branch, base);
    if function.is_of_removed_build(first, base) {
        return None;
    }
    let weaker = weakened(&parts, change);
    let lost = weaker
        .as_ref()
        .map_or_else(|| parts.as_slice(), std::slice::from_ref);
    if lost
        .iter()
        .all(|part| function.is_kept_out_before(part, NumberedLine::Old(first), base))
    {
        return None;
    }
    let is_loop = !branch.kind().starts_with("if") && !branch.kind().starts_with("unless");
    let text = branch.text();
    if weaker.is_some() && !is_way_out(&text, &condition.text(), &checked) {
        return None;
    }
    let is_gone = (first..=last).all(|line| function.is_removed(line, base));
    let is_guard = is_guard(&text, &condition.text(), &checked) && !function.has_new_guard(head);
    let is_open = !is_loop && is_unwrapped(&text, &condition.text(), change);
    let (names, from) = match &weaker {
        Some(part) => (condition::subjects(part), first),
        None if is_open => (checked, first),
        None if is_gone && is_guard && !is_loop => (checked, last),
        None => return None,
    };
    let names: Vec<String> = names
        .into_iter()
        .filter(|name| {
            weaker.is_some() || !(is_checked_anew(name, change) || is_given_anew(name, change))
        })
        .collect();
    let (line, name) = match is_open && weaker.is_none() {
        true => added_use(&names, &condition.text(), (head, branch), change)?,
        false => function.use_after(from, &names, base, |text, name| {
            weaker
                .as_ref()
                .is_none_or(|part| danger::depends(text, part, name))
        })?,
    };
    if is_open
        && lost
            .iter()
            .all(|part| function.is_kept_out_before(part, NumberedLine::New(line), base))
    {
        return None;
    }
    let quote = head.line(line).trim().to_owned();
    let language = head.language.map_or("", |language| language.name);
    if !harm::reaches_memory(language) && is_made_anew(&name, change) {
        return None;
    }
    let mut lost = lost
        .iter()
        .filter(|part| harm::matters(part, &name, &quote, language))
        .peekable();
    lost.peek()?;
    let is_note = !lost.any(|part| harm::keeps_within(part));
    let what = weaker.unwrap_or_else(|| condition::short(&condition.text()));
    Some(ChangePlace {
        lines: Some((line, line)),
        message: format!("the check `{what}` is gone, and `{name}` is still used after it"),
        symbol: function.name.clone(),
        severity: is_note.then_some(Severity::Info),
        quote,
    })
}

/// Reports whether a branch keeps a value out, or within bounds: `if (n < 0) n = 0;`.
fn is_guard(branch: &str, condition: &str, checked: &[String]) -> bool {
    let keeps = condition::sets(branch, checked) && !danger::asks_type(condition);
    (condition::leaves(branch) || keeps) && danger::refuses(branch, condition, checked)
}

/// Reports whether a branch that is taken less often now kept a value out. With several reasons,
/// any of which is enough, a branch that neither leaves nor sets what was checked only chooses
/// between two ways that are both meant.
fn is_way_out(branch: &str, condition: &str, checked: &[String]) -> bool {
    let is_any = condition.contains("||") && !condition.contains("&&");
    !is_any || condition::leaves(branch) || condition::sets(branch, checked)
}

/// Returns the finding about a call that checked something and is gone, or `None` if nothing is
/// wrong.
fn call_gone(
    name: &str,
    given: &[String],
    call: &TreeNode<'_>,
    function: &Function,
    (base, head): (&SideText, &SideText),
    change: &ChangedSides<'_>,
) -> Option<ChangePlace> {
    let (first, last) = rows(call, base);
    let is_gone = (first..=last).all(|line| function.is_removed(line, base));
    // The call may be at another place now, such as inside a new branch.
    let is_again = added(change).any(|line| condition::has_word(line, name));
    if !is_gone || is_again {
        return None;
    }
    let names: Vec<String> = given
        .iter()
        .filter(|name| !is_checked_anew(name, change) && !is_given_anew(name, change))
        .cloned()
        .collect();
    let (line, used) = function.use_after(last, &names, base, |_, _| true)?;
    Some(ChangePlace {
        lines: Some((line, line)),
        message: format!("the check by `{name}` is gone, and `{used}` is still used after it"),
        symbol: function.name.clone(),
        severity: None,
        quote: head.line(line).trim().to_owned(),
    })
}

/// Reports whether every statement that a branch guarded is added again without it.
fn is_unwrapped(branch: &str, condition: &str, change: &ChangedSides<'_>) -> bool {
    let Some((_, body)) = branch.split_once(condition) else {
        return false;
    };
    let bare: Vec<String> = added(change).map(condition::bare).collect();
    let mut statements = body
        .lines()
        .map(condition::bare)
        .filter(|line| line.chars().any(char::is_alphanumeric))
        .peekable();
    statements.peek().is_some() && statements.all(|line| bare.contains(&line))
}

/// Returns the first added line that uses one of some names and was in a branch.
fn added_use(
    names: &[String],
    condition: &str,
    (head, branch): (&SideText, &TreeNode<'_>),
    change: &ChangedSides<'_>,
) -> Option<(u32, String)> {
    let body: Vec<String> = branch.text().lines().map(condition::bare).collect();
    let lines = change.lines.added.iter();
    lines.copied().find_map(|line| {
        let text = head.line(line);
        let name = names.iter().find(|name| {
            condition::has_word(text, name) && danger::depends(text, condition, name)
        })?;
        body.contains(&condition::bare(text))
            .then(|| (line, name.clone()))
    })
}

/// Reports whether the change adds the same condition elsewhere.
fn is_moved(condition: &str, change: &ChangedSides<'_>) -> bool {
    let bare = condition::bare(condition);
    let statements: Vec<String> = added_statements(change);
    let has = |part: &str| {
        let mut bares = statements
            .iter()
            .map(|statement| condition::bare(statement));
        bares.any(|statement| statement.contains(part))
    };
    // The result of a call may be kept in a variable that is then asked: `if (match(s) == 0)`
    // becomes `int n = match(s);` and `if (n == 0)`.
    let is_kept = || {
        condition::call(&bare).is_some_and(|call| has(&format!("={call}")))
            && statements
                .iter()
                .any(|statement| condition::decides(statement))
    };
    has(&bare) || is_kept()
}

/// Returns the part that a condition lost, if an added condition has all the others and no more.
fn weakened(parts: &[String], change: &ChangedSides<'_>) -> Option<String> {
    if parts.len() < 2 {
        return None;
    }
    let is_branch = |line: &&str| {
        let line = line.trim_start().trim_start_matches("} ");
        ["if", "elif", "else if", "while"]
            .iter()
            .any(|word| line.starts_with(word))
            // A condition that goes on in the next line has parts that this one does not show.
            && !["&&", "||", " and", " or", "(", "\\"].iter().any(|end| line.trim_end().ends_with(end))
    };
    added(change).filter(is_branch).find_map(|line| {
        let kept = condition::parts(condition::of_line(line));
        let is_part = !kept.is_empty() && kept.iter().all(|part| parts.contains(part));
        let mut lost = parts.iter().filter(|part| !kept.contains(part));
        // A condition that lost several parts was written anew.
        let first = lost.next()?;
        let is_one = is_part && lost.next().is_none() && !danger::is_implied(first, &kept);
        is_one.then(|| first.clone())
    })
}

/// Reports whether the change adds a line that asks about a name in any condition:
/// `(unsigned)i >= n` replaces `i < 0 || i >= n`.
fn is_checked_anew(name: &str, change: &ChangedSides<'_>) -> bool {
    let mut statements = added_statements(change).into_iter();
    statements
        .any(|statement| condition::has_word(&statement, name) && condition::decides(&statement))
}

/// Reports whether the change passes a name to a function that no removed line calls: that function
/// may check it.
fn is_given_anew(name: &str, change: &ChangedSides<'_>) -> bool {
    let removed = || {
        let lines = change.file.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.kind == LineKind::Removed)
    };
    // A function that was called before the change has not taken over the check.
    let is_new = |call: &str| {
        let callee = call.split('(').next().unwrap_or_default();
        condition::has_word(call, name)
            && !removed().any(|line| condition::has_word(&line.text, callee))
    };
    let bares: Vec<String> = added(change).map(condition::bare).collect();
    bares
        .iter()
        .filter_map(|line| condition::call(line))
        .any(is_new)
}

/// Returns the added lines. Lines that one pair of brackets spans are joined, as for an `assert!(`
/// over several lines.
fn added_statements(change: &ChangedSides<'_>) -> Vec<String> {
    let (mut statements, mut depth) = (Vec::<String>::new(), 0_i64);
    let mut count = 0_usize;
    for line in added(change) {
        match statements
            .last_mut()
            .filter(|_| depth > 0 && count < STATEMENT_LINES_MAX)
        {
            Some(statement) => {
                *statement = format!("{statement} {}", line.trim());
                count += 1;
            }
            None => {
                statements.push(line.to_owned());
                (depth, count) = (0, 1);
            }
        }
        depth += condition::depth(line);
    }
    statements
}

/// Reports whether the change sets a name in another way, so that the checked value is another one
/// now.
fn is_made_anew(name: &str, change: &ChangedSides<'_>) -> bool {
    let names = [name.to_owned()];
    added(change).any(|line| condition::has_word(line, name) && condition::sets(line, &names))
}

/// Returns the added lines of the file.
fn added<'c>(change: &'c ChangedSides<'_>) -> impl Iterator<Item = &'c str> {
    let lines = change.file.hunks.iter().flat_map(|hunk| &hunk.lines);
    lines
        .filter(|line| line.kind == LineKind::Added)
        .map(|line| line.text.as_str())
}
