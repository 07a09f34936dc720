//! Decides names of code: whether a name is here, or how the project's own definition of it went.

use grounds_evidence::FileRole;
use grounds_repo::history::{GoneWord, import_root};
use grounds_repo::path::file_name;
use grounds_syntax::languages;

use super::owned::lacking;
use super::place;
use crate::claim::{TextClaim, ThingKind};
use crate::code::whole_words;
use crate::document::CheckedDocument;
use crate::extract::spanned;
use crate::facts::Facts;
use crate::foreign::is_record;
use crate::lookup::{halves, prefixes};
use crate::mention::MentionContext;
use crate::near::{near, near_miss, words};
use crate::platform;
use crate::verdict::{ClaimVerdict, Evidence};

pub(super) fn symbol(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> ClaimVerdict {
    if let Some(sighting) = facts.sighting(&claim.name) {
        return ClaimVerdict::Holds(place(sighting));
    }
    // A definition that was here says more than that the name could be put together.
    let was_defined = facts
        .gone_word(&claim.name)
        .is_some_and(|gone| gone.was_defined || is_condition(claim, &gone.line));
    if let Some(gone) = gone_word(claim, document, facts)
        && (was_defined || !is_composed(claim, facts))
    {
        return gone;
    }
    // A name that never was here accuses nobody, whoever is said to own it.
    match near_miss(claim, facts) {
        Some(slip) => slip,
        None if is_composed(claim, facts) => {
            ClaimVerdict::Unknown("the code may put this name together".to_owned())
        }
        None => lacking(claim, facts).unwrap_or(ClaimVerdict::NotFound),
    }
}

pub(super) fn variable(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> ClaimVerdict {
    match symbol(claim, document, facts) {
        verdict if verdict.accuses() && platform::reads(&claim.name) => {
            ClaimVerdict::Unknown("libraries and platforms read it by themselves".to_owned())
        }
        verdict if verdict.accuses() && is_begun_in_text(claim, facts) => {
            ClaimVerdict::Unknown("the code puts this name together".to_owned())
        }
        verdict @ (ClaimVerdict::Holds(_) | ClaimVerdict::Gone { .. }) => verdict,
        // Settings may be named in small letters and be read in capitals: `thing_mode` as
        // `THING_MODE`.
        _ if facts.sighting(&claim.name.to_ascii_lowercase()).is_some() => {
            ClaimVerdict::Unknown("the code may put this name together".to_owned())
        }
        verdict => verdict,
    }
}

/// Reports whether code has the beginning of a name as a string of its own: `"TASK_" + key`. A
/// macro is written as a whole, so its name is never put together.
fn is_begun_in_text(claim: &TextClaim, facts: &Facts<'_>) -> bool {
    let marks = ["#define", "#if", "defined("];
    let is_macro = |gone: &GoneWord| marks.iter().any(|mark| gone.line.contains(mark));
    if facts.gone_word(&claim.name).is_some_and(is_macro) {
        return false;
    }
    prefixes(&claim.name).iter().any(|prefix| {
        let text = facts
            .sighting(prefix)
            .and_then(|place| facts.text(place.path.as_str()));
        let is_string = |text: String| {
            let ends = ['"', '\'', '`', '{', '$', '%'];
            ends.iter()
                .any(|end| text.contains(&format!("{prefix}{end}")))
        };
        text.is_some_and(is_string)
    })
}

/// Reports whether code has the beginning of a name up to an underscore as a word of its own, or
/// both parts of it.
pub(super) fn is_composed(claim: &TextClaim, facts: &Facts<'_>) -> bool {
    prefixes(&claim.name)
        .iter()
        .any(|prefix| facts.sighting(prefix).is_some())
        || halves(&claim.name)
            .iter()
            .any(|(head, tail)| facts.sighting(head).is_some() && facts.sighting(tail).is_some())
}

pub(super) fn gone_word(
    claim: &TextClaim,
    document: &CheckedDocument,
    facts: &Facts<'_>,
) -> Option<ClaimVerdict> {
    let gone = facts.gone_word(&claim.name)?;
    // What documents did not speak of while the code had it is hardly what they speak of now.
    let is_shown = was_ours(claim, gone) && facts.was_spoken_of(&claim.name, document);
    if !is_shown || is_of_another(claim, gone, facts) || is_alone_in_example(claim, gone) {
        return None;
    }
    Some(ClaimVerdict::Gone {
        closest: gone
            .replaced_by
            .clone()
            .or_else(|| near(&claim.name, facts)),
        evidence: Evidence::Commit {
            hash: gone.commit.clone(),
            date: gone.date.clone(),
            path: gone.path.clone(),
            text: gone.line.clone(),
        },
    })
}

/// Reports whether an example has a name alone that no commit renamed: it may as well make the
/// name, or take it from elsewhere. A line that imports the name says whose it is.
fn is_alone_in_example(claim: &TextClaim, gone: &GoneWord) -> bool {
    let new = gone.replaced_by.as_deref();
    let is_renamed = new.is_some_and(|new| is_renaming(&claim.name, new));
    is_in_example(claim)
        && claim.owners.is_empty()
        && !is_renamed
        && import_root(&claim.around).is_none()
}

/// Reports whether a name belonged to the project's own code.
fn was_ours(claim: &TextClaim, gone: &GoneWord) -> bool {
    // What only data or a build file ever named may be anybody's: a package, a path of a machine.
    let is_of_code = matches!(gone.role, FileRole::Source | FileRole::Header)
        && (claim.kind != ThingKind::Symbol || is_program(&gone.path));
    // What a line only calls or asks for a part may be of the language.
    let is_call = ["(", ".", "<", "::"]
        .iter()
        .any(|mark| gone.line.contains(&format!("{}{mark}", claim.name)));
    let is_renamed =
        |new: &str| !is_in_example(claim) || (is_renaming(&claim.name, new) && !is_call);
    // A name that the code only ever used belongs to a library or to the language.
    let was_made = gone.was_defined
        || gone.replaced_by.as_deref().is_some_and(is_renamed)
        || is_text_of_code(claim, &gone.line)
        || is_condition(claim, &gone.line)
        || is_parameter(claim, &gone.line);
    match claim.kind {
        ThingKind::Symbol => is_of_code && was_made,
        // A list may name what libraries read: a line with `"KIT_INLINE_CACHE",` alone defines
        // nothing.
        ThingKind::Variable => was_made && !is_listed(&gone.line),
        // A record of versions, `changelog.d/pr-1`, speaks of flags and reads none.
        ThingKind::Flag if is_record(&gone.path) => false,
        ThingKind::Flag => {
            is_of_code && !is_given(&claim.name, &gone.line) && !is_of_helper(&gone.path)
        }
        _ => true,
    }
}

/// Reports whether a line is that of one parameter or field with its type, `limit: int = 3,`, which
/// a code span names.
fn is_parameter(claim: &TextClaim, line: &str) -> bool {
    let rest = line.trim_start().strip_prefix(claim.name.as_str());
    let is_typed =
        rest.is_some_and(|rest| rest.starts_with(": ") && rest.trim_end().ends_with(','));
    // A line with quotation marks or a brace is a key of a literal: `keep_all: { a: 1 },`.
    is_typed && claim.context == MentionContext::Span && !line.contains(['"', '\'', '{'])
}

/// Reports whether a line asks whether the reader has defined a macro: no code puts such a name
/// together.
fn is_condition(claim: &TextClaim, line: &str) -> bool {
    let bare = line.trim_start().strip_prefix('#').map(str::trim_start);
    let is_asked = bare.is_some_and(|bare| bare.starts_with("if") || bare.starts_with("elif"));
    claim.kind == ThingKind::Variable && is_asked && whole_words(line, &claim.name).next().is_some()
}

/// Reports whether something speaks for another name of the same letters, or for a text that knows
/// of the change.
fn is_of_another(claim: &TextClaim, gone: &GoneWord, facts: &Facts<'_>) -> bool {
    // A line with the name and its successor tells of the change.
    let names_both = gone.replaced_by.as_deref().is_some_and(|new| {
        let line = claim.around.lines().find(|line| line.contains(&claim.name));
        line.is_some_and(|line| whole_words(line, new).next().is_some())
    });
    // Running text has names of products.
    claim.context == MentionContext::Prose
        || names_both
        || is_comment(&gone.line)
        || is_made_of_another(&claim.name, &gone.line)
        || gone.moved_out
        || has_moved_out(&gone.path, facts)
        || is_of_namesake(claim, &gone.path, facts)
        || facts.spells_with_humps(&claim.name)
        || is_file(&claim.name, facts)
        || is_of_unknown(claim, facts)
        // What went to a package that the project depends on now is that package's.
        || (claim.kind == ThingKind::Symbol && gone.taken_in.is_some())
        // `jest.config.js` names the settings of a tool.
        || gone.path.contains(".config.")
        || is_brought_in(&gone.line, facts)
        || is_of_readers_object(claim, &gone.path)
        || is_of_another_language(claim, &gone.path)
        // Code that compares in small letters still knows the name: `"collisiondetection"`.
        || facts.sighting(&claim.name.to_ascii_lowercase()).is_some()
        // `set_int`, `set_bool` and `set_size` make `set` the name of a family, not of one thing.
        || facts.names_begun_with(&claim.name) >= FAMILY
}

/// Reports whether a definition only continues a type that another package calls the same: `class
/// Filter(OtherFilter)`.
fn is_made_of_another(name: &str, line: &str) -> bool {
    let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut words = line.split(|letter: char| !is_word(letter));
    name.starts_with(char::is_uppercase)
        && line.contains(&format!("{name}("))
        && words.any(|word| word != name && word.ends_with(name))
}

/// Reports whether a file of code has a name, so that the file may be meant: `git_helper` of
/// `git_helper.rb`.
fn is_file(name: &str, facts: &Facts<'_>) -> bool {
    let mut files = facts.files.iter().filter(|path| is_program(path));
    files.any(|path| {
        let last = file_name(path);
        last.split('.').next() == Some(name)
    })
}

/// Reports whether a line imports from a package that the tree has nothing of.
fn is_brought_in(line: &str, facts: &Facts<'_>) -> bool {
    import_root(line).is_some_and(|root| {
        let is_named = |path: &String| {
            let name = file_name(path);
            name.split('.').next() == Some(root)
        };
        !facts.folders.iter().chain(&facts.files).any(is_named)
    })
}

/// Reports whether two names share a word. A name that replaced a quite different one may be of
/// another library.
fn is_renaming(old: &str, new: &str) -> bool {
    let (old, new) = (words(old), words(new));
    // Short words such as `of` and `to` are in too many names.
    old.iter().any(|word| word.len() > 2 && new.contains(word))
}

/// Reports whether only a helper script had a name that an example in a compiled language has.
fn is_of_another_language(claim: &TextClaim, path: &str) -> bool {
    let (ThingKind::Symbol, MentionContext::Fence(written)) = (claim.kind, &claim.context) else {
        return false;
    };
    let of_example = languages::ALL.iter().find(|language| {
        language.name.eq_ignore_ascii_case(written)
            || language.extensions.contains(&written.as_str())
    });
    let is_script = |name: &str| matches!(name, "Python" | "Bash" | "Perl");
    match (of_example, languages::of_name(path)) {
        (Some(of_example), Some(of_file)) => is_script(of_file.name) && !is_script(of_example.name),
        _ => false,
    }
}

/// Reports whether an example asks an object for the name that is not the project's: `self`, or one
/// that no code here has.
fn is_of_unknown(claim: &TextClaim, facts: &Facts<'_>) -> bool {
    claim.owners.first().is_some_and(|owner| {
        is_in_example(claim)
            && (owner == "self" || owner == "this" || facts.sighting(owner).is_none())
    })
}

/// Reports whether an example asks a variable of its own for the name. Only a variable called like
/// the file of the definition tells whose it is: `client` of `src/Client.php`.
fn is_of_readers_object(claim: &TextClaim, path: &str) -> bool {
    let name = file_name(path);
    let plain = |text: &str| text.replace(['_', '-'], "").to_ascii_lowercase();
    let stem = plain(name.split('.').next().unwrap_or(name));
    is_in_example(claim)
        && claim.owners.last().is_some_and(|owner| {
            let plain = plain(owner);
            owner.starts_with(char::is_lowercase)
                && plain.len() > 1
                && !stem.contains(&plain)
                && !plain.contains(&stem)
                && !path.split('/').any(|folder| folder == owner.as_str())
        })
}

/// Reports whether a claim is of a name in an example.
pub(super) const fn is_in_example(claim: &TextClaim) -> bool {
    matches!(
        (&claim.kind, &claim.context),
        (ThingKind::Symbol, MentionContext::Fence(_))
    )
}

/// Reports whether a file is code by its name: a document may have no ending.
fn is_program(path: &str) -> bool {
    let name = file_name(path);
    languages::of_file(name, b"").is_some()
}

/// Names with the same beginning from which on it is that of a family.
const FAMILY: usize = 3;

/// Reports whether the whole folder at the top that had a name went. Its content may be in a
/// repository of its own.
fn has_moved_out(path: &str, facts: &Facts<'_>) -> bool {
    path.split_once('/')
        .is_some_and(|(top, _)| !facts.folders.contains(top))
}

/// Reports whether the file of a type went and code still has a type of its name, which is then of
/// another package: `Strings.trim` of `Strings.java`.
fn is_of_namesake(claim: &TextClaim, path: &str, facts: &Facts<'_>) -> bool {
    let name = file_name(path);
    let stem = name.split('.').next().unwrap_or(name);
    claim.owners.last().is_some_and(|owner| {
        owner == stem && !facts.files.contains(path) && facts.sighting(owner).is_some()
    })
}

/// Reports whether a line is a comment or an example in one, which defines nothing.
fn is_comment(line: &str) -> bool {
    let line = line.trim_start();
    [">>>", "...", "//", "* ", "/*", "# ", "..", "\"\"\""]
        .iter()
        .any(|mark| line.starts_with(mark))
}

/// Reports whether code had a name as a string, and the document writes it as code. Products have
/// such names too, and a member in an example is not an option.
fn is_text_of_code(claim: &TextClaim, line: &str) -> bool {
    let is_member = is_in_example(claim) && !claim.owners.is_empty();
    // The files of an example have keys and texts of whatever reads them.
    let is_data = matches!(&claim.context, MentionContext::Fence(language) if DATA.contains(&language.as_str()));
    !matches!(claim.context, MentionContext::Prose)
        && !is_member
        && !is_data
        && !is_in_message(claim)
        && !is_asked_of_another(line)
        && is_quoted(line, &claim.name)
}

/// Reports whether a line asks something else for a name that it has as a string: `hasattr(socket,
/// "inet_pton")`.
fn is_asked_of_another(line: &str) -> bool {
    let marks = ["hasattr(", "getattr(", "respond_to?", "defined?("];
    marks.iter().any(|mark| line.contains(mark))
}

/// Languages of examples that are data.
const DATA: &[&str] = &["yaml", "yml", "json", "json5", "jsonc", "xml", "html"];

/// Reports whether a code span is what a program prints, with a name in it: `failed to list:
/// AccessDenied`.
fn is_in_message(claim: &TextClaim) -> bool {
    let mut spans = spanned(&claim.around);
    claim.context == MentionContext::Span
        && spans.any(|span| {
            span.contains(&claim.name)
                && span.contains(": ")
                && span.split_whitespace().count() >= MESSAGE_WORDS
        })
}

/// Words from which on a code span with a colon is a message.
const MESSAGE_WORDS: usize = 4;

/// Reports whether a file is a helper script of the project, which passes flags to programs.
fn is_of_helper(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|folder| matches!(folder, "scripts" | "script" | "hack" | "ci"))
}

/// Reports whether a line puts a value after a flag. Such a line passes the flag to another
/// program, while parsers name it alone.
fn is_given(flag: &str, line: &str) -> bool {
    let ends = ["=", "{", "%s", " {", " %s", " $", "=$"];
    ends.iter()
        .any(|end| line.contains(&format!("{flag}{end}")))
}

/// Reports whether a line has one string and nothing else, as in a list of names that others read.
fn is_listed(line: &str) -> bool {
    let bare = line.trim().trim_end_matches(',').trim_end();
    let inner = bare.trim_matches(['"', '\'']);
    inner.len() + 2 == bare.len() && !inner.contains(['"', '\''])
}

/// Reports whether a line has a name as a string of its own: an option, a key, a variable of the
/// environment.
fn is_quoted(line: &str, name: &str) -> bool {
    ['"', '\'']
        .iter()
        .any(|mark| line.contains(&format!("{mark}{name}{mark}")))
}
