//! The one engine of labels: climbs from an occurrence to the node that decides what it is.

use std::ops::Range;

use grounds_evidence::{MentionPlace, Relation, SymbolKind};
use serde::{Deserialize, Serialize};
use tree_sitter::{Node, Tree, TreeCursor};

use crate::language::{BoundNames, Climb, Gives, Language, PathStep, Syntax};
use crate::lexical;
use crate::parse::{NodeMark, Tables};

/// Most nodes that are visited to list the definitions of one file.
const NODES_VISITED_MAX: usize = 4_000_000;
/// Greatest depth of a tree to which a label is searched.
const DEPTH_MAX: usize = 2_000;
/// Most bytes of one container's name.
const CONTAINER_BYTES_MAX: usize = 120;
/// Most nested declarators that are followed to the name.
const DECLARATORS_MAX: usize = 8;
/// Most children at the end of a path that are read.
const PATH_CHILDREN_MAX: usize = 16;
/// Most enclosing names that are kept; the innermost ones are.
const CONTAINERS_MAX: usize = 6;

/// The role of an occurrence of a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// The role of the occurrence for the name.
    pub relation: Relation,
    /// The kind of thing that is introduced, or `None` if nothing is.
    pub kind: Option<SymbolKind>,
    /// The bytes of the item that the occurrence introduces, or those of the occurrence.
    pub item: Range<usize>,
    /// The names of what encloses the occurrence, outermost first.
    pub containers: Vec<String>,
    /// Whether the occurrence is only a part of a longer name of the language: `empty` in Ruby's
    /// `empty?`, `frozen` in JavaScript's `$frozen`.
    pub is_part_of_a_longer_name: bool,
}

impl Label {
    /// Returns the label of an occurrence that introduces nothing.
    pub fn plain(relation: Relation, range: Range<usize>) -> Self {
        Self {
            relation,
            kind: None,
            item: range,
            containers: Vec::new(),
            is_part_of_a_longer_name: false,
        }
    }
}

/// A file with its tree, and what was learned about it on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParsedFile<'a> {
    pub(crate) source: &'a [u8],
    pub(crate) language: &'static Language,
    pub(crate) tree: &'a Tree,
    pub(crate) tables: &'static Tables,
    pub(crate) scopes: &'a BoundNames,
}

/// Labels the name at `range`.
pub(crate) fn of_range(file: ParsedFile<'_>, range: Range<usize>) -> Label {
    let frames = descend(file.tree, &range);
    label_frames(file, &frames, range)
}

/// Returns the relation of the text at `range` to its name: the label without what encloses it,
/// which is the expensive part.
pub(crate) fn relation_at(file: ParsedFile<'_>, range: &Range<usize>) -> Relation {
    verdict(file, &descend(file.tree, range), range).relation()
}

/// A search in a tree.
#[derive(Clone, Debug)]
pub(crate) struct Sought {
    /// The bytes that are searched.
    pub(crate) within: Range<usize>,
    /// The most occurrences that are wanted.
    pub(crate) most: usize,
    /// Returns whether occurrences of a relation are wanted.
    pub(crate) is_wanted: fn(Relation) -> bool,
}

/// Returns the occurrences that introduce something, in the order of the text.
pub(crate) fn introduced(file: ParsedFile<'_>, sought: &Sought) -> Vec<(Range<usize>, Label)> {
    let mut found = Vec::new();
    let mut cursor = file.tree.walk();
    let mut frames = vec![frame_of(&cursor)];
    for _ in 0..NODES_VISITED_MAX {
        let here = frames[frames.len() - 1].node;
        // Ruby's grammar splits an operator that is a name, `<<`, into parts.
        let is_name = is_leaf(here) || is_operator(here);
        if is_name && frames.len() > 1 && can_define(file.tables, &frames) {
            let range = here.byte_range();
            // The relation is cheap, while a label needs all that encloses the name, so wanted ones
            // only are labelled.
            if (sought.is_wanted)(verdict(file, &frames, &range).relation()) {
                found.push((
                    name_in(file.source, here),
                    label_frames(file, &frames, range),
                ));
            }
        }
        // The grammar drops text around an error; its words decide for themselves.
        if here.is_error() {
            found.extend(dropped(file, &frames, sought.is_wanted));
        } else if is_leaf(here) && is_swallowed(file, &frames) {
            found.extend(in_text(file, &frames, here.byte_range(), sought.is_wanted));
        }
        if found.len() >= sought.most || !step(&mut cursor, &mut frames, &sought.within) {
            break;
        }
    }
    // Words of dropped text are found out of order.
    found.sort_by_key(|(name, _)| name.start);
    found.truncate(sought.most);
    found
}

