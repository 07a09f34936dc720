//! Languages without a grammar: one pass finds comments and strings, a second
//! the lines that define.
//!
//! A definition is at the start of a line, at most after modifiers, so neither a keyword further on
//! nor prose defines anything. If the line does not decide, the occurrence is a reference.

use std::ops::Range;

use grounds_evidence::{MentionPlace, Relation, SymbolKind};
use memchr::{memchr, memmem, memrchr};

use crate::label::{Label, is_doc_comment};
use crate::lexical::{Lexicon, is_called, is_word};

/// Most bytes of a line that are read.
const LINE_BYTES_MAX: usize = 512;
/// Marks between a definer and its name that belong to neither.
const SKIPPED: &[u8] = b" \t*&'\"@$%!";
/// Words before the name of a function that state its type.
const SPECIFIERS: [&[u8]; 6] = [
    b"spec",
    b"callback",
    b"macrocallback",
    b"opaque",
    b"type",
    b"typep",
];
/// Words in the place of a C-like function's type that make the line a statement.
const STATEMENTS: &[&str] = &[
    "return", "else", "new", "throw", "case", "await", "yield", "if", "while", "for", "switch",
    "assert", "delete", "typedef", "using", "import", "export", "goto", "in", "is", "as", "do",
    "try", "catch", "with", "not", "and", "or", "println", "echo", "print",
];

/// The shape of the lines of a language without a grammar, besides its words.
///
/// The definers of its lexicon are phrases: `create table`; `^let` only without white space before
/// it; `fn ()` with a group in parentheses, `resource ""` with a string in between; `class ~=>`
/// with anything up to `=>`; `function …` names the last word before `(`, `;` or `=`.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Marks around comments that may span lines; `^` means at the start of a line.
    pub block_comments: &'static [(&'static str, &'static str)],
    /// Bytes that open and close a string.
    pub quotes: &'static [u8],
    /// Longer marks that open and close a string over several lines.
    pub long_quotes: &'static [&'static str],
    /// Whether a plain string may span lines.
    pub strings_span_lines: bool,
    /// Whether the words are the same in upper and lower case.
    pub any_case: bool,
    /// Words that may precede a definer.
    pub modifiers: &'static [&'static str],
    /// Words that may be inside of a definer, and between it and the name.
    pub fillers: &'static [&'static str],
    /// Bytes that join a path, whose last name is the one defined.
    pub joins: &'static [u8],
    /// Definitions that start with the name.
    pub forms: &'static [DefinitionForm],
    /// Phrases that announce the name after them.
    pub declarers: &'static [&'static str],
    /// Words that are never names.
    pub not_names: &'static [&'static str],
    /// Whether a name is defined in several clauses, one below the other.
    pub clauses: bool,
    /// Whether a line that ends with `;` only announces.
    pub semicolon_declares: bool,
    /// The mark between a field and its type in a record (`{ name :: Type, …`); empty if there are
    /// none.
    pub field_mark: &'static str,
    /// Words of a line whose indented lines count as if they were not indented (a module's).
    pub scopes: &'static [&'static str],
    /// How a call is written.
    pub calls: CallForm,
}

impl Shape {
    /// Strings in double quotes and nothing more.
    pub const PLAIN: Self = Self {
        block_comments: &[],
        quotes: b"\"",
        long_quotes: &[],
        strings_span_lines: false,
        any_case: false,
        modifiers: &[],
        fillers: &[],
        joins: b"",
        forms: &[],
        declarers: &[],
        not_names: &[],
        clauses: false,
        semicolon_declares: false,
        field_mark: "",
        scopes: &[],
        calls: CallForm::Before,
    };
}

/// How a call is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CallForm {
    /// The name, then the parenthesis: `name(…)`.
    Before,
    /// The name directly after the parenthesis: `(name …)`.
    Within,
    /// Its marks do not tell it: arrays are written in the same way, or the language has no calls.
    Untold,
}

impl CallForm {
    /// Reports whether a name that no line defines is called. A name that a block follows may be a
    /// definition.
    fn stands(self, source: &[u8], name: &Range<usize>) -> bool {
        match self {
            Self::Before => {
                is_called(source, name) && !has_block(source, name) && !is_specified(source, name)
            }
            Self::Within => {
                // `'(a b)` is a quoted list of Lisp, whose first word is not called.
                source[..name.start].ends_with(b"(") && !source[..name.start].ends_with(b"'(")
            }
            Self::Untold => false,
        }
    }
}

