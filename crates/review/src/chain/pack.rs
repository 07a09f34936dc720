//! Fits the pieces of some changed files into the tokens of one call.
//!
//! One line per definition goes before whole heads, and heads before bodies; pieces that people
//! mention most per token come first. Pieces that do not fit go into the gap, with the ranges where
//! a follow-up finds them.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt::Write as _;

use grounds_evidence::SymbolKind;
use grounds_model::tokens::Tokenizer;

use super::{Chain, ContextPiece, PieceTurn};
use crate::material::{ContextItem, ContextKind, Menu, MenuRange, Unresolved};

/// Maximum number of names of the gap that a call lists.
const GAPS_MAX: usize = 24;
/// Maximum number of ranges of a menu.
const RANGES_MAX: usize = 24;
/// Maximum number of lines of one range: more do not fit into the tokens of a follow-up.
const RANGE_LINES_MAX: u32 = 150;
/// Number of bytes that a head on one line may have: shorter heads leave room for more of them.
const BRIEF_BYTES_MAX: usize = 64;
/// The start of the reason of a definition that something uses.
pub(super) const USED_AT: &str = "used at ";
/// The start of the reason of an item beside the change.
pub(super) const BESIDE: &str = "beside the change";

/// Returns how often people mention a piece in comments on a change, as a whole number proportional
/// to it. Fitted once, by a logistic regression over the call and the kind of the symbol, to the
/// names of 2,256 pieces of 24 pull requests; `docs/review-context.md` has the figures.
const fn chance(piece: &ContextPiece) -> u64 {
    use ContextKind as K;
    let by_way = match (piece.kind, piece.turn) {
        (K::OtherFile, PieceTurn::Changed) => 30,
        (K::Caller, _) => 15,
        (K::SameFile, PieceTurn::Changed) | (K::OldForm, _) => 14,
        (K::OtherFile, PieceTurn::Further) | (K::Around | K::Test, _) => 11,
        (K::Implementor, _) => 9,
        (K::SameFile, PieceTurn::Shown | PieceTurn::Further) => 7,
        (K::OtherFile, PieceTurn::Shown) => 5,
        (K::SameFile, PieceTurn::Beside | PieceTurn::Around) => 4,
        (K::OtherFile, PieceTurn::Beside | PieceTurn::Around) => 3,
    };
    by_way * chance_of_symbol(piece.symbol)
}

/// Returns the same by the kind of symbol: members that hold a value are mentioned less than all
/// others.
const fn chance_of_symbol(symbol: SymbolKind) -> u64 {
    use SymbolKind as K;
    match symbol {
        K::Variant | K::Field | K::Property | K::Variable => 6,
        K::Function
        | K::Method
        | K::Constructor
        | K::Macro
        | K::Class
        | K::Struct
        | K::Union
        | K::Enum
        | K::Interface
        | K::Trait => 10,
        K::Object
        | K::TypeAlias
        | K::Constant
        | K::Event
        | K::Table
        | K::Target
        | K::Module
        | K::Namespace => 10,
        K::Parameter | K::TypeParameter | K::Label => 10,
    }
}

/// The context that one call is shown beside its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    /// The items, in the order of the chain.
    pub items: Vec<ContextItem>,
    /// Names that could not be shown.
    pub unresolved: Vec<Unresolved>,
    /// The ranges that a follow-up may ask for.
    pub menu: Menu,
    /// Tokens of the items.
    pub tokens: u64,
    /// Names of the gap that were left out of it.
    pub unresolved_cut: usize,
}

