//! Fits the pieces of some changed files into the tokens of one call.
//!
//! One line a definition before whole heads, and heads before bodies; each kind with a
//! share that the others leave to it, then turn by turn. What does not fit is
//! not lost: it goes into the gap, with the ranges where a follow-up finds it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use grounds_model::tokens::Tokenizer;

use super::{Chain, Piece, Turn};
use crate::material::{ContextItem, ContextKind, Menu, MenuRange, Unresolved};

/// Names of the gap that a call is told.
const GAPS_MAX: usize = 24;
/// Ranges of a menu.
const RANGES_MAX: usize = 24;
/// Lines of one range: more do not fit into the tokens of a follow-up.
const RANGE_LINES_MAX: u32 = 150;
/// Bytes of a head on one line.
const BRIEF_BYTES_MAX: usize = 64;
/// How the reason of a definition begins that something uses.
pub(super) const USED_AT: &str = "used at ";
/// How the reason of what stands beside the change begins.
pub(super) const BESIDE: &str = "beside the change";

/// The part of the tokens, in hundredths, that each group may take before the others had theirs; what is left is theirs in this order.
const SHARES: [(Group, u64); 8] = [
    (Group::Kind(ContextKind::Around), 30),
    (Group::Kind(ContextKind::SameFile), 20),
    (Group::Kind(ContextKind::OtherFile), 50),
    (Group::Kind(ContextKind::Caller), 15),
    (Group::Kind(ContextKind::Implementor), 10),
    (Group::Kind(ContextKind::Test), 5),
    (Group::Kind(ContextKind::OldForm), 10),
    (Group::Beside, 20),
];

/// Pieces that share a part of the tokens.
#[derive(Clone, Copy)]
enum Group {
    /// Those of a kind that the change has to do with.
    Kind(ContextKind),
    /// Those that only stand beside it, of whatever kind.
    Beside,
}

impl Group {
    fn holds(self, piece: &Piece) -> bool {
        match self {
            Self::Kind(kind) => piece.kind == kind && piece.turn != Turn::Beside,
            Self::Beside => piece.turn == Turn::Beside,
        }
    }
}

/// What one call is shown beside its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// The items, in the order of the chain.
    pub items: Vec<ContextItem>,
    /// What could not be shown.
    pub unresolved: Vec<Unresolved>,
    /// What a follow-up may ask for.
    pub menu: Menu,
    /// Tokens of the items.
    pub tokens: u64,
    /// Names of the gap that were left out of it.
    pub unresolved_cut: usize,
}

/// Packs the pieces of these files. `is_shown` says whether the call shows a line of a file already.
pub fn pack(chain: &Chain, files: &BTreeSet<usize>, tokens_max: u64, tokenizer: Tokenizer, is_shown: &dyn Fn(&str, u32) -> bool) -> Packed {
    let pieces = merged(chain, files, is_shown);
    let mut packing = Packing { tokenizer, left: tokens_max, paths: BTreeSet::new(), taken: BTreeMap::new() };
    for (group, hundredths) in SHARES {
        let shared = pieces.iter().enumerate().filter(|(_, piece)| group.holds(piece) && piece.turn != Turn::Further);
        packing.take_all(shared, tokens_max * hundredths / 100);
    }
    for turn in Turn::ALL {
        packing.take_all(pieces.iter().enumerate().filter(|(_, piece)| piece.turn == turn), tokens_max);
    }
    packing.grow(&pieces, |piece| Some((piece.lines.1, head_of(piece))));
    packing.grow(&pieces, |piece| piece.body.clone());
    let mut packed = Packed { tokens: tokens_max - packing.left, ..Packed::default() };
    packed.items = packing.taken.into_values().collect();
    fill_gap(chain, files, &pieces, &mut packed);
    packed
}