/// Reports whether a word defines or imports (`defn`, `require`), and so calls nothing itself.
fn is_definer(lexicon: &Lexicon, word: &[u8]) -> bool {
    let bare = |phrase: &str| {
        phrase
            .trim_start_matches(['^', '('])
            .trim_end_matches('(')
            .as_bytes()
            == word
    };
    lexicon.definers.iter().any(|(phrase, _)| bare(phrase))
        || lexicon.importers.iter().any(|phrase| bare(phrase))
}

/// Reports whether the word before a name says that its type follows (`-spec push(term()) -> ok`).
fn is_specified(source: &[u8], name: &Range<usize>) -> bool {
    let before = source[name.start.saturating_sub(LINE_BYTES_MAX)..name.start].trim_ascii_end();
    let length = before
        .iter()
        .rev()
        .take_while(|&&byte| is_word(byte))
        .count();
    SPECIFIERS.contains(&&before[before.len() - length..])
}

/// Reports whether a brace follows the group of parentheses behind a name that starts its line.
fn has_block(source: &[u8], name: &Range<usize>) -> bool {
    let line = memrchr(b'\n', &source[..name.start]).map_or(0, |newline| newline + 1);
    let starts = source[line..name.start]
        .iter()
        .all(|&byte| is_word(byte) || byte.is_ascii_whitespace());
    let rest = &source[name.end..source.len().min(name.end + LINE_BYTES_MAX)];
    starts && group_end(rest, 0).is_some_and(|end| rest[end..].trim_ascii_start().starts_with(b"{"))
}

/// A definition that no word introduces.
#[derive(Clone, Copy, Debug)]
pub enum DefinitionForm {
    /// A name at the start of the line, indented no deeper than the number says, before a phrase
    /// (`name ::`).
    NameThen(&'static str, SymbolKind, usize),
    /// In a block that a line with this word opens: the last name before the mark.
    In(&'static str, &'static str, SymbolKind),
    /// A type, a name, parameters and a body.
    CFunction,
}

/// The definitions, comments and strings of a file in such a language.
#[derive(Debug)]
pub(crate) struct Outline {
    calls: CallForm,
    mentions: Vec<(Range<usize>, MentionPlace)>,
    found: Vec<(Range<usize>, Label)>,
}

impl Outline {
    pub(crate) fn new(lexicon: &Lexicon, shape: &Shape, source: &[u8]) -> Self {
        let mentions = mentions(lexicon, shape, source);
        let code = without(source, &mentions);
        let lines = PlainLines {
            lexicon,
            shape,
            source,
            code: &code,
        };
        Self {
            calls: shape.calls,
            found: lines.found(),
            mentions,
        }
    }

    pub(crate) fn label(&self, lexicon: &Lexicon, source: &[u8], range: Range<usize>) -> Label {
        if let Ok(at) = self
            .found
            .binary_search_by_key(&range.start, |(name, _)| name.start)
            && self.found[at].0 == range
        {
            return self.found[at].1.clone();
        }
        let after = self
            .mentions
            .partition_point(|(span, _)| span.start <= range.start);
        if let Some((_, place)) = self.mentions[..after]
            .last()
            .filter(|(span, _)| range.start < span.end)
        {
            return Label::plain(Relation::Mentions(*place), range);
        }
        // What imports is at the start of the line of the name.
        let line = memrchr(b'\n', &source[..range.start]).map_or(0, |newline| newline + 1);
        let before = source[line..range.start].trim_ascii_start();
        let imports = lexicon.importers.iter().any(|importer| {
            before
                .strip_prefix(importer.as_bytes())
                .is_some_and(|rest| !rest.first().is_some_and(|&byte| is_word(byte)))
        });
        let relation = match imports {
            true => Relation::Imports,
            false
                if self.calls.stands(source, &range)
                    && !is_definer(lexicon, &source[range.clone()]) =>
            {
                Relation::Calls
            }
            false => Relation::References,
        };
        Label {
            is_part_of_a_longer_name: lexicon.goes_on(source, &range),
            ..Label::plain(relation, range)
        }
    }