/// Packs the pieces of these files. `is_shown` reports whether the call already shows a line of a
/// file.
pub fn pack(
    chain: &Chain,
    files: &BTreeSet<usize>,
    tokens_max: u64,
    tokenizer: Tokenizer,
    is_shown: &dyn Fn(&str, u32) -> bool,
) -> Packed {
    let pieces = merged(chain, files, is_shown);
    let mut packing = Packing {
        tokenizer,
        left: tokens_max,
        paths: BTreeSet::new(),
        taken: BTreeMap::new(),
    };
    packing.take_best(&pieces);
    // Every head has its one line before any is completed, and bodies get only the rest: more names
    // are worth more than longer texts.
    packing.grow(&pieces, |piece| Some((piece.lines.1, head_of(piece))));
    packing.grow(&pieces, |piece| piece.body.clone());
    let mut packed = Packed {
        tokens: tokens_max - packing.left,
        ..Packed::default()
    };
    packed.items = packing.taken.into_values().collect();
    fill_gap(chain, files, &pieces, &mut packed);
    packed
}

/// Returns the pieces of several files, each place once, with the weights summed.
fn merged(
    chain: &Chain,
    files: &BTreeSet<usize>,
    is_shown: &dyn Fn(&str, u32) -> bool,
) -> Vec<ContextPiece> {
    let mut merged: BTreeMap<(String, (u32, u32), bool), ContextPiece> = BTreeMap::new();
    let pieces = files
        .iter()
        .filter_map(|file| chain.files.get(file))
        .flat_map(|file| &file.pieces);
    for piece in pieces
        // An old head has the path and lines of the base, which the lines of the call do not show,
        // so it is kept apart from the present text.
        .filter(|piece| piece.kind == ContextKind::OldForm || !is_shown(&piece.path, piece.lines.0))
    {
        let key = (
            piece.path.clone(),
            piece.lines,
            piece.kind == ContextKind::OldForm,
        );
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
    let mut pieces: Vec<ContextPiece> = merged.into_values().collect();
    pieces.sort_by(|one, other| {
        (
            one.kind,
            std::cmp::Reverse(one.weight),
            &one.path,
            one.lines,
        )
            .cmp(&(
                other.kind,
                std::cmp::Reverse(other.weight),
                &other.path,
                other.lines,
            ))
    });
    pieces
}

struct Packing<'p> {
    tokenizer: Tokenizer,
    left: u64,
    /// The paths that the call already contains.
    paths: BTreeSet<&'p str>,
    taken: BTreeMap<usize, ContextItem>,
}

/// A piece with its item and its cost.
struct Offer<'p> {
    piece: &'p ContextPiece,
    item: ContextItem,
    path_tokens: u64,
}

impl Offer<'_> {
    /// Returns the value of one token of it, in thousandths, if its path costs this many tokens.
    fn gain(&self, path_tokens: u64) -> u64 {
        chance(self.piece) * 1_000 / (self.item.tokens + path_tokens).max(1)
    }
}

impl<'p> Packing<'p> {
    /// Takes the pieces that fit, always the one with the most value per token. The first piece of
    /// a file pays for its path, and makes the others cheaper.
    fn take_best(&mut self, pieces: &'p [ContextPiece]) {
        let offers: Vec<Offer<'_>> = pieces.iter().map(|piece| self.offer(piece)).collect();
        let mut of_path: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        offers
            .iter()
            .enumerate()
            .for_each(|(index, offer)| of_path.entry(&offer.piece.path).or_default().push(index));
        let offered = offers
            .iter()
            .enumerate()
            .map(|(index, offer)| (offer.gain(offer.path_tokens), Reverse(index)));
        let mut queue: BinaryHeap<(u64, Reverse<usize>)> = offered.collect();
        while let Some((_, Reverse(index))) = queue.pop() {
            let offer = &offers[index];
            let path = offer.piece.path.as_str();
            let is_new = !self.paths.contains(path);
            if self.take(index, offer, if is_new { offer.path_tokens } else { 0 }) && is_new {
                // They stay in the queue with their old value as well; a piece that is taken
                // already is refused when it comes up again.
                queue.extend(
                    of_path[path]
                        .iter()
                        .map(|other| (offers[*other].gain(0), Reverse(*other))),
                );
            }
        }
    }