/// A call: its name, and the start of the expression that it ends.
pub(crate) type Called = (Range<usize>, usize);

/// Returns the calls in the order of the text.
pub(crate) fn called(file: ParsedFile<'_>, sought: &Sought) -> Vec<Called> {
    let mut found = Vec::new();
    let mut cursor = file.tree.walk();
    let mut frames = vec![frame_of(&cursor)];
    for _ in 0..NODES_VISITED_MAX {
        let here = frames[frames.len() - 1].node;
        let words = if is_leaf(here) && frames.len() > 1 && here.is_named() {
            words_of(file, here, &frames)
        } else {
            Vec::new()
        };
        // A leaf may reach beyond the range, as the text of a macro does, so each word is compared.
        for name in words
            .into_iter()
            .filter(|name| sought.within.start <= name.start && name.end <= sought.within.end)
        {
            if (sought.is_wanted)(verdict(file, &frames, &name).relation()) {
                found.push((name, callee_start(file, &frames)));
            }
        }
        if found.len() >= sought.most || !step(&mut cursor, &mut frames, &sought.within) {
            break;
        }
    }
    found.truncate(sought.most);
    found
}

/// Returns the names in a leaf that may be called: its own, or the words of text that the grammar
/// does not parse.
fn words_of(file: ParsedFile<'_>, leaf: Node<'_>, frames: &[PathStep<'_>]) -> Vec<Range<usize>> {
    let parent = frames[frames.len() - 2].node;
    let has_rule = || {
        let field = frames[frames.len() - 1].field;
        file.tables.rules.contains_key(&(parent.kind_id(), field))
    };
    match leaf.kind() {
        "preproc_arg" => lexical::words(file.source, leaf.byte_range()),
        _ if is_swallowed(file, frames) => lexical::words(file.source, leaf.byte_range()),
        // A name alone may call a method of Ruby, wherever it is.
        "identifier" if file.language.calls_bare() => vec![name_in(file.source, leaf)],
        _ if is_unparsed(parent) || has_rule() => vec![name_in(file.source, leaf)],
        _ => Vec::new(),
    }
}

/// Returns the start of the expression that ends in the name of a call, with its receiver if it has
/// one.
fn callee_start(file: ParsedFile<'_>, frames: &[PathStep<'_>]) -> usize {
    let name = frames[frames.len() - 1].node.start_byte();
    // Text without a tree has no node of the whole callee, so its bytes are read.
    if frames
        .iter()
        .rev()
        .skip(1)
        .take(3)
        .any(|frame| is_unparsed(frame.node))
    {
        return lexical::path_start(file.source, name);
    }
    let (at, _) = climb(file, frames);
    let callee = frames[(at + 1).min(frames.len() - 1)].node.start_byte();
    if callee < name {
        callee
    } else {
        frames[at].node.start_byte()
    }
}

