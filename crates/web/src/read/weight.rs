//! Estimates the work that the tags of a page make, before it is parsed. By the rules of HTML, some
//! pages of a few megabytes grow without a bound: each block opens again all emphasis that was
//! never closed, and each tag looks through all open elements. No page for people comes near the
//! bounds.

use std::collections::HashMap;

/// Maximum number of elements that are open at once.
const OPEN_MAX: usize = 5_000;
/// Maximum number of looks at open elements, over all tags.
const LOOKS_MAX: usize = 200_000_000;
/// Maximum number of elements of emphasis that blocks open again, over all tags.
const REOPENED_MAX: usize = 1_000_000;
/// Maximum number of attributes of one tag: a parser compares each with all before it.
const ATTRIBUTES_MAX: usize = 5_000;
/// Maximum number of bytes of a name.
const NAME_BYTES_MAX: usize = 20;

/// Elements that a block opens again if they were not closed.
const EMPHASIS: [&str; 14] = [
    "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
];

/// Elements that have no end, or whose end is often left out.
const WITHOUT_END: [&str; 32] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "p", "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option",
    "optgroup", "rt", "rp", "colgroup", "path", "html", "body",
];

/// Returns the bound that a page would pass when it is parsed, with its value; `None` if it can be
/// parsed. More elements are open at once than `depth_max` allows only if they are in each other.
pub(super) fn passed(source: &str, depth_max: usize) -> Option<(&'static str, usize)> {
    let mut open: HashMap<String, usize> = HashMap::new();
    let (mut open_count, mut emphasis_count) = (0_usize, 0_usize);
    let (mut looks, mut reopened) = (0_usize, 0_usize);
    for tag in source.split('<').skip(1) {
        let (is_end, rest) = tag
            .strip_prefix('/')
            .map_or((false, tag), |rest| (true, rest));
        let length = rest
            .bytes()
            .take(NAME_BYTES_MAX)
            .take_while(u8::is_ascii_alphanumeric)
            .count();
        let name = rest[..length].to_ascii_lowercase();
        // Counted as if each tag were a block: an overestimate, which pages for people do not
        // reach.
        looks += open_count;
        reopened += emphasis_count;
        if attributes_count(&rest[length..]) > ATTRIBUTES_MAX && !name.is_empty() {
            return Some(("attributes_max", ATTRIBUTES_MAX));
        }
        if name.is_empty() || WITHOUT_END.contains(&name.as_str()) {
            continue;
        }
        let is_emphasis = EMPHASIS.contains(&name.as_str());
        let known = open.entry(name).or_default();
        if !is_end {
            *known += 1;
            open_count += 1;
            emphasis_count += usize::from(is_emphasis);
        } else if *known > 0 {
            // An end tag without an open element of its name closes nothing.
            *known -= 1;
            open_count -= 1;
            emphasis_count -= usize::from(is_emphasis);
        }
        let passed = [
            (open_count > OPEN_MAX, "depth_max", depth_max),
            (looks > LOOKS_MAX, "looks_max", LOOKS_MAX),
            (reopened > REOPENED_MAX, "reopened_max", REOPENED_MAX),
        ];
        if let Some((_, bound, most)) = passed.into_iter().find(|(is_passed, ..)| *is_passed) {
            return Some((bound, most));
        }
    }
    None
}

/// Counts the words between a name and the end of its tag that are not inside quotes.
fn attributes_count(tag: &str) -> usize {
    let (mut quote, mut count, mut before) = (None, 0, b'x');
    for byte in tag.bytes() {
        match (quote, byte) {
            (None, b'>') => break,
            // A quotation mark opens a value only after `=`; elsewhere it is a part of a name.
            (None, b'"' | b'\'') if before == b'=' => quote = Some(byte),
            // In `<a/b/c>` the slashes separate attributes.
            (None, byte) if byte.is_ascii_whitespace() || byte == b'/' => {
                count += usize::from(!before.is_ascii_whitespace())
            }
            (Some(open), byte) if byte == open => quote = None,
            (None | Some(_), _) => {}
        }
        before = byte;
    }
    count
}
