//! Command-line flags: where one is declared, with which default, and where its text occurs.

mod default;

use grounds_claims::{Claim, Quantifier, Tests, names};
use grounds_evidence::{ConfidenceLevel, FileRole, Intent};
use grounds_repo::path::RepoPath;
use grounds_repo::role;

pub(super) use self::default::settle;
use self::default::{default_of, default_of_field};
use super::absence::unread;
use super::{Desk, SettleResult, Settled, SettledSpot, Unsettled, counted};
use crate::flag_lines::{around, is_comparison, is_declaration, is_field, is_usage, literal};
use crate::understand::token::is_flag;
use crate::understand::value::is_soft;

/// Limit on the bytes of files that are searched.
const BYTES_MAX: u64 = 64 << 20;
/// Flags that a tree has to declare before the absence of one is concluded.
const OTHERS_MIN: usize = 3;
/// Number of declared flags that are shown with a denial.
const OTHERS_SHOWN: usize = 3;
/// Limit on the lines of a declaration if the question asks what a flag does.
const HELP_LINES_MAX: u32 = 10;
/// Distance of two lines of one declaration.
const SAME_LINES_MAX: u32 = 3;

/// Returns the flag if a description asks for its value and nothing else: `max-line` of "default
/// --max-line".
pub(super) fn asked(text: &str) -> Option<&str> {
    let mut hard = text.split(' ').filter(|word| !is_soft(word));
    let (only, None) = (hard.next()?, hard.next()) else {
        return None;
    };
    let name = only.trim_start_matches("--");
    let is_kebab = name.contains('-') || only.starts_with("--");
    let is_name = name
        .bytes()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (is_kebab && is_name && name.starts_with(|letter: char| letter.is_alphabetic())).then_some(name)
}

/// Returns the flag that a claim about code is about, without its dashes. Defaults and the history
/// are decided elsewhere.
pub(super) fn of_claim(claim: &Claim) -> Option<&str> {
    if claim.predicate == &names::VALUE || claim.predicate.intent == Intent::Status {
        return None;
    }
    let mut texts = (0..2).filter_map(|number| claim.text(number));
    let flag = texts.find(|text| is_flag(text))?;
    Some(flag.trim_start_matches("--"))
}

/// Decides a claim about a flag: where it is declared, whether it exists, where its text occurs.
pub(super) fn claimed(flag: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let is_plain = !claim.is_negated && claim.kind.is_none();
    match claim.quantifier {
        Quantifier::Some | Quantifier::Any | Quantifier::None
            if claim.predicate == &names::DEFINES && is_plain =>
        {
            defined(flag, claim, desk)
        }
        Quantifier::Some if claim.predicate == &names::BODY && is_plain => {
            defined(flag, claim, desk)
        }
        Quantifier::Some | Quantifier::Any
            if claim.predicate == &names::USES && claim.hole() == Some(0) =>
        {
            standing(flag, claim, desk)
        }
        _ => Err(Unsettled::unknown(format!(
            "`--{flag}` is a flag of a command line, and `{}` is not decided of flags",
            claim.predicate.name
        ))),
    }
}

/// Decides where a flag is declared, or whether it is.
fn defined(flag: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let (spots, is_sure) = places(flag, claim, desk)?;
    if spots.is_empty() {
        let unsettled = absent(flag, claim, desk)?;
        let is_asked = matches!(claim.quantifier, Quantifier::Any | Quantifier::None);
        let others = others(flag, claim, desk)?;
        // "No" is only said if other flags show that a declaration would have been seen.
        if unsettled.is_absent || !is_asked || others.is_empty() {
            return Err(unsettled);
        }
        let holds = claim.quantifier == Quantifier::None;
        let word = if holds { "Yes" } else { "No" };
        let told = format!(
            "{word}: `--{flag}` is not declared; {} are, among them:",
            counted(desk.tree.flags().len(), "flag")
        );
        let why = "a flag that code puts together is not seen";
        return Ok(settled(Some(holds), desk.section(told, &others, 1), why));
    }
    let (holds, word) = match claim.quantifier {
        Quantifier::Any => (Some(true), "Yes: "),
        Quantifier::None => (Some(false), "No: "),
        _ => (None, ""),
    };
    let why = match is_sure {
        true => "",
        false => "a usage text or a comparison has it, and no library of command lines declares it",
    };
    let told = format!(
        "{word}`--{flag}` is declared in {}:",
        counted(spots.len(), "place")
    );
    let shown = match claim.predicate == &names::BODY {
        true => spots.iter().map(|spot| whole(spot, desk)).collect(),
        false => spots,
    };
    Ok(settled(
        holds,
        desk.section(told, &shown, HELP_LINES_MAX),
        why,
    ))
}