/// The pieces of several files, each place once, with the weights summed.
fn merged(chain: &Chain, files: &BTreeSet<usize>, is_shown: &dyn Fn(&str, u32) -> bool) -> Vec<Piece> {
    let mut merged: BTreeMap<(String, (u32, u32), bool), Piece> = BTreeMap::new();
    let pieces = files.iter().filter_map(|file| chain.files.get(file)).flat_map(|file| &file.pieces);
    for piece in pieces.filter(|piece| piece.kind == ContextKind::OldForm || !is_shown(&piece.path, piece.lines.0)) {
        let key = (piece.path.clone(), piece.lines, piece.kind == ContextKind::OldForm);
        match merged.get_mut(&key) {
            Some(known) => {
                known.weight += piece.weight;
                known.turn = known.turn.min(piece.turn);
                known.kind = known.kind.min(piece.kind);
            }
            None => {
                merged.insert(key, piece.clone());
            }
        }
    }
    let mut pieces: Vec<Piece> = merged.into_values().collect();
    pieces.sort_by(|one, other| {
        (one.kind, std::cmp::Reverse(one.weight), &one.path, one.lines).cmp(&(
            other.kind,
            std::cmp::Reverse(other.weight),
            &other.path,
            other.lines,
        ))
    });
    pieces
}

struct Packing {
    tokenizer: Tokenizer,
    left: u64,
    paths: BTreeSet<String>,
    taken: BTreeMap<usize, ContextItem>,
}

impl Packing {
    /// Takes of some pieces what fits into a part of the tokens, in order.
    fn take_all<'p>(&mut self, pieces: impl Iterator<Item = (usize, &'p Piece)>, mut part: u64) {
        for (index, piece) in pieces {
            part -= self.take(index, piece, part);
        }
    }

    /// Takes a piece where it fits into what is left, and gives the tokens that it took.
    fn take(&mut self, index: usize, piece: &Piece, left: u64) -> u64 {
        if self.taken.contains_key(&index) {
            return 0;
        }
        let mut item = item_of(piece);
        let path = if self.paths.contains(&piece.path) { 0 } else { self.tokenizer.count(&piece.path) + 1 };
        item.tokens = self.cost(&item);
        if item.tokens + path > left.min(self.left) {
            return 0;
        }
        let tokens = item.tokens + path;
        item.tokens = tokens;
        self.left -= tokens;
        self.paths.insert(piece.path.clone());
        self.taken.insert(index, item);
        tokens
    }

    fn cost(&self, item: &ContextItem) -> u64 {
        self.tokenizer.count(&lines_of(item))
    }

    /// What is left goes to a longer text of what is shown already, in the order of the chain.
    fn grow(&mut self, pieces: &[Piece], longer: impl Fn(&Piece) -> Option<(u32, String)>) {
        for (index, piece) in pieces.iter().enumerate() {
            let Some(item) = self.taken.get(&index) else { continue };
            let Some((last, text)) = longer(piece).filter(|(_, text)| *text != item.text) else { continue };
            let mut grown = ContextItem { line_end: last, text, ..item.clone() };
            let more = self.cost(&grown).saturating_sub(self.cost(item));
            if more <= self.left {
                grown.tokens += more;
                self.left -= more;
                self.taken.insert(index, grown);
            }
        }
    }
}

fn item_of(piece: &Piece) -> ContextItem {
    ContextItem {
        path: piece.path.clone(),
        line_start: piece.lines.0,
        line_end: piece.lines.1,
        text: brief(&piece.text, &piece.name),
        kind: piece.kind,
        name: piece.name.clone(),
        reason: piece.reason.clone(),
        rating: piece.rating,
        tokens: 0,
    }
}

/// The whole head, with the first line of its documentation where it is around the change.
fn head_of(piece: &Piece) -> String {
    match &piece.doc {
        Some(doc) if piece.kind == ContextKind::Around => format!("{}  // {doc}", piece.text),
        Some(_) | None => piece.text.clone(),
    }
}

/// A head on one line, cut where it is long, but not before its name.
fn brief(text: &str, name: &str) -> String {
    let joined = if text.contains('\n') { text.split_whitespace().collect::<Vec<_>>().join(" ") } else { text.to_owned() };
    let whole = joined.trim_end_matches(['{', ' ']);
    let named = whole.find(name).map_or(0, |at| at + name.len());
    let end = whole.floor_char_boundary(named.max(BRIEF_BYTES_MAX));
    if end == whole.len() { whole.to_owned() } else { format!("{}…", &whole[..end]) }
}