    fn offer(&self, piece: &'p ContextPiece) -> Offer<'p> {
        let item = item_of(piece);
        let item = ContextItem {
            tokens: self.cost(&item),
            ..item
        };
        Offer {
            piece,
            item,
            // One more for the end of the line of the path.
            path_tokens: self.tokenizer.count(&piece.path) + 1,
        }
    }

    /// Takes a piece if it fits and was not taken yet, and reports whether it did.
    fn take(&mut self, index: usize, offer: &Offer<'p>, path_tokens: u64) -> bool {
        let tokens = offer.item.tokens + path_tokens;
        if tokens > self.left || self.taken.contains_key(&index) {
            return false;
        }
        self.left -= tokens;
        self.paths.insert(&offer.piece.path);
        self.taken.insert(
            index,
            ContextItem {
                tokens,
                ..offer.item.clone()
            },
        );
        true
    }

    fn cost(&self, item: &ContextItem) -> u64 {
        self.tokenizer.count(&lines_of(item))
    }

    /// Spends the remaining tokens on longer texts of the items that are shown, in the order of the
    /// chain.
    fn grow(
        &mut self,
        pieces: &[ContextPiece],
        longer: impl Fn(&ContextPiece) -> Option<(u32, String)>,
    ) {
        for (index, piece) in pieces.iter().enumerate() {
            let Some(item) = self.taken.get(&index) else {
                continue;
            };
            let Some((last, text)) = longer(piece).filter(|(_, text)| *text != item.text) else {
                continue;
            };
            let mut grown = ContextItem {
                line_end: last,
                text,
                ..item.clone()
            };
            let more = self.cost(&grown).saturating_sub(self.cost(item));
            if more <= self.left {
                grown.tokens += more;
                self.left -= more;
                self.taken.insert(index, grown);
            }
        }
    }
}

fn item_of(piece: &ContextPiece) -> ContextItem {
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

/// Returns the whole head, with the first line of its documentation if it is around the change.
fn head_of(piece: &ContextPiece) -> String {
    match &piece.doc {
        Some(doc) if piece.kind == ContextKind::Around => format!("{}  // {doc}", piece.text),
        Some(_) | None => piece.text.clone(),
    }
}

/// Returns a head on one line, truncated if it is long, but not before its name.
fn brief(text: &str, name: &str) -> String {
    let joined = if text.contains('\n') {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    } else {
        text.to_owned()
    };
    let whole = joined.trim_end_matches(['{', ' ']);
    let named = whole.find(name).map_or(0, |at| at + name.len());
    let end = whole.floor_char_boundary(named.max(BRIEF_BYTES_MAX));
    if end == whole.len() {
        whole.to_owned()
    } else {
        format!("{}…", &whole[..end])
    }
}

/// Fills the gap and its menu: first the definitions that did not fit, then the names that could
/// not be decided.
fn fill_gap(chain: &Chain, files: &BTreeSet<usize>, pieces: &[ContextPiece], packed: &mut Packed) {
    let shown: BTreeSet<(&str, u32)> = packed
        .items
        .iter()
        .map(|item| (item.path.as_str(), item.line_start))
        .collect();
    let named: BTreeSet<&str> = packed.items.iter().map(|item| item.name.as_str()).collect();
    let is_missed = |piece: &&ContextPiece| match piece.turn {
        PieceTurn::Beside => false,
        // A second definition is only missed if not even the first one of the name is shown.
        PieceTurn::Further => !named.contains(piece.name.as_str()),
        PieceTurn::Changed | PieceTurn::Shown | PieceTurn::Around => {
            !shown.contains(&(piece.path.as_str(), piece.lines.0))
        }
    };
    let cut = pieces
        .iter()
        .filter(|piece| piece.kind != ContextKind::OldForm)
        .filter(is_missed);
    let mut gaps: Vec<super::NameGap> = cut.map(gap_of).collect();
    gaps.extend(
        files
            .iter()
            .filter_map(|file| chain.files.get(file))
            .flat_map(|file| file.gaps.iter().cloned()),
    );
    // Names with a range to ask for come first, since the limit drops the last ones.
    gaps.sort_by_key(|gap| (gap.near.is_empty(), std::cmp::Reverse(gap.weight)));
    let mut known = BTreeSet::new();
    gaps.retain(|gap| known.insert(gap.name.clone()));
    packed.unresolved_cut = gaps.len().saturating_sub(GAPS_MAX);
    gaps.truncate(GAPS_MAX);
    for gap in gaps {
        let menu_ids = gap
            .near
            .iter()
            .filter_map(|(path, lines, holds)| range(&mut packed.menu, path, *lines, holds))
            .collect();
        packed.unresolved.push(Unresolved {
            name: gap.name,
            used_at: gap.used_at,
            why: gap.why,
            menu_ids,
        });
    }
}

fn gap_of(piece: &ContextPiece) -> super::NameGap {
    super::NameGap {
        name: piece.name.clone(),
        used_at: piece
            .reason
            .strip_prefix(USED_AT)
            .unwrap_or(&piece.reason)
            .to_owned(),
        why: "known, and cut by `context_tokens_max`".to_owned(),
        near: vec![(piece.path.clone(), piece.item, format!("`{}`", piece.name))],
        weight: piece.weight,
    }
}

/// Returns the id of a range in the menu, and adds the range if it is new; `None` if the menu is
/// full.
fn range(menu: &mut Menu, path: &str, lines: (u32, u32), holds: &str) -> Option<String> {
    // A definition that is too long is offered from its start, so that its head is in the range.
    let end = lines.1.min(lines.0.saturating_add(RANGE_LINES_MAX - 1));
    let same = |range: &&MenuRange| {
        range.path == path && range.line_start == lines.0 && range.line_end == end
    };
    if let Some(known) = menu.ranges.iter().find(same) {
        return Some(known.id.clone());
    }
    if menu.ranges.len() >= RANGES_MAX {
        return None;
    }
    let id = format!("c{}", menu.ranges.len() + 1);
    menu.ranges.push(MenuRange {
        id: id.clone(),
        path: path.to_owned(),
        line_start: lines.0,
        line_end: end,
        holds: holds.to_owned(),
    });
    Some(id)
}

/// Returns the reason of an item as the prompt prints it, if the lines of the change do not show
/// it: for a user, what it does; for an old head, where it is now. It leaves out the path, which
/// the prompt prints above it.
fn why(item: &ContextItem) -> String {
    match item.kind {
        ContextKind::Around | ContextKind::SameFile | ContextKind::OtherFile => String::new(),
        ContextKind::Caller => format!(" (calls `{}`)", item.name),
        ContextKind::Implementor => format!(" (implements `{}`)", item.name),
        ContextKind::Test => format!(" (tests `{}`)", item.name),
        ContextKind::OldForm => {
            format!(" ({})", item.reason.replace(&format!("{}:", item.path), ""))
        }
    }
}

/// Returns a text of a repository on one line: characters that would begin another line become
/// blanks.
fn one_line(text: &str) -> String {
    text.chars()
        .map(|mark| {
            if mark.is_control() && mark != '\t' {
                ' '
            } else {
                mark
            }
        })
        .collect()
}

/// Renders the items as a call shows them: each path once, then the number of the first line, and
/// the text with a mark before each line, so that no text can pass for another part of the prompt.
/// The `tokens` of the items count this text.
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

/// Returns the number of an item's first line, its reason, and its text.
fn lines_of(item: &ContextItem) -> String {
    let mut text = format!("{}{}", item.line_start, one_line(&why(item)));
    item.text.lines().for_each(|line| {
        let _ = writeln!(text, "| {}", one_line(line));
    });
    text
}