/// Returns flags that the same code declares, if all of it was read and the text of the asked one
/// occurs nowhere. Enough of them show that a declaration would have been seen.
fn others(flag: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Result<Vec<SettledSpot>, Unsettled> {
    let (mut has_text, is_joined) = (false, flag.contains('-'));
    let is_code = |role| {
        !matches!(
            role,
            FileRole::Documentation | FileRole::Data | FileRole::Test | FileRole::Fixture
        )
    };
    each_file(claim, desk, &is_code, &mut |_, text| {
        // A flag of one word is an everyday text, so only its form with dashes counts.
        let has = |line: &str| stands(line, flag) || is_joined && literal(line, flag).is_some();
        has_text |= text.lines().any(has);
    })?;
    let flags = desk.tree.flags();
    let is_whole = unread(&desk.tree.scope(), desk).is_none() && claim.scope.is_everything();
    if has_text || !is_whole || flags.len() < OTHERS_MIN {
        return Ok(Vec::new());
    }
    // Flags with the same beginning are the likeliest to be meant.
    let shared = |name: &str| {
        name.bytes()
            .zip(flag.bytes())
            .take_while(|(one, other)| one == other)
            .count()
    };
    let mut named: Vec<_> = flags.iter().collect();
    named.sort_by_key(|(name, _)| std::cmp::Reverse(shared(name)));
    let spots = named.into_iter().take(OTHERS_SHOWN);
    Ok(spots
        .map(|(name, (path, at))| spot(path.as_str(), *at, &format!("declares `--{name}`")))
        .collect())
}

/// Returns a declaration with the comments and attributes above it, and its whole call.
fn whole(spot: &SettledSpot, desk: &Desk<'_, '_>) -> SettledSpot {
    let text = desk.tree.text(&spot.path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let at = (spot.line.saturating_sub(1) as usize).min(lines.len().saturating_sub(1));
    if lines.is_empty() {
        return spot.clone();
    }
    let (first, last) = around(&lines, at);
    let is_above = |line: &&&str| line.trim_start().starts_with(['#', '/', '*', '@']);
    let above = lines[..first.min(at)]
        .iter()
        .rev()
        .take_while(is_above)
        .count();
    let number = |at: usize| u32::try_from(at + 1).unwrap_or(u32::MAX);
    SettledSpot {
        line: number(first.min(at) - above),
        line_end: number(last.max(at)),
        ..spot.clone()
    }
}

/// Returns why no declaration was found: no form of the flag occurs, or some form does.
fn absent(flag: &str, claim: &Claim, desk: &Desk<'_, '_>) -> Result<Unsettled, Unsettled> {
    let forms = forms(flag);
    let mut near = Vec::new();
    each_file(claim, desk, &|_| true, &mut |file, text| {
        let mut lines = text.lines().enumerate();
        let found = lines.find(|(_, line)| forms.iter().any(|form| line.contains(form.as_str())));
        near.extend(found.map(|(at, _)| spot(file.as_str(), at, "has the words of the flag")));
    })?;
    near.truncate(5);
    // A part of the tree without the flag says nothing about the rest.
    let is_whole = unread(&desk.tree.scope(), desk).is_none() && claim.scope.is_everything();
    Ok(match near.is_empty() && is_whole {
        true => Unsettled::absent(
            format!("`--{flag}` occurs nowhere in the tree, in no form"),
            &[],
        ),
        false => Unsettled::unknown(format!("no declaration of `--{flag}` was found")).with(&near),
    })
}

/// Returns the forms of a flag in code: `dry-run`, `dry_run`, `dryRun`, `DryRun`, `DRY_RUN`.
fn forms(flag: &str) -> Vec<String> {
    // `--no-color` may be declared as `color`, whose negation a library adds.
    let bare = flag.strip_prefix("no-").filter(|rest| !rest.is_empty());
    let bare = bare.unwrap_or(flag);
    let first = |part: &str, change: fn(&char) -> char| {
        let mut letters = part.chars();
        let first = letters.next().map(|letter| change(&letter));
        first.into_iter().chain(letters).collect::<String>()
    };
    let upper = |part: &str| first(part, char::to_ascii_uppercase);
    let humps: String = bare.split('-').map(upper).collect();
    let small = first(&humps, char::to_ascii_lowercase);
    let snake = bare.replace('-', "_");
    vec![bare.to_owned(), snake.to_uppercase(), snake, humps, small]
}

/// Reports whether a claim names a flag, which no form of the older way reads.
pub(crate) fn has_flag(claim: &Claim) -> bool {
    (0..2).filter_map(|number| claim.text(number)).any(is_flag)
}

/// Returns the text by which the history of a flag is searched: the literal of its declaration, or
/// the name of the field that makes it. `None` if the text is no flag, or if nothing declares it.
pub(crate) fn written(text: &str, desk: &Desk<'_, '_>) -> Option<String> {
    let flag = text.strip_prefix("--").filter(|_| is_flag(text))?;
    let claim = Claim::new(&names::DEFINES, Vec::new());
    let (spots, _) = places(flag, &claim, desk).ok()?;
    let spot = spots.first()?;
    let source = desk.tree.text(&spot.path)?;
    let line = source.lines().nth(spot.line.saturating_sub(1) as usize)?;
    let is_word = flag.contains('-');
    Some(match literal(line, flag) {
        Some((start, end)) if line[start..end].contains("--") => text.to_owned(),
        // A flag of one word (`watch`) is searched with its quotation marks, to match no other use
        // of the word.
        Some((start, _)) if !is_word => {
            let quote = &line[start..=start];
            format!("{quote}{flag}{quote}")
        }
        Some(_) => flag.to_owned(),
        None => flag.replace('-', "_"),
    })
}

/// Lists where the text of a flag occurs outside of documents.
fn standing(flag: &str, claim: &Claim, desk: &Desk<'_, '_>) -> SettleResult {
    let mut spots = Vec::new();
    let is_code = |role| !matches!(role, FileRole::Documentation | FileRole::Data);
    each_file(claim, desk, &is_code, &mut |file, text| {
        for (at, line) in text.lines().enumerate() {
            if stands(line, flag) || declares(line, flag) {
                spots.push(spot(file.as_str(), at, "the text of the flag"));
            }
        }
    })?;
    if spots.is_empty() {
        return Err(absent(flag, claim, desk)?);
    }
    let holds = (claim.quantifier == Quantifier::Any).then_some(true);
    let word = if holds.is_some() { "Yes: the" } else { "The" };
    let told = format!(
        "{word} text of `--{flag}` is on {}:",
        counted(spots.len(), "line")
    );
    let why = "what the code makes of its value under another name is not followed";
    let settled = settled(holds, desk.section(told, &spots, 1), why);
    Ok(Settled {
        level: ConfidenceLevel::Medium,
        ..settled
    })
}

/// Reports whether a line has a flag with its dashes, as a word of its own.
fn stands(line: &str, flag: &str) -> bool {
    let whole = format!("--{flag}");
    line.match_indices(&whole).any(|(at, _)| {
        let is_part = |letter: char| letter.is_alphanumeric() || "-_".contains(letter);
        let after = line[at + whole.len()..].chars().next();
        !line[..at].ends_with(is_part) && !after.is_some_and(is_part)
    })
}

/// Reports whether a file is one that a text names, or is in a folder that it names.
fn is_inside(file: &RepoPath, text: &str, desk: &Desk<'_, '_>) -> bool {
    let folders = desk.tree.folders_of(text);
    let below = |folder: &String| file.as_str().starts_with(&format!("{folder}/"));
    desk.tree.files_of(text).contains(&file) || folders.iter().any(below)
}

/// Calls with each file of the scope whose role is wanted, and with its text.
fn each_file(
    claim: &Claim,
    desk: &Desk<'_, '_>,
    wants: &dyn Fn(FileRole) -> bool,
    on_file: &mut dyn FnMut(&RepoPath, &str),
) -> Result<(), Unsettled> {
    let (inside, mut bytes) = (&claim.scope.inside, 0);
    if !claim.scope.outside.is_empty() {
        return Err(Unsettled::unknown(
            "a flag is not looked for with parts of the tree left out",
        ));
    }
    let is_test = |role| matches!(role, FileRole::Test | FileRole::Bench | FileRole::Fixture);
    let is_of_tests = |role| match claim.scope.tests {
        Tests::Count => wants(role),
        Tests::Inside => is_test(role),
        Tests::Outside => wants(role) && !is_test(role),
    };
    for file in &desk.tree.files {
        let is_asked = inside.is_empty() || inside.iter().any(|text| is_inside(file, text, desk));
        if !is_asked || !is_of_tests(role::of(file)) {
            continue;
        }
        // An unread file may declare the flag, or give it another default.
        let Some(source) = desk.tree.text(file.as_str()) else {
            let why = format!("`{}` was not read, and may declare the flag", file.as_str());
            return Err(Unsettled::unknown(why));
        };
        bytes += source.len() as u64;
        if bytes > BYTES_MAX {
            let why = "the tree is too large to look for the declaration of a flag";
            return Err(Unsettled::unknown(why));
        }
        on_file(file, &source);
    }
    Ok(())
}

/// Returns the places in code that declare a flag, each with the line of its default if one gives
/// it.
fn declared(
    flag: &str,
    claim: &Claim,
    desk: &Desk<'_, '_>,
    is_one: &dyn Fn(&[&str], usize) -> bool,
) -> Result<Vec<(SettledSpot, Option<SettledSpot>)>, Unsettled> {
    let field = format!("{}:", flag.replace('-', "_"));
    let mut found = Vec::new();
    each_file(
        claim,
        desk,
        &|role| role == FileRole::Source,
        &mut |file, source| {
            if !source.contains(flag) && !source.contains(&field) {
                return;
            }
            let lines: Vec<&str> = source.lines().collect();
            for at in 0..lines.len() {
                if is_one(&lines, at) || is_field(&lines, at, &field) {
                    // A call has its default beside the flag; a field has it in an attribute above.
                    let given = match is_one(&lines, at) {
                        true => default_of(&lines, at, flag),
                        false => default_of_field(&lines, at),
                    };
                    let given = given.map(|at| spot(file.as_str(), at, "default of the flag"));
                    found.push((spot(file.as_str(), at, "the flag"), given));
                }
            }
        },
    )?;
    Ok(found)
}

/// Returns the places that declare a flag, one for each declaration, and whether a library of
/// command lines declares it.
fn places(
    flag: &str,
    claim: &Claim,
    desk: &Desk<'_, '_>,
) -> Result<(Vec<SettledSpot>, bool), Unsettled> {
    let surely = |lines: &[&str], at: usize| is_declaration(lines, at, flag);
    let compared =
        |lines: &[&str], at: usize| is_comparison(lines[at], flag) || is_usage(lines[at], flag);
    let mut found = declared(flag, claim, desk, &surely)?;
    let is_sure = !found.is_empty();
    // `arg == "--watch"` or a usage text declares a flag only if no library does.
    if !is_sure {
        found = declared(flag, claim, desk, &compared)?;
    }
    let mut spots: Vec<SettledSpot> = Vec::new();
    for (spot, _) in found {
        let is_same = |last: &SettledSpot| {
            last.path == spot.path && spot.line.abs_diff(last.line) <= SAME_LINES_MAX
        };
        if !spots.last().is_some_and(is_same) {
            spots.push(spot);
        }
    }
    Ok((spots, is_sure))
}

/// Returns a decision at High, or at Medium if something speaks against it.
fn settled(holds: Option<bool>, section: crate::answer::AnswerSection, because: &str) -> Settled {
    Settled::told(holds, section).at(
        match because.is_empty() {
            true => ConfidenceLevel::High,
            false => ConfidenceLevel::Medium,
        },
        because.to_owned(),
    )
}

fn spot(path: &str, at: usize, what: &str) -> SettledSpot {
    SettledSpot::line(path, u32::try_from(at + 1).unwrap_or(u32::MAX), what)
}

/// Reports whether a line has the flag as a literal of its own: `"max-line"`, `'--max-line <n>'`,
/// `"--[no-]color"`.
fn declares(line: &str, flag: &str) -> bool {
    let mut from = 0;
    while let Some(at) = line[from..].find(flag).map(|at| from + at) {
        let before = line[..at].trim_end_matches("[no-]");
        let is_long = before.ends_with("--");
        let before = before.trim_end_matches('-');
        let after = &line[at + flag.len()..];
        let is_opened = before.ends_with(['"', '\'', '`', ' ', ',']);
        // In `"-m, --max-line <n>"` the quote is before the short form, so the dashes have to be
        // there.
        let is_quoted = before.ends_with(['"', '\'', '`']);
        if is_opened
            && (is_quoted || is_long)
            && after.starts_with(['"', '\'', '`', ' ', '=', '[', '<'])
        {
            return line.contains(['"', '\'', '`']);
        }
        from = at + flag.len();
    }
    false
}