    pub(crate) fn definitions(&self, most: usize) -> Vec<(Range<usize>, Label)> {
        self.found
            .iter()
            .filter(|(_, label)| label.relation == Relation::Defines)
            .take(most)
            .cloned()
            .collect()
    }
}

/// Returns the comments and strings, in the order of the text.
fn mentions(lexicon: &Lexicon, shape: &Shape, source: &[u8]) -> Vec<(Range<usize>, MentionPlace)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let Some((end, place)) = mention_at(lexicon, shape, source, at) else {
            at += 1;
            continue;
        };
        found.push((at..end, place));
        at = end.max(at + 1);
    }
    found
}

/// Returns the end of the comment or string that starts here.
fn mention_at(
    lexicon: &Lexicon,
    shape: &Shape,
    source: &[u8],
    at: usize,
) -> Option<(usize, MentionPlace)> {
    let opens = |mark: &str| starts(source, at, mark);
    let comment = |end: usize| {
        if is_doc_comment(&source[at..end]) {
            MentionPlace::Doc
        } else {
            MentionPlace::Comment
        }
    };
    // Block comments come first, since a longer mark may begin like a line comment: `#=` and `#` of
    // Julia.
    if let Some((open, close)) = shape.block_comments.iter().find(|(open, _)| opens(open)) {
        let end = block_end(source, at, open.trim_start_matches('^'), close);
        return Some((end, comment(end)));
    }
    if lexicon.line_comments.iter().any(|mark| opens(mark)) {
        let end = memchr(b'\n', &source[at..]).map_or(source.len(), |length| at + length);
        return Some((end, comment(end)));
    }
    if let Some(mark) = shape.long_quotes.iter().find(|mark| opens(mark)) {
        let end = memmem::find(&source[at + mark.len()..], mark.as_bytes())
            .map_or(source.len(), |length| at + length + 2 * mark.len());
        return Some((end, MentionPlace::String));
    }
    (shape.quotes.contains(&source[at]) && !is_char(source, at))
        .then(|| string_end(source, at, shape.strings_span_lines))
        .flatten()
        .map(|end| (end, MentionPlace::String))
}

/// Reports whether a mark is here. `^` allows nothing but white space before it on the line.
fn starts(source: &[u8], at: usize, mark: &str) -> bool {
    let bare = mark.trim_start_matches('^');
    let stands = source[at..].starts_with(bare.as_bytes());
    stands
        && (bare == mark
            || source[..at]
                .iter()
                .rev()
                .take_while(|byte| **byte != b'\n')
                .all(u8::is_ascii_whitespace))
}

/// Returns the end of a block comment. Those of languages that are not like C may contain others.
fn block_end(source: &[u8], at: usize, open: &str, close: &str) -> usize {
    // A comment whose two marks are equal cannot nest, and Perl's `=pod` up to `=cut` does not.
    let nests = open != "/*" && open != close && !open.starts_with('\n');
    let (mut depth, mut at) = (1, at + open.len());
    while at < source.len() {
        if source[at..].starts_with(close.as_bytes()) {
            (depth, at) = (depth - 1, at + close.len());
            if depth == 0 {
                return at;
            }
        } else if nests && source[at..].starts_with(open.as_bytes()) {
            (depth, at) = (depth + 1, at + open.len());
        } else {
            at += 1;
        }
    }
    source.len()
}

/// Reports whether a quote is itself a character (`'"'`, `?"`, `\"`) or part of a name (`foldl'`).
fn is_char(source: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map(|index| source[index]);
    match source[at] {
        b'\'' => before.is_some_and(is_word),
        _ => {
            matches!(before, Some(b'\\' | b'?'))
                || (before == Some(b'\'') && source.get(at + 1) == Some(&b'\''))
        }
    }
}