/// Returns what the text between the children of an error introduces, which is in no leaf.
fn dropped(
    file: ParsedFile<'_>,
    frames: &[PathStep<'_>],
    is_wanted: fn(Relation) -> bool,
) -> Vec<(Range<usize>, Label)> {
    let error = frames[frames.len() - 1].node;
    let mut found = Vec::new();
    let mut from = error.start_byte();
    let mut walk = error.walk();
    let children = error.children(&mut walk).map(|child| child.byte_range());
    for child in children.chain(std::iter::once(error.end_byte()..error.end_byte())) {
        found.extend(in_text(file, frames, from..child.start, is_wanted));
        from = child.end.max(from);
    }
    found
}

/// Returns what is introduced in text in which the grammar knows no names.
fn in_text(
    file: ParsedFile<'_>,
    frames: &[PathStep<'_>],
    text: Range<usize>,
    is_wanted: fn(Relation) -> bool,
) -> Vec<(Range<usize>, Label)> {
    let words = lexical::words(file.source, text).into_iter();
    let wanted = words.filter(|word| is_wanted(verdict(file, frames, word).relation()));
    wanted
        .map(|word| (word.clone(), label_frames(file, frames, word)))
        .collect()
}

/// Reports whether the occurrence is in a string that spans lines though the language has none.
/// After an error, the grammar takes the end of one string for the start of the next, and the code
/// between them for text.
fn is_swallowed(file: ParsedFile<'_>, frames: &[PathStep<'_>]) -> bool {
    if file.language.lexicon.quotes_span_lines || !file.tree.root_node().has_error() {
        return false;
    }
    let is_string = |frame: &&PathStep<'_>| {
        matches!(
            file.tables.mark_of(frame.node),
            Some(NodeMark::String | NodeMark::Code)
        )
    };
    let Some(around) = frames.iter().rev().find(is_string).map(|frame| frame.node) else {
        return false;
    };
    let text = file.source.get(around.byte_range()).unwrap_or_default();
    // Three quotes open a string that may span lines.
    let is_plain = matches!(text, [b'"' | b'\'', rest @ ..] if !rest.starts_with(&[text[0]; 2]));
    is_plain && text.contains(&b'\n')
}

/// Goes to the next node in document order that touches `within`, with the way to it. Returns false
/// after the last one.
fn step<'tree>(
    cursor: &mut TreeCursor<'tree>,
    frames: &mut Vec<PathStep<'tree>>,
    within: &Range<usize>,
) -> bool {
    let here = cursor.node().byte_range();
    let touches = here.start < within.end && here.end > within.start;
    if touches && frames.len() < DEPTH_MAX && cursor.goto_first_child() {
        frames.push(frame_of(cursor));
        return true;
    }
    loop {
        // Siblings are in the order of the text, so those after the range are not visited.
        if here.start < within.end && cursor.goto_next_sibling() {
            frames.pop();
            frames.push(frame_of(cursor));
            return true;
        }
        if !cursor.goto_parent() {
            return false;
        }
        frames.pop();
    }
}

/// Reports whether a node is the name of an operator that a type defines (`<<`), of which Ruby's
/// grammar makes a node with parts.
fn is_operator(node: Node<'_>) -> bool {
    node.is_named() && node.kind() == "operator"
}

fn is_leaf(node: Node<'_>) -> bool {
    node.child_count() == 0 && !node.is_extra() && !node.byte_range().is_empty()
}

/// Reports whether the direct parent has any rule for this place, or is text that the grammar did
/// not parse. This saves the climb for most leaves.
///
/// A keyword names something only if a rule names its field (Swift's `init`).
fn can_define(tables: &Tables, frames: &[PathStep<'_>]) -> bool {
    let place = frames[frames.len() - 1];
    let parent = frames[frames.len() - 2].node;
    match tables.rules.get(&(parent.kind_id(), place.field)) {
        Some(Gives::Defines(_)) if place.field != 0 => true,
        Some(Gives::Tail | Gives::Inherits) => false,
        rule => place.node.is_named() && (rule.is_some() || is_unparsed(parent)),
    }
}

/// Returns the bytes of the name in a leaf, without the marks that some grammars keep in it
/// (`:name`, `#name`, `name=value`) and the path before it (`path::name`).
fn name_in(source: &[u8], leaf: Node<'_>) -> Range<usize> {
    let range = leaf.byte_range();
    let text = source.get(range.clone()).unwrap_or_default();
    let skipped = usize::from(text.starts_with(b":") || text.starts_with(b"#"));
    let length = text[skipped..]
        .iter()
        .position(|&byte| byte == b'=')
        .unwrap_or(text.len() - skipped);
    let path =
        memchr::memmem::rfind(&text[skipped..skipped + length], b"::").map_or(0, |at| at + 2);
    let name = range.start + skipped + path..range.start + skipped + length;
    // What is left of an operator such as `==` is no word, so the leaf is the name as a whole.
    if source[name.clone()]
        .first()
        .is_some_and(|&byte| lexical::is_word(byte))
    {
        name
    } else {
        range
    }
}

/// Reports whether a node holds tokens without structure: an error, or the inside of a macro call.
fn is_unparsed(node: Node<'_>) -> bool {
    node.is_error() || node.kind() == "token_tree" || node.kind() == "preproc_arg"
}

fn frame_of<'tree>(cursor: &TreeCursor<'tree>) -> PathStep<'tree> {
    PathStep {
        node: cursor.node(),
        field: cursor.field_id().map_or(0, std::num::NonZeroU16::get),
    }
}