/// The gap and its menu: what was cut first, then what could not be told.
fn fill_gap(chain: &Chain, files: &BTreeSet<usize>, pieces: &[Piece], packed: &mut Packed) {
    let shown: BTreeSet<(&str, u32)> = packed.items.iter().map(|item| (item.path.as_str(), item.line_start)).collect();
    let named: BTreeSet<&str> = packed.items.iter().map(|item| item.name.as_str()).collect();
    let is_missed = |piece: &&Piece| match piece.turn {
        Turn::Beside => false,
        Turn::Further => !named.contains(piece.name.as_str()),
        Turn::Changed | Turn::Shown | Turn::Around => !shown.contains(&(piece.path.as_str(), piece.lines.0)),
    };
    let cut = pieces.iter().filter(|piece| piece.kind != ContextKind::OldForm).filter(is_missed);
    let mut gaps: Vec<super::Gap> = cut.map(gap_of).collect();
    gaps.extend(files.iter().filter_map(|file| chain.files.get(file)).flat_map(|file| file.gaps.iter().cloned()));
    gaps.sort_by_key(|gap| (gap.near.is_empty(), std::cmp::Reverse(gap.weight)));
    let mut known = BTreeSet::new();
    gaps.retain(|gap| known.insert(gap.name.clone()));
    packed.unresolved_cut = gaps.len().saturating_sub(GAPS_MAX);
    gaps.truncate(GAPS_MAX);
    for gap in gaps {
        let menu_ids = gap.near.iter().filter_map(|(path, lines, holds)| range(&mut packed.menu, path, *lines, holds)).collect();
        packed.unresolved.push(Unresolved { name: gap.name, used_at: gap.used_at, why: gap.why, menu_ids });
    }
}

fn gap_of(piece: &Piece) -> super::Gap {
    super::Gap {
        name: piece.name.clone(),
        used_at: piece.reason.strip_prefix(USED_AT).unwrap_or(&piece.reason).to_owned(),
        why: "known, and cut by `context_tokens_max`".to_owned(),
        near: vec![(piece.path.clone(), piece.item, format!("`{}`", piece.name))],
        weight: piece.weight,
    }
}

/// The id of a range in the menu, which takes it up where it is new.
fn range(menu: &mut Menu, path: &str, lines: (u32, u32), holds: &str) -> Option<String> {
    let end = lines.1.min(lines.0.saturating_add(RANGE_LINES_MAX - 1));
    let same = |range: &&MenuRange| range.path == path && range.line_start == lines.0 && range.line_end == end;
    if let Some(known) = menu.ranges.iter().find(same) {
        return Some(known.id.clone());
    }
    if menu.ranges.len() >= RANGES_MAX {
        return None;
    }
    let id = format!("c{}", menu.ranges.len() + 1);
    menu.ranges.push(MenuRange { id: id.clone(), path: path.to_owned(), line_start: lines.0, line_end: end, holds: holds.to_owned() });
    Some(id)
}

/// A reason as it stands in a prompt, where the lines of the change do not say it themselves: of a user what it does, of an old head
/// where it is now, without the path that stands above it.
fn why(item: &ContextItem) -> String {
    match item.kind {
        ContextKind::Around | ContextKind::SameFile | ContextKind::OtherFile => String::new(),
        ContextKind::Caller => format!(" (calls `{}`)", item.name),
        ContextKind::Implementor => format!(" (implements `{}`)", item.name),
        ContextKind::Test => format!(" (tests `{}`)", item.name),
        ContextKind::OldForm => format!(" ({})", item.reason.replace(&format!("{}:", item.path), "")),
    }
}

/// A text of a repository on one line: what would begin another one stands as a blank.
fn one_line(text: &str) -> String {
    text.chars().map(|mark| if mark.is_control() && mark != '\t' { ' ' } else { mark }).collect()
}

/// The items as a call shows them: each path once, then the number of the first line with the text behind a mark, as every line of a
/// text is, so that none can pass for another part of the prompt. What `tokens` of the items count.
pub fn render<'i>(items: impl IntoIterator<Item = &'i ContextItem>) -> String {
    let items: Vec<&ContextItem> = items.into_iter().collect();
    let mut text = String::new();
    let mut paths: Vec<&str> = Vec::new();
    items.iter().for_each(|item| {
        if !paths.contains(&item.path.as_str()) {
            paths.push(&item.path);
        }
    });
    for path in paths {
        let _ = writeln!(text, "{}", one_line(path));
        for item in items.iter().filter(|item| item.path == path) {
            text.push_str(&lines_of(item));
        }
    }
    text
}

/// The number of an item's first line, why it is there, and its text.
fn lines_of(item: &ContextItem) -> String {
    let mut text = format!("{}{}", item.line_start, one_line(&why(item)));
    item.text.lines().for_each(|line| {
        let _ = writeln!(text, "| {}", one_line(line));
    });
    text
}