fn string_end(source: &[u8], start: usize, spans_lines: bool) -> Option<usize> {
    let mut at = start + 1;
    while at < source.len() {
        match source[at] {
            b'\\' => at += 1,
            // Most quotes without an end on their line are no strings: an apostrophe, or a mark of
            // the language.
            b'\n' if !spans_lines => return None,
            byte if byte == source[start] => return Some(at + 1),
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the text with comments and the contents of strings blanked. The quotes stay, since
/// definers may have them.
fn without(source: &[u8], mentions: &[(Range<usize>, MentionPlace)]) -> Vec<u8> {
    let mut code = source.to_vec();
    for (span, place) in mentions {
        let inside = if *place == MentionPlace::String {
            span.start + 1..span.end.saturating_sub(1).max(span.start + 1)
        } else {
            span.clone()
        };
        code[inside]
            .iter_mut()
            .filter(|byte| **byte != b'\n')
            .for_each(|byte| *byte = b' ');
    }
    code
}

/// The lines of a file, read by the shape of its language.
struct PlainLines<'a> {
    lexicon: &'a Lexicon,
    shape: &'a Shape,
    source: &'a [u8],
    code: &'a [u8],
}

impl PlainLines<'_> {
    /// Returns the definitions and declarations of the lines, in the order of the text.
    fn found(&self) -> Vec<(Range<usize>, Label)> {
        let mut found: Vec<(Range<usize>, Label)> = Vec::new();
        let mut above: Vec<Range<usize>> = Vec::new();
        let mut start = 0;
        while start < self.code.len() {
            let end =
                memchr(b'\n', &self.code[start..]).map_or(self.code.len(), |length| start + length);
            let line = start..end.min(start + LINE_BYTES_MAX);
            start = end + 1;
            let text = &self.code[line.clone()];
            if text.trim_ascii().is_empty() {
                continue;
            }
            let is_deeper =
                |owner: &Range<usize>| columns(&self.code[owner.clone()]) < columns(text);
            // Lines that are no less indented are not around this one.
            above.truncate(above.iter().rposition(is_deeper).map_or(0, |at| at + 1));
            let owner = above
                .last()
                .map_or(&[][..], |owner| &self.code[owner.clone()]);
            above.push(line.clone());
            self.add(&mut found, &line, owner);
        }
        found
    }

    /// Adds the name that one line introduces, and the fields after it.
    fn add(&self, found: &mut Vec<(Range<usize>, Label)>, line: &Range<usize>, owner: &[u8]) {
        let item = line.start + indent(&self.code[line.clone()])..line.end;
        let introduced = self.introduced(line, owner);
        let name_end = introduced.as_ref().map(|(name, ..)| name.end);
        let fields = self.fields(line, name_end.unwrap_or(line.start), owner);
        for (name, relation, kind) in introduced.into_iter().chain(fields) {
            // Erlang's `push(Entry) -> …;` and `push(_) -> …` are clauses of one function, which
            // the first one defines.
            let again = found.last().is_some_and(|(last, _)| {
                self.shape.clauses && self.source[last.clone()] == self.source[name.clone()]
            });
            let label = match again {
                true => Label::plain(Relation::References, name.clone()),
                false => Label {
                    kind: Some(kind),
                    ..Label::plain(relation, name.clone())
                },
            };
            let item = item.clone();
            found.push((name, Label { item, ..label }));
        }
    }

    /// Returns the name that ends before a place, without the blanks between, or an empty range.
    fn last_word(&self, text: &[u8], end: usize) -> Range<usize> {
        let end = text[..end].trim_ascii_end().len();
        let gap = text[..end].iter().rposition(|&byte| !self.is_name(byte));
        gap.map_or(0, |gap| gap + 1)..end
    }

    /// Returns the fields of a record on a line: each name before the mark, directly after `{` or
    /// `,`, or at the start of a line below one that opens a record.
    fn fields(
        &self,
        line: &Range<usize>,
        from: usize,
        owner: &[u8],
    ) -> Vec<(Range<usize>, Relation, SymbolKind)> {
        let (text, mark) = (&self.code[line.clone()], self.shape.field_mark);
        let opens = |text: &[u8]| matches!(text.trim_ascii_start().first(), Some(b'{' | b','));
        let in_record = opens(owner) || memchr(b'{', owner).is_some();
        let defines = |text: &[u8]| {
            self.lexicon
                .definers
                .iter()
                .any(|(word, _)| self.phrase(text, indent(text), word, false).is_some())
        };
        // Outside of a record, the mark is a signature: `name :: Type`.
        let is_record = in_record || opens(text) || defines(text) || defines(owner);
        if mark.is_empty() || !is_record {
            return Vec::new();
        }
        let named = |end: usize| {
            let Range { start, end } = self.last_word(text, end);
            let before = text[..start].trim_ascii_end();
            let stands =
                matches!(before.last(), Some(b'{' | b',')) || (before.is_empty() && in_record);
            (stands && start < end && line.start + start >= from)
                .then_some(line.start + start..line.start + end)
        };
        let marks = memmem::find_iter(text, mark.as_bytes());
        marks
            .filter_map(named)
            .map(|name| (name, Relation::Defines, SymbolKind::Field))
            .collect()
    }

    fn introduced(
        &self,
        line: &Range<usize>,
        owner: &[u8],
    ) -> Option<(Range<usize>, Relation, SymbolKind)> {
        let text = &self.code[line.clone()];
        let shift = |name: Range<usize>| line.start + name.start..line.start + name.end;
        if let Some(name) = self.by_declarer(text) {
            return Some((shift(name), Relation::Declares, SymbolKind::Label));
        }
        let outermost = self
            .shape
            .scopes
            .iter()
            .any(|scope| self.has_word(owner, scope));
        let by_form = || {
            self.shape
                .forms
                .iter()
                .find_map(|form| self.by_form(*form, text, owner, outermost))
        };
        let (name, kind) = self.by_definer(line, outermost).or_else(by_form)?;
        let calls = |importer: &&str| {
            importer.ends_with('(') && memmem::find(text, importer.as_bytes()).is_some()
        };
        let announces = self.shape.semicolon_declares
            && kind != SymbolKind::Macro
            && text.trim_ascii_end().ends_with(b";");
        let relation = match announces && !text.contains(&b'{') {
            // Zig's `const std = @import("std")` imports the name.
            _ if self.lexicon.importers.iter().any(calls) => return None,
            true if kind != SymbolKind::Property => Relation::Declares,
            _ => Relation::Defines,
        };
        Some((shift(name), relation, kind))
    }

    fn has_word(&self, line: &[u8], word: &str) -> bool {
        line.split(|&byte| !self.is_name(byte))
            .any(|other| self.same(other, word))
    }

    fn by_declarer(&self, text: &[u8]) -> Option<Range<usize>> {
        let end = self
            .shape
            .declarers
            .iter()
            .find_map(|phrase| self.phrase(text, indent(text), phrase, false))?;
        self.name_after(text, end)
    }

    /// Returns the name after a definer, with modifiers before it.
    fn by_definer(
        &self,
        line: &Range<usize>,
        outermost: bool,
    ) -> Option<(Range<usize>, SymbolKind)> {
        let text = &self.code[line.clone()];
        let mut at = indent(text);
        loop {
            let found = self.lexicon.definers.iter().find_map(|&(phrase, kind)| {
                Some((self.defined(line, at, phrase, outermost)?, kind))
            });
            if found.is_some() {
                return found;
            }
            at = self
                .shape
                .modifiers
                .iter()
                .find_map(|modifier| self.phrase(text, at, modifier, outermost))?;
            at += indent(&text[at..]);
            // A modifier may have a group of its own: `@workgroup_size(64) fn main`.
            if text.get(at) == Some(&b'(') {
                at = group_end(text, at)?;
                at += indent(&text[at..]);
            }
        }
    }

    fn defined(
        &self,
        line: &Range<usize>,
        at: usize,
        phrase: &str,
        outermost: bool,
    ) -> Option<Range<usize>> {
        let text = &self.code[line.clone()];
        if let Some(phrase) = phrase.strip_suffix('…') {
            let end = self.phrase(text, at, phrase.trim_end(), outermost)?;
            return self.last_name(text, end);
        }
        let end = self.phrase(text, at, phrase, outermost)?;
        // A quoted name is blanked in the code, so it is read from the source.
        let quoted = text[end..].trim_ascii_start().starts_with(b"\"");
        self.name_after(
            if quoted {
                &self.source[line.clone()]
            } else {
                text
            },
            end,
        )
    }

    fn by_form(
        &self,
        form: DefinitionForm,
        text: &[u8],
        owner: &[u8],
        outermost: bool,
    ) -> Option<(Range<usize>, SymbolKind)> {
        let at = indent(text);
        match form {
            DefinitionForm::CFunction => self
                .c_function(text)
                .map(|name| (name, SymbolKind::Function)),
            DefinitionForm::In(opener, mark, kind) => {
                let end =
                    memmem::find(text, mark.as_bytes()).filter(|_| self.has_word(owner, opener))?;
                let end = memchr(b'(', &text[..end]).unwrap_or(end);
                let Range { start, end } = self.last_word(text, end);
                let plain = at < end
                    && start < end
                    && !text[start].is_ascii_digit()
                    && !self.is_keyword(&text[self.word(text, at)]);
                plain.then_some((start..end, kind))
            }
            DefinitionForm::NameThen(mark, kind, indent_max) => {
                let near = outermost || columns(text) <= indent_max;
                let name = self
                    .path(text, at)
                    .filter(|name| near && !self.is_keyword(&text[name.clone()]))?;
                let end = self.phrase(text, name.end + indent(&text[name.end..]), mark, false)?;
                // `name ::` and `name :=`, or `name ==` and `name =>`, are other signs than the one
                // wanted.
                let goes_on = match mark.as_bytes().last() {
                    Some(b':') => matches!(text.get(end), Some(b':' | b'=')),
                    Some(b'=') => matches!(text.get(end), Some(b'=' | b'>' | b'~')),
                    _ => false,
                };
                (!goes_on).then_some((name, kind))
            }
        }
    }

    /// Returns the name in `type name(parameters)` on a line that is no statement.
    fn c_function(&self, text: &[u8]) -> Option<Range<usize>> {
        let open = memchr(b'(', text)?;
        let Range { start, end } = self.last_word(text, open);
        let before = &text[indent(text).min(start)..start];
        let first = self.word(before, 0);
        let plain = before
            .iter()
            .all(|&byte| is_word(byte) || b" \t*&<>,.?[]:~@".contains(&byte));
        let typed = !first.is_empty() && before.iter().any(u8::is_ascii_whitespace) && plain;
        let code = text.trim_ascii_end();
        // A line that ends in `;` without a body only declares.
        let bodied =
            !code.ends_with(b";") || code.contains(&b'{') || memmem::find(code, b"=>").is_some();
        let statement = |word: &[u8]| {
            STATEMENTS
                .iter()
                .any(|statement| statement.as_bytes() == word)
        };
        let name = start..end;
        let named =
            !name.is_empty() && !text[start].is_ascii_digit() && !statement(&text[name.clone()]);
        (typed
            && bodied
            && named
            && !statement(&before[first])
            && !self.is_keyword(&text[name.clone()]))
        .then_some(name)
    }

    /// Returns the end of a phrase that begins at `at`.
    fn phrase(&self, text: &[u8], at: usize, phrase: &str, outermost: bool) -> Option<usize> {
        let (mut at, mut rest, mut first) = (at, phrase, true);
        if let Some(tail) = phrase.strip_prefix('^') {
            rest = (at == 0 || outermost).then_some(tail)?;
        }
        while !rest.is_empty() {
            rest = rest.trim_start();
            if !first {
                at += indent(&text[at..]);
            }
            (at, rest) = self.piece(text, at, rest, first)?;
            first = false;
        }
        Some(at)
    }

    /// Returns the end of one piece of a phrase, and the remaining pieces.
    fn piece<'p>(
        &self,
        text: &[u8],
        at: usize,
        phrase: &'p str,
        first: bool,
    ) -> Option<(usize, &'p str)> {
        if let Some(mark) = phrase.strip_prefix('~') {
            return Some((
                at + memmem::find(&text[at..], mark.as_bytes())? + mark.len(),
                "",
            ));
        }
        if let Some(rest) = phrase.strip_prefix("()") {
            return Some((group_end(text, at)?, rest));
        }
        if let Some(rest) = phrase.strip_prefix("\"\"") {
            let inside = text[at..].strip_prefix(b"\"")?;
            return Some((at + memchr(b'"', inside)? + 2, rest));
        }
        let length = phrase
            .bytes()
            .take_while(|&byte| self.is_name(byte))
            .count();
        if length == 0 {
            return (text.get(at) == phrase.as_bytes().first()).then(|| (at + 1, &phrase[1..]));
        }
        let mut word = self.word(text, at);
        // SQL's `create or replace table` has fillers inside of the phrase `create table`.
        while !first
            && !self.same(&text[word.clone()], &phrase[..length])
            && self.is_among(self.shape.fillers, &text[word.clone()])
        {
            word = self.word(text, word.end + indent(&text[word.end..]));
        }
        self.same(&text[word.clone()], &phrase[..length])
            .then_some((word.end, &phrase[length..]))
    }

    /// Returns the name after a definer that ends at `at`.
    fn name_after(&self, text: &[u8], mut at: usize) -> Option<Range<usize>> {
        if text.get(at) == Some(&b'%') {
            return None;
        }
        loop {
            let skipped =
                |byte: &&u8| SKIPPED.contains(byte) && !self.lexicon.name_bytes.contains(byte);
            at += text[at..].iter().take_while(skipped).count();
            // In Clojure, metadata such as `^:private` may come before the name.
            if text.get(at) == Some(&b'^') {
                at += text[at..]
                    .iter()
                    .take_while(|byte| !byte.is_ascii_whitespace())
                    .count();
                continue;
            }
            let word = self.word(text, at);
            // OCaml writes the type variables before the name: `type 'a tree`.
            let is_type_variable = text[word.clone()].starts_with(b"'");
            if word.is_empty()
                || !is_type_variable && !self.is_among(self.shape.fillers, &text[word.clone()])
            {
                break;
            }
            at = word.end;
        }
        self.path(text, at)
    }

    /// Returns the last name of a path that starts at `at`.
    fn path(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let mut name = self.word(text, at);
        loop {
            let joins = text[name.end..]
                .iter()
                .take_while(|byte| self.shape.joins.contains(byte))
                .count();
            let next = self.word(text, name.end + joins);
            if joins == 0 || next.is_empty() {
                break;
            }
            name = next;
        }
        // The end of a sentence, or of a label, belongs to no name.
        while name.len() > 1 && matches!(text[name.end - 1], b'.' | b':' | b'-') {
            name.end -= 1;
        }
        let is_name = |name: &[u8]| {
            name.iter()
                .any(|byte| is_word(*byte) && !byte.is_ascii_digit())
                && !self.is_among(self.shape.not_names, name)
        };
        is_name(&text[name.clone()]).then_some(name)
    }

    /// Returns the last word before `(`, `;`, `=` or the end of the line.
    fn last_name(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let mut depth = 0_i32;
        let ends = |byte: &u8| {
            depth += i32::from(*byte == b'[') - i32::from(*byte == b']');
            depth == 0 && b"(;={,)".contains(byte)
        };
        let end = text[at..]
            .iter()
            .position(ends)
            .map_or(text.len(), |length| at + length);
        let mut end = at + text[at..end].trim_ascii_end().len();
        // `name[3]` and `name[]` end in brackets that are of the type.
        while end > at && text[end - 1] == b']' {
            end = at
                + text[at..end]
                    .iter()
                    .rposition(|&byte| byte == b'[')
                    .map_or(0, |open| text[at..at + open].trim_ascii_end().len());
        }
        let start = text[at..end]
            .iter()
            .rposition(|&byte| !self.is_name(byte))
            .map_or(at, |gap| at + gap + 1);
        (start < end
            && text.get(at).is_some_and(u8::is_ascii_whitespace)
            && !text[start].is_ascii_digit())
        .then_some(start..end)
    }

    fn word(&self, text: &[u8], at: usize) -> Range<usize> {
        let at = at.min(text.len());
        at..at
            + text[at..]
                .iter()
                .take_while(|&&byte| self.is_name(byte))
                .count()
    }

    fn is_name(&self, byte: u8) -> bool {
        is_word(byte) || self.lexicon.name_bytes.contains(&byte)
    }

    fn is_keyword(&self, word: &[u8]) -> bool {
        let defines = self
            .lexicon
            .definers
            .iter()
            .any(|(phrase, _)| self.same(word, phrase.trim_start_matches('^')));
        defines
            || self.is_among(self.shape.modifiers, word)
            || self.is_among(self.shape.not_names, word)
    }

    fn is_among(&self, words: &[&str], word: &[u8]) -> bool {
        words.iter().any(|other| self.same(word, other))
    }

    fn same(&self, word: &[u8], other: &str) -> bool {
        if self.shape.any_case {
            word.eq_ignore_ascii_case(other.as_bytes())
        } else {
            word == other.as_bytes()
        }
    }
}

fn indent(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count()
}

/// Returns the indent of a line in columns, with a tab as eight.
fn columns(text: &[u8]) -> usize {
    text.iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .map(|&byte| if byte == b'\t' { 8 } else { 1 })
        .sum()
}

/// Returns the end of a group in parentheses that opens at `at`.
fn group_end(text: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, byte) in text.iter().enumerate().skip(at) {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(index + 1),
            b')' => depth = depth.checked_sub(1)?,
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}