/// Returns the way from the root to the smallest node that contains `range`.
pub(crate) fn descend<'tree>(tree: &'tree Tree, range: &Range<usize>) -> Vec<PathStep<'tree>> {
    let mut cursor = tree.walk();
    let mut frames = vec![frame_of(&cursor)];
    while frames.len() < DEPTH_MAX && cursor.goto_first_child_for_byte(range.start).is_some() {
        let node = cursor.node();
        if node.start_byte() > range.start || node.end_byte() < range.end {
            break;
        }
        frames.push(frame_of(&cursor));
        // The parts below an operator are signs, and no names of their own.
        if is_operator(node) {
            break;
        }
    }
    frames
}

/// The reason for a label.
enum LabelVerdict {
    /// A comment or a string around it.
    Mention(MentionPlace),
    /// The text beside it: the grammar got blanks in its place.
    Text(Relation),
    /// The words before it: the grammar did not parse the text around it.
    Words(Label),
    /// A rule, at the frame with this index.
    Rule(usize, Gives, Relation),
}

impl LabelVerdict {
    const fn relation(&self) -> Relation {
        match self {
            Self::Mention(place) => Relation::Mentions(*place),
            Self::Text(relation) | Self::Rule(_, _, relation) => *relation,
            Self::Words(label) => label.relation,
        }
    }
}

fn verdict(file: ParsedFile<'_>, frames: &[PathStep<'_>], range: &Range<usize>) -> LabelVerdict {
    let ParsedFile {
        source,
        language,
        tables,
        ..
    } = file;
    let (at, gives) = climb(file, frames);
    // Comments and strings decide first: a rule above them says nothing of words in a text.
    if let Some(place) =
        mention(source, tables, frames).filter(|&place| !names_by_string(place, gives))
    {
        return match place == MentionPlace::String && is_swallowed(file, frames) {
            true => LabelVerdict::Words(lexical::label(&language.lexicon, source, range.clone())),
            false => LabelVerdict::Mention(place),
        };
    }
    if is_blanked(language, frames) {
        return LabelVerdict::Text(match lexical::in_block_comment(source, range.start) {
            true => Relation::Mentions(MentionPlace::Comment),
            false if lexical::is_called(source, range) => Relation::Calls,
            false => Relation::References,
        });
    }
    // Only where no rule speaks: a rule that holds in broken text is surer than a guess by words.
    if gives == Gives::References && is_in_unparsed(frames) {
        return LabelVerdict::Words(unparsed(source, language, range.clone()));
    }
    LabelVerdict::Rule(at, gives, relation_of(tables.grammar, frames, at, gives))
}

