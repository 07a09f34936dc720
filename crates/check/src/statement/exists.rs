//! A file or a flag that does something is here.

use super::{Arguments, Predicate, at, contradicted, unknown};
use crate::code::Code;
use crate::lookup::forms_of_flag;
use crate::verdict::ClaimVerdict;

pub(super) const EXISTS: Predicate = Predicate {
    name: "exists",
    frames: &[concat!(
        r"^(?:the )?(?:file |module |script |test |new )*{path},? (?:now |also |still )?",
        r"(?:is|has|[a-z]{2,11}[b-z]s|[a-z]{2,11}es) ",
    )],
    words: |_| Vec::new(),
    decide: file,
};

pub(super) const FLAG: Predicate = Predicate {
    name: "flag",
    frames: &[
        r"^there is (?:now |also )?an? (?:new )?{a} (?:flag|option|switch)",
        concat!(
            r"(?:switched (?:on|off)|turned (?:on|off)|enabled|disabled|controlled|overridden|",
            r"skipped|suppressed|changed|configured|selected) (?:with|by|via|through|using)",
            r"(?: the)? {a}(?: flag| option| switch)?(?:$|[.,;])",
        ),
        concat!(
            r"(?:command|subcommand|cli|binary|tool|program|script)s? (?:also )?(?:accepts?|",
            r"takes?|supports?|has|knows?|understands?) (?:the |an? )?{a}(?: flag| option|",
            r" switch)?(?:$|[.,; ])",
        ),
        r"on the command line (?:with|by|via|through|using)(?: the)? {a}(?: flag| option| switch)?(?:$|[.,; ])",
        concat!(
            r"(?:the )?«\d+» (?:sub)?command (?:also |now )?(?:accepts|takes|supports|has|knows|",
            r"understands) (?:the |an? )?{a}(?: flag| option| switch)?(?:$|[.,; ])",
        ),
        r"«\d+» (?:accepts|takes|supports|has|knows|understands) (?:the |an? )?{a}(?: flag| option| switch)?(?:$|[.,; ])",
    ],
    words: |said| {
        let flag = said.get("a");
        spellings(flag)
            .into_iter()
            .chain(forms_of_flag(flag))
            .collect()
    },
    decide: flag,
};

/// Decides a file. One below a folder of the tree must be here; other paths may be of another
/// place.
fn file(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let Some((path, _)) = said.path("a").filter(|(path, _)| path.contains('/')) else {
        return unknown("it is no path");
    };
    let path = path.trim_start_matches('/');
    if code.facts.folders.contains(path) {
        return ClaimVerdict::Holds(at(path, 0, ""));
    }
    if let Some(file) = code.file_at(path) {
        return ClaimVerdict::Holds(at(&file, 0, ""));
    }
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    // `file_at` finds nothing as well if several files end so.
    let end = format!("/{path}");
    if code.facts.files.iter().any(|file| file.ends_with(&end)) {
        return unknown("several files end so");
    }
    if code.facts.folders.contains(folder) && path.contains('.') {
        return contradicted(format!("there is no file `{path}`"), [at(folder, 0, "")]);
    }
    unknown(format!("there is no `{path}` here"))
}

/// Decides a flag. A program that reads flags of its own must have it in one of its forms.
fn flag(said: &Arguments, code: &Code<'_, '_>) -> ClaimVerdict {
    let flag = said.get("a").split(['=', ' ']).next().unwrap_or_default();
    if !flag.starts_with("--") || flag.len() < 4 {
        return unknown("it is no long flag");
    }
    let shown = spellings(flag)
        .iter()
        .find_map(|form| code.facts.sighting(form).cloned());
    if let Some(place) = shown {
        return ClaimVerdict::Holds(at(place.path.as_str(), place.line as usize, ""));
    }
    // A parser may derive `--no-x` from `--x`, and a plain word may be read as a flag by its field
    // alone.
    let bare = flag.trim_start_matches('-');
    let bare = bare.strip_prefix("no-").unwrap_or(bare);
    let is_plain = flag.trim_start_matches('-') == bare;
    let reads_it = code.uses(bare).unwrap_or_default().iter().any(|one| {
        is_plain
            || ["\"", "'", "--"]
                .iter()
                .any(|mark| one.text.contains(&format!("{mark}{bare}")))
    });
    if reads_it {
        return unknown(format!("code has `{bare}`, and may read `{flag}` by it"));
    }
    contradicted(format!("no code here has `{flag}` in any form"), [])
}

/// Returns the forms of a flag that hardly mean anything else: with its dashes, or of several
/// words.
fn spellings(flag: &str) -> Vec<String> {
    let whole = flag.trim_start_matches('-').replace('-', "_");
    let forms = forms_of_flag(&format!("--{whole}"));
    let several = |form: &String| form.starts_with("--") || whole.contains('_');
    let marked = [flag.to_owned(), flag.trim_start_matches('-').to_owned()];
    let mut all: Vec<String> = marked.into_iter().chain(forms).filter(several).collect();
    all.extend(humps(&whole).filter(|_| whole.contains('_')));
    all
}

/// Returns `dry_run` as `dryRun` and `DryRun`.
fn humps(whole: &str) -> impl Iterator<Item = String> {
    let forms = forms_of_flag(&format!("--x-{}", whole.replace('_', "-")));
    forms
        .into_iter()
        .filter_map(|form| form.strip_prefix(['x', 'X']).map(str::to_owned))
}
