//! Which of some names the files of the reviewed side contain at all, in one pass over them. A name
//! that no file contains is not called. A name also counts as mentioned if code builds it from its
//! parts.

use std::collections::BTreeSet;

use regex::Regex;
use regex::bytes::RegexSet;

use super::report::Unread;
use super::stated::World;

/// Number of bytes that a part of a name must exceed for names that are built from it to be
/// searched.
const PART_BYTES_MIN: usize = 3;

/// Returns the names that occur in a file of the reviewed side, among the wanted files.
///
/// # Errors
/// The reason that not all files could be read: then no name is known to be missing.
pub(crate) fn among(
    world: &dyn World,
    names: &[String],
    is_wanted: &dyn Fn(&str) -> bool,
    bytes_max: usize,
) -> Result<BTreeSet<String>, Unread> {
    let mut found = BTreeSet::new();
    if names.is_empty() {
        return Ok(found);
    }
    let patterns: Vec<String> = names.iter().map(|name| pattern(name)).collect();
    let look = RegexSet::new(&patterns)
        .map_err(|error| Unread::bound(format!("the new names cannot be looked for: {error}")))?;
    let paths = world.paths()?;
    let wanted: Vec<&str> = paths
        .iter()
        .map(String::as_str)
        .filter(|path| is_wanted(path))
        .collect();
    let mut bytes_read = 0;
    world.each(&wanted, &mut |_, bytes| {
        bytes_read += bytes.len();
        found.extend(look.matches(bytes).into_iter().map(|at| names[at].clone()));
        bytes_read <= bytes_max && found.len() < names.len()
    })?;
    match bytes_read > bytes_max && found.len() < names.len() {
        true => Err(Unread::bound(format!(
            "the files of the tree have more than {bytes_max} bytes (mentions_bytes_max)"
        ))),
        false => Ok(found),
    }
}

/// Reports whether a text builds a name from its parts.
pub(crate) fn is_put_together(text: &str, name: &str) -> bool {
    let parts = parts(name).join("|");
    // If the pattern is too large, the name counts as built: it may be meant.
    !parts.is_empty() && Regex::new(&parts).map_or(true, |look| look.is_match(text))
}

/// Returns a pattern for a name as a whole word, or for a part of it next to the end of a text or a
/// mark that joins texts: `"visit_" + kind`, `f"on_{event}"`, `do_ ## name`.
fn pattern(name: &str) -> String {
    let whole = format!(r"(?-u:\b){}(?-u:\b)", regex::escape(name));
    std::iter::once(whole)
        .chain(parts(name))
        .collect::<Vec<String>>()
        .join("|")
}

/// Returns the patterns of the parts of a name, up to and from each underscore.
fn parts(name: &str) -> Vec<String> {
    let cuts = name.match_indices('_').map(|(at, _)| at);
    let parts = cuts.flat_map(|at| {
        // Of `visit_call` these are `visit_` and `_call`.
        let (before, behind) = (&name[..=at], &name[at..]);
        let first = (before.len() > PART_BYTES_MIN).then(|| {
            format!(
                r##"(?-u:\b){}(?:["'`{{%$]|#\{{| *\#\#)"##,
                regex::escape(before)
            )
        });
        let last = (behind.len() > PART_BYTES_MIN).then(|| {
            format!(
                r##"(?:[}}"'`]|%s|\#\# *){}(?-u:\b)"##,
                regex::escape(behind)
            )
        });
        first.into_iter().chain(last)
    });
    parts.collect()
}

#[cfg(test)]
mod tests {
    use super::pattern;

    #[test]
    fn a_name_is_known_whole_and_in_parts() {
        let is_match = |name: &str, text: &str| {
            regex::Regex::new(&pattern(name))
                .expect("a pattern")
                .is_match(text)
        };
        for text in [
            "visit_call(x)",
            "getattr(self, 'visit_' + kind)",
            "getattr(self, f\"visit_{kind}\")",
            "send(\"visit_#{kind}\")",
            "#define F(n) visit_ ## n",
            "G(x ## _call)",
            "`${kind}_call`",
        ] {
            assert!(is_match("visit_call", text), "{text}");
        }
        for text in ["revisit_call()", "visit_calls", "visit_ and _call", "call"] {
            assert!(!is_match("visit_call", text), "{text}");
        }
    }
}