fn label_frames(file: ParsedFile<'_>, frames: &[PathStep<'_>], range: Range<usize>) -> Label {
    let ParsedFile {
        source,
        language,
        tables,
        ..
    } = file;
    let around = || enclosing(source, tables, frames, frames.len());
    let is_part_of_a_longer_name = goes_on(source, language, frames[frames.len() - 1].node, &range);
    let (at, gives, relation) = match verdict(file, frames, &range) {
        LabelVerdict::Rule(at, gives, relation) => (at, gives, relation),
        LabelVerdict::Words(label) => {
            return Label {
                containers: around(),
                is_part_of_a_longer_name,
                ..label
            };
        }
        by_text @ (LabelVerdict::Mention(_) | LabelVerdict::Text(_)) => {
            return Label {
                containers: around(),
                ..Label::plain(by_text.relation(), range)
            };
        }
    };
    let kind = kind_of(gives, relation);
    if !relation.introduces() {
        return Label {
            containers: around(),
            is_part_of_a_longer_name,
            ..Label::plain(relation, range)
        };
    }
    let parent = frames[at].node;
    let item = if is_part(source, parent, &range, kind) {
        lexical::item(source, &range)
    } else {
        parent.byte_range()
    };
    let mut containers = enclosing(source, tables, frames, at);
    // The name of a definition is not around itself, even if its node is a listed container.
    containers.extend(
        frames[at..]
            .iter()
            .filter(|frame| !gives_own_name(tables, frame.node, &range))
            .filter_map(|frame| listed_name(source, tables, frame.node)),
    );
    Label {
        relation,
        kind,
        item,
        containers,
        is_part_of_a_longer_name,
    }
}

/// Reports whether the occurrence is part of a longer name: inside of the leaf that is the name, a
/// byte of names adjoins it (`empty?`, `$frozen`, `use-latch::wait`), or it is a word of a quoted
/// name with spaces.
fn goes_on(source: &[u8], language: &Language, leaf: Node<'_>, range: &Range<usize>) -> bool {
    let after = source.get(range.end..leaf.end_byte()).unwrap_or_default();
    let before = source
        .get(leaf.start_byte()..range.start)
        .unwrap_or_default();
    let is_of_name =
        |byte: Option<&u8>| byte.is_some_and(|byte| language.lexicon.name_bytes.contains(byte));
    let ends_later = matches!(after.first(), Some(b'?' | b'!' | b'\'' | b'-'))
        || after.starts_with(b"::")
        || is_of_name(after.first());
    // A single dash before the whole name is that of an option.
    let begins_earlier = (before.ends_with(b"-") && before.len() > 1) || is_of_name(before.last());
    let is_quoted = before.starts_with(b"`") && (before.len() > 1 || after.len() > 1);
    leaf.child_count() == 0 && (ends_later || begins_earlier || is_quoted)
}

/// Reports whether the name that a listed container gives is the occurrence itself.
fn gives_own_name(tables: &Tables, node: Node<'_>, name: &Range<usize>) -> bool {
    listed(tables, node)
        .is_some_and(|listed| listed.start_byte() <= name.start && name.end <= listed.end_byte())
}

/// Reports whether the parent that decided is less than the item: broken text, or an argument of
/// the macro that defines.
fn is_part(source: &[u8], parent: Node<'_>, name: &Range<usize>, kind: Option<SymbolKind>) -> bool {
    let has_more = matches!(
        kind,
        Some(SymbolKind::Variable | SymbolKind::Function | SymbolKind::Field)
    );
    parent.is_error()
        || source.get(parent.start_byte()) == Some(&b'(')
        || (has_more && parent.byte_range() == *name)
}

