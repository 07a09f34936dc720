//! The members of a large item, so that a class of a thousand lines is parsed as its head, the
//! method that matters, and its end.
//!
//! For a place in an item, returns the parts that a grammar needs to read the place, or the item
//! itself if it is small or no container. It parses nothing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::Range;

use super::{Cut, Scan, is_word};

/// Largest item, in bytes, that is parsed as a whole.
const ITEM_BYTES_MAX: usize = 4 << 10;
/// Most nested containers; deeper ones are parsed as a whole.
const DEPTH_MAX: usize = 4;

/// The containers of a text that were searched, by their place: each once, however many places are
/// in it.
pub(super) struct Members<'t> {
    cut: Cut,
    text: &'t [u8],
    bodies: HashMap<Range<usize>, Option<MemberBody>>,
}

impl<'t> Members<'t> {
    pub(super) fn of(cut: Cut, text: &'t [u8]) -> Self {
        Self {
            cut,
            text,
            bodies: HashMap::new(),
        }
    }

    /// Returns the parts of an item that a parse of the place needs, in order.
    pub(super) fn around(&mut self, item: Range<usize>, place: &Range<usize>) -> Vec<Range<usize>> {
        let mut parts = Vec::new();
        let mut rest = item;
        for _ in 0..DEPTH_MAX {
            let Some(cut) = self.member(&rest, place) else {
                break;
            };
            parts.extend([cut.head, cut.tail]);
            rest = cut.member;
        }
        parts.push(rest);
        parts.retain(|part| !part.is_empty());
        parts
    }

    /// Returns the member of a large container that contains a place.
    fn member(&mut self, item: &Range<usize>, place: &Range<usize>) -> Option<Parts> {
        if item.len() <= ITEM_BYTES_MAX {
            return None;
        }
        let body = match self.bodies.entry(item.clone()) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(free) => free.insert(body(self.cut, &self.text[item.clone()])),
        };
        body.as_ref()?.parts(item, place)
    }
}

/// A container that is split.
struct Parts {
    /// From its start to its first member.
    head: Range<usize>,
    /// The member that contains the place.
    member: Range<usize>,
    /// From the bracket that closes it; empty if the indent does.
    tail: Range<usize>,
}

fn body(cut: Cut, item: &[u8]) -> Option<MemberBody> {
    match cut {
        Cut::Rust | Cut::C | Cut::Java | Cut::Script => braced(cut, item),
        Cut::Python => indented(item),
        Cut::Go => None,
    }
}

impl MemberBody {
    /// Returns an item split around a place in it.
    fn parts(&self, item: &Range<usize>, place: &Range<usize>) -> Option<Parts> {
        let first = item.start + self.starts.first()?;
        let close = item.start + self.close;
        let (head, tail) = (item.start..first, close..item.end);
        // The place is in the head, so that no member is needed.
        if place.end <= head.end && !tail.is_empty() {
            return Some(Parts {
                member: head.end..head.end,
                head,
                tail,
            });
        }
        let number = self
            .starts
            .partition_point(|start| item.start + start <= place.start);
        let start = item.start + self.starts[number.checked_sub(1)?];
        let after = self.starts[number..].iter().map(|start| item.start + start);
        let end = after
            .into_iter()
            .find(|start| *start >= place.end)
            .unwrap_or(close);
        let is_inside = place.end <= end && end <= close;
        is_inside.then_some(Parts {
            head,
            member: start..end,
            tail,
        })
    }
}

/// The places at which the members of a container start, and at which it closes.
struct MemberBody {
    starts: Vec<usize>,
    close: usize,
}

/// Returns the body of a container in braces, or `None` if the item is no container, or no member
/// starts in it.
fn braced(cut: Cut, item: &[u8]) -> Option<MemberBody> {
    let mut scan = Scan::over(cut, item);
    let open = scan.pass_until(|scan| scan.depth == 1 && scan.last == b'{')?;
    if !is_container(cut, &item[..open]) {
        return None;
    }
    (scan.level, scan.starts) = (1, Vec::new());
    let close = scan.pass_until(|scan| scan.depth == 0)? - 1;
    (!scan.starts.is_empty()).then_some(MemberBody {
        starts: scan.starts,
        close,
    })
}

/// Reports whether the text before a bracket opens a container of items.
fn is_container(cut: Cut, head: &[u8]) -> bool {
    let words = || head.split(|byte| !is_word(*byte));
    let has =
        |known: &[&str]| words().any(|word| known.iter().any(|known| known.as_bytes() == word));
    match cut {
        Cut::Rust => {
            // The inside of a macro is no list of items, whatever word is before it.
            has(&["impl", "trait", "mod"]) && !has(&["fn", "macro_rules"]) && !head.contains(&b'!')
        }
        Cut::C => {
            has(&["class", "struct", "namespace"])
                && !has(&["enum"])
                // A parenthesis or `=` means a function or a value that has a struct in its type.
                && !head.iter().any(|byte| matches!(byte, b'(' | b'=' | b'#'))
        }
        Cut::Java => is_java_type(head),
        Cut::Script => {
            has(&["class", "interface", "namespace", "module"])
                && !head.iter().any(|byte| matches!(byte, b'=' | b'('))
        }
        Cut::Go | Cut::Python => false,
    }
}

/// Reports whether a class or an interface opens. Its word comes after the arguments of
/// annotations, where a method has at most what it throws. Constants of an enum cannot be left out.
fn is_java_type(head: &[u8]) -> bool {
    let after = memchr::memrchr(b')', head).map_or(head, |at| &head[at + 1..]);
    let mut words = after.split(|byte| !is_word(*byte));
    !after.contains(&b'=') && words.any(|word| matches!(word, b"class" | b"interface"))
}

/// Returns the body of a class by its indent.
fn indented(item: &[u8]) -> Option<MemberBody> {
    let mut lines = item
        .split_inclusive(|byte| *byte == b'\n')
        .skip_while(|line| line.starts_with(b"@"));
    if !lines.next()?.starts_with(b"class ") {
        return None;
    }
    let mut scan = Scan::over(Cut::Python, item);
    scan.level = 1;
    while let Some(&byte) = item.get(scan.at) {
        scan.step(byte);
    }
    let is_whole = scan.depth == 0 && !scan.starts.is_empty();
    is_whole.then_some(MemberBody {
        starts: scan.starts,
        close: item.len(),
    })
}