/// Reports whether the grammar got blanks in place of the occurrence. Then no leaf contains it, or
/// only that of a macro's text.
fn is_blanked(language: &Language, frames: &[PathStep<'_>]) -> bool {
    matches!(language.syntax, Syntax::Tidied(..))
        && frames.last().is_some_and(|frame| {
            let is_bare = frame.node.child_count() > 0 && !frame.node.is_error();
            is_bare || frame.node.kind() == "preproc_arg"
        })
}

/// Reports whether the grammar failed just above the occurrence, or dropped the occurrence itself.
fn is_in_unparsed(frames: &[PathStep<'_>]) -> bool {
    let dropped = frames.last().is_some_and(|frame| frame.node.is_error());
    // A deeper name is inside of nodes that were parsed, even if an error is far above them.
    dropped
        || frames
            .iter()
            .rev()
            .skip(1)
            .take(3)
            .any(|frame| is_unparsed(frame.node))
}

/// Labels a name by the words before it, where the grammar failed.
fn unparsed(source: &[u8], language: &'static Language, range: Range<usize>) -> Label {
    let guess = lexical::label(&language.lexicon, source, range.clone());
    match guess.relation {
        // Words that only look like a use, or like an import, prove too little.
        Relation::Defines | Relation::Calls => guess,
        _ => Label::plain(Relation::References, range),
    }
}

/// Returns the kind of comment or string that contains the occurrence, or `None` if code is between
/// them.
fn mention(source: &[u8], tables: &Tables, frames: &[PathStep<'_>]) -> Option<MentionPlace> {
    let marked = frames
        .iter()
        .enumerate()
        .rev()
        .find_map(|(index, frame)| Some((index, tables.mark_of(frame.node)?)));
    let (index, mark) = marked?;
    match mark {
        // Code in a string, `"${name}"`, is code again.
        NodeMark::Code => None,
        NodeMark::Comment => {
            let text = source
                .get(frames[index].node.byte_range())
                .unwrap_or_default();
            Some(if is_doc_comment(text) {
                MentionPlace::Doc
            } else {
                MentionPlace::Comment
            })
        }
        NodeMark::String => Some(if is_docstring(frames, index) {
            MentionPlace::Doc
        } else {
            MentionPlace::String
        }),
    }
}

/// Reports whether a string is the name of what its statement defines (PHP's `define('X', 1)`).
fn names_by_string(place: MentionPlace, gives: Gives) -> bool {
    place == MentionPlace::String
        && matches!(gives, Gives::Defines(_) | Gives::DefinesUnlessLocal(_))
}

pub(crate) fn is_doc_comment(text: &[u8]) -> bool {
    [b"///".as_slice(), b"//!", b"/**", b"/*!", b"---", b"##"]
        .iter()
        .any(|mark| text.starts_with(mark))
}

/// Reports whether a string documents the item around it, as it is a statement of its own.
pub(crate) fn is_docstring(frames: &[PathStep<'_>], index: usize) -> bool {
    index > 0
        && frames[index - 1].node.kind() == "expression_statement"
        && frames[index - 1].node.named_child_count() == 1
}

/// Climbs until a rule decides, and returns the index of the parent that decided.
fn climb(file: ParsedFile<'_>, frames: &[PathStep<'_>]) -> (usize, Gives) {
    let ParsedFile { source, tables, .. } = file;
    let mut at = frames.len().saturating_sub(1);
    let mut gives = Gives::References;
    let mut path: Option<usize> = None;
    while at > 0 {
        let child = frames[at];
        at -= 1;
        gives = tables
            .rules
            .get(&(frames[at].node.kind_id(), child.field))
            .copied()
            .unwrap_or(Gives::References);
        match gives {
            Gives::Through => {}
            // The end of a path is what a call calls or a type inherits; its front parts are only
            // references.
            Gives::Tail if ends(frames[at].node, child) => path = path.or(Some(at)),
            _ => break,
        }
    }
    if matches!(gives, Gives::Through | Gives::Tail) {
        gives = Gives::References;
    }
    // A path that no call and no base ends is a reference, whatever a rule further up says.
    if let Some(path) = path.filter(|_| !matches!(gives, Gives::Calls | Gives::Inherits)) {
        (at, gives) = (path, Gives::References);
    }
    let climb = Climb {
        frames,
        at,
        source,
        scopes: file.scopes,
    };
    (at, (tables.grammar.refine)(&climb, gives))
}

/// Reports whether a child ends the path that its parent is: it has a field that says so, or only
/// arguments follow.
fn ends(parent: Node<'_>, child: PathStep<'_>) -> bool {
    let follows = |next: Node<'_>| {
        next.start_byte() >= child.node.end_byte()
            && next.is_named()
            && !next.kind().contains("argument")
    };
    child.field != 0
        || !(0..parent.child_count())
            .rev()
            .filter_map(|index| parent.child(index))
            .take(PATH_CHILDREN_MAX)
            .any(follows)
}

fn relation_of(
    grammar: &crate::language::Grammar,
    frames: &[PathStep<'_>],
    at: usize,
    gives: Gives,
) -> Relation {
    let encloses = |kinds: &[&str], upto: usize| {
        frames[..upto]
            .iter()
            .any(|frame| kinds.contains(&frame.node.kind()))
    };
    match gives {
        Gives::Defines(_) => Relation::Defines,
        // A variable in a function is bound there, while the same statement at the top defines it.
        Gives::DefinesUnlessLocal(_) if encloses(grammar.local_scopes, at) => Relation::Binds,
        Gives::DefinesUnlessLocal(_) => Relation::Defines,
        Gives::Declares(_) => Relation::Declares,
        Gives::Binds(_) => Relation::Binds,
        Gives::Imports => Relation::Imports,
        Gives::Calls => Relation::Calls,
        Gives::Inherits => Relation::Inherits,
        Gives::Through | Gives::Tail | Gives::References
            if encloses(grammar.imports, frames.len()) =>
        {
            Relation::Imports
        }
        Gives::Through | Gives::Tail | Gives::References => Relation::References,
    }
}

fn kind_of(gives: Gives, relation: Relation) -> Option<SymbolKind> {
    match gives {
        Gives::Defines(kind)
        | Gives::DefinesUnlessLocal(kind)
        | Gives::Declares(kind)
        | Gives::Binds(kind) => Some(kind),
        Gives::Imports
        | Gives::Calls
        | Gives::Inherits
        | Gives::Through
        | Gives::Tail
        | Gives::References => None,
    }
    .filter(|_| !matches!(relation, Relation::Imports | Relation::References))
}

/// Returns the names of the nodes above `frames[upto]` that name what they contain.
fn enclosing(source: &[u8], tables: &Tables, frames: &[PathStep<'_>], upto: usize) -> Vec<String> {
    let is_path = |index: usize| {
        is_name_path(
            tables,
            frames[index].node,
            frames.get(index + 1),
            index + 2 == frames.len(),
        )
    };
    // The names are collected from the inside, so that the bound drops the outermost ones.
    let mut names = Vec::new();
    for index in (0..upto).rev().filter(|&index| !is_path(index)) {
        let own = container_names(source, tables, frames[index].node);
        names.extend(own.into_iter().rev());
        if names.len() >= CONTAINERS_MAX {
            break;
        }
    }
    names.truncate(CONTAINERS_MAX);
    names.reverse();
    names
}

/// Reports whether a node is part of a name (`Foo::bar`) or contains nothing but a name, so that it
/// encloses nothing.
fn is_name_path(
    tables: &Tables,
    node: Node<'_>,
    child: Option<&PathStep<'_>>,
    child_is_last: bool,
) -> bool {
    let gives = child.and_then(|child| tables.rules.get(&(node.kind_id(), child.field)));
    let is_own_name = child_is_last
        && matches!(
            gives,
            Some(Gives::Defines(_) | Gives::DefinesUnlessLocal(_))
        );
    is_own_name
        || gives == Some(&Gives::Through)
        || child_where(tables, node, |gives| gives == Gives::Through).is_some()
}

/// Returns the names that a node gives to what it contains, outermost first.
pub(crate) fn container_names(source: &[u8], tables: &Tables, node: Node<'_>) -> Vec<String> {
    let mut names: Vec<String> = listed_name(source, tables, node).into_iter().collect();
    // `const f = () => {…}` encloses what is in it, while `const n = 1` does not.
    let test = match holds_function(tables, node) {
        Some(true) => |gives| matches!(gives, Gives::Defines(_) | Gives::DefinesUnlessLocal(_)),
        Some(false) => |_| false,
        None => is_container,
    };
    let Some(mut name) =
        child_where(tables, node, test).filter(|name| Some(*name) != listed(tables, node))
    else {
        return names;
    };
    for _ in 0..DECLARATORS_MAX {
        names.extend(listed_name(source, tables, name));
        let Some(inner) = child_where(tables, name, |gives| gives == Gives::Through) else {
            break;
        };
        name = inner;
    }
    names.extend(source.get(name.byte_range()).and_then(clean_name));
    names
}

/// Reports whether the value that a node gives to its name is a function. Returns `None` if it
/// gives no value.
fn holds_function(tables: &Tables, node: Node<'_>) -> Option<bool> {
    let mut fields = tables.value_fields.iter();
    let value = fields.find_map(|&field| node.child_by_field_id(field))?;
    Some(tables.grammar.local_scopes.contains(&value.kind()))
}

/// Returns the name that a node of the table's list of containers gives.
fn listed_name(source: &[u8], tables: &Tables, node: Node<'_>) -> Option<String> {
    clean_name(source.get(listed(tables, node)?.byte_range())?)
}

/// Returns the node of that name.
fn listed<'tree>(tables: &Tables, node: Node<'tree>) -> Option<Node<'tree>> {
    let (_, field) = tables
        .grammar
        .containers
        .iter()
        .find(|(kind, _)| *kind == node.kind())?;
    // A declarator names what the body of its type contains, and nothing if there is no body.
    if *field == "declarator" {
        node.child_by_field_name("type")?
            .child_by_field_name("body")?;
    }
    node.child_by_field_name(field)
}

/// Returns the child in the first name-giving field whose rule passes `test`.
fn child_where<'tree>(
    tables: &Tables,
    node: Node<'tree>,
    test: fn(Gives) -> bool,
) -> Option<Node<'tree>> {
    tables.name_fields.iter().find_map(|&field| {
        let gives = *tables.rules.get(&(node.kind_id(), field))?;
        test(gives).then(|| node.child_by_field_id(field)).flatten()
    })
}

fn is_container(gives: Gives) -> bool {
    use SymbolKind as K;
    match gives {
        Gives::Defines(kind) | Gives::DefinesUnlessLocal(kind) => !matches!(
            kind,
            K::Constant
                | K::Variable
                | K::Field
                | K::Property
                | K::Parameter
                | K::TypeParameter
                | K::Variant
                | K::TypeAlias
                | K::Macro
                | K::Label
        ),
        // A declaration has no body that could contain anything.
        Gives::Declares(_) | Gives::Binds(_) => false,
        Gives::Imports
        | Gives::Calls
        | Gives::Inherits
        | Gives::Through
        | Gives::Tail
        | Gives::References => false,
    }
}

/// Returns a container's name without type parameters, on one line, or the type of a receiver in
/// parentheses.
fn clean_name(text: &[u8]) -> Option<String> {
    // `(r *Reader[T])` before a method of Go names its type last.
    if let Some(receiver) = text.strip_prefix(b"(") {
        let end = receiver
            .iter()
            .position(|byte| matches!(byte, b'[' | b')'))
            .unwrap_or(receiver.len());
        let start = receiver[..end]
            .iter()
            .rposition(|byte| matches!(byte, b' ' | b'*'))
            .map_or(0, |gap| gap + 1);
        return (start < end).then(|| String::from_utf8_lossy(&receiver[start..end]).into_owned());
    }
    let end = text
        .iter()
        .position(|&byte| matches!(byte, b'<' | b'(' | b'\n' | b'{'))
        .unwrap_or(text.len());
    let text = String::from_utf8_lossy(&text[..end.min(CONTAINER_BYTES_MAX)])
        .trim()
        .trim_start_matches(['&', '*'])
        .to_owned();
    let text = without_borrow(&text).to_owned();
    (!text.is_empty()).then_some(text)
}

/// Returns the type alone of `'a mut P`, which an `impl` for a reference names.
fn without_borrow(text: &str) -> &str {
    let lifetime = text
        .strip_prefix('\'')
        .and_then(|rest| rest.split_once(' '))
        .map(|(_, rest)| rest.trim_start());
    let text = lifetime.unwrap_or(text);
    text.strip_prefix("mut ").unwrap_or(text)
}
