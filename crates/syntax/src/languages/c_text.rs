//! C and C++ as their grammars can read them. Macros that annotate a declaration (`static int
//! __init f(void)`, `class API Foo {`) are no syntax to a grammar that runs before the
//! preprocessor, so they are blanked.

use std::ops::Range;

/// Words of declarations that the grammars know and that name no type.
const QUALIFIERS: [&[u8]; 24] = [
    b"static",
    b"extern",
    b"inline",
    b"const",
    b"volatile",
    b"register",
    b"typedef",
    b"restrict",
    b"constexpr",
    b"consteval",
    b"constinit",
    b"virtual",
    b"explicit",
    b"friend",
    b"mutable",
    b"thread_local",
    b"_Noreturn",
    b"_Thread_local",
    b"_Atomic",
    b"__inline",
    b"__inline__",
    b"__restrict",
    b"__thread",
    b"__extension__",
];
const PRIMITIVES: [&[u8]; 14] = [
    b"void",
    b"char",
    b"short",
    b"int",
    b"long",
    b"float",
    b"double",
    b"signed",
    b"unsigned",
    b"bool",
    b"_Bool",
    b"auto",
    b"__int128",
    b"__signed__",
];
const TAGGED: [&[u8]; 4] = [b"struct", b"union", b"enum", b"class"];
/// Words that begin something else than the words of a declaration.
const CONTROLS: [&[u8]; 37] = [
    b"return",
    b"if",
    b"else",
    b"for",
    b"while",
    b"do",
    b"switch",
    b"case",
    b"default",
    b"goto",
    b"break",
    b"continue",
    b"sizeof",
    b"new",
    b"delete",
    b"throw",
    b"operator",
    b"using",
    b"namespace",
    b"template",
    b"typename",
    b"alignof",
    b"decltype",
    b"typeof",
    b"__typeof__",
    b"requires",
    b"concept",
    b"public",
    b"private",
    b"protected",
    b"co_return",
    b"co_await",
    b"co_yield",
    b"asm",
    b"__asm__",
    b"not",
    b"defined",
];
/// Annotations that follow what they annotate, so that they are never its name.
const TRAILING: [&[u8]; 30] = [
    b"init",
    b"exit",
    b"initdata",
    b"initconst",
    b"exitdata",
    b"exitconst",
    b"refdata",
    b"refconst",
    b"meminitdata",
    b"packed",
    b"aligned",
    b"user",
    b"iomem",
    b"percpu",
    b"rcu",
    b"bitwise",
    b"used",
    b"unused",
    b"maybe_unused",
    b"visible",
    b"weak",
    b"read_mostly",
    b"ro_after_init",
    b"cacheline_aligned",
    b"cacheline_aligned_in_smp",
    b"cacheline_internodealigned_in_smp",
    b"page_aligned_data",
    b"page_aligned_bss",
    b"randomize_layout",
    b"no_randomize_layout",
];
/// Annotations with arguments.
const GROUPS: [&[u8]; 24] = [
    b"attribute__",
    b"attribute",
    b"declspec",
    b"aligned",
    b"section",
    b"printf",
    b"scanf",
    b"acquires",
    b"releases",
    b"must_hold",
    b"alloc_size",
    b"assume_aligned",
    b"counted_by",
    b"alias",
    b"copy",
    b"no_sanitize",
    b"diagnose_as",
    b"error",
    b"warning",
    b"cond_acquires",
    b"acquire",
    b"alloc_align",
    b"format",
    b"realloc_size",
];
/// Words that start a declaration; a macro before one can only annotate.
const STARTERS: [&[u8]; 13] = [
    b"template",
    b"using",
    b"namespace",
    b"explicit",
    b"constexpr",
    b"inline",
    b"static",
    b"virtual",
    b"friend",
    b"class",
    b"enum",
    b"typedef",
    b"extern",
];
/// Annotations that no underscores mark.
const BARE: [&[u8]; 5] = [
    b"asmlinkage",
    b"noinline",
    b"notrace",
    b"noinstr",
    b"fastcall",
];

/// Returns the text with annotations blanked, or `None` if it has none.
pub(super) fn tidy(source: &[u8]) -> Option<Vec<u8>> {
    let tokens = tokens(source);
    let text = Text {
        source,
        tokens: &tokens,
    };
    let blanks = text.blanks();
    let types = text.type_arguments();
    if blanks.is_empty() && types.is_empty() {
        return None;
    }
    let mut tidied = source.to_vec();
    // Underscores instead of the type make a name of it, which the grammar accepts as an argument.
    for argument in types {
        tidied[argument].fill(b'_');
    }
    for blank in blanks {
        // Line breaks stay, so that every byte keeps its line.
        tidied[blank]
            .iter_mut()
            .filter(|byte| !byte.is_ascii_whitespace())
            .for_each(|byte| *byte = b' ');
    }
    Some(tidied)
}

/// Reports whether a word that a broken tree takes for a name is a keyword.
pub(super) fn is_keyword(word: &[u8]) -> bool {
    const WORDS: [&[u8]; 10] = [
        b"if", b"else", b"for", b"while", b"switch", b"return", b"sizeof", b"static", b"extern",
        b"const",
    ];
    WORDS.contains(&word) || PRIMITIVES.contains(&word)
}

/// Reports whether a word is written like a macro.
pub(super) fn is_upper(word: &[u8]) -> bool {
    word.len() > 1
        && word.iter().any(u8::is_ascii_uppercase)
        && !word.iter().any(u8::is_ascii_lowercase)
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// A word, or one byte between words.
#[derive(Clone, Copy, Debug)]
struct CToken {
    start: usize,
    end: usize,
    /// The byte of a mark; `a` for a word.
    mark: u8,
}

const WORD: u8 = b'a';
/// The mark of a preprocessor line.
const LINE: u8 = b'#';

fn tokens(source: &[u8]) -> Vec<CToken> {
    let mut found = Vec::with_capacity(source.len() / 5);
    let mut at = 0;
    while let Some(&byte) = source.get(at) {
        let rest = &source[at..];
        let (mark, length) = match byte {
            b'/' if rest.starts_with(b"//") => (0, line_length(rest)),
            b'/' if rest.starts_with(b"/*") => (
                0,
                memchr::memmem::find(&rest[2..], b"*/").map_or(rest.len(), |inner| inner + 4),
            ),
            b'"' | b'\'' => (byte, quoted_length(rest)),
            // A `#` after other text on its line is no directive: it joins words in a macro.
            b'#' if found
                .last()
                .is_none_or(|last: &CToken| source[last.start..at].contains(&b'\n')) =>
            {
                (LINE, line_length(rest))
            }
            _ if is_word(byte) => (WORD, rest.iter().take_while(|&&byte| is_word(byte)).count()),
            _ if byte.is_ascii_whitespace() => (0, 1),
            _ => (byte, 1),
        };
        if mark != 0 {
            found.push(CToken {
                start: at,
                end: at + length,
                mark,
            });
        }
        at += length;
    }
    found
}

/// Returns the length of the line, with those that a backslash joins to it.
fn line_length(text: &[u8]) -> usize {
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'\n', &text[at..]) {
        at += length;
        if !text[..at].trim_ascii_end().ends_with(b"\\") || text[..at].ends_with(b" ") {
            return at;
        }
        at += 1;
    }
    text.len()
}

fn quoted_length(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 1,
            // A quote that is left open ends with its line, so that it takes no code with it.
            b'\n' => return at,
            _ if byte == text[0] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    text.len()
}

struct Text<'a> {
    source: &'a [u8],
    tokens: &'a [CToken],
}

impl Text<'_> {
    fn blanks(&self) -> Vec<Range<usize>> {
        let mut blanks = Vec::new();
        let mut run = Vec::new();
        let mut before = LINE;
        let mut at = 0;
        while let Some(token) = self.tokens.get(at) {
            // Each case takes the first token that it knows; the words that are left make a run,
            // which ends at a mark.
            let word = self.word(at);
            let group = (token.mark == WORD).then(|| self.group_end(at)).flatten();
            if let Some(end) = group {
                blanks.push(token.start..self.tokens[end].end);
                at = end;
            } else if let Some((end, around)) = self.api_around(at) {
                blanks.extend(around);
                at = end;
            } else if self.stands_alone(at)
                || self.ends_header(at)
                || self.precedes_starter(at)
                || self.precedes_attribute(at)
            {
                blanks.push(token.start..token.end);
            } else if token.mark == LINE {
                blanks.extend(self.comments_before_joints(token));
                self.judge(&run, before, at, &mut blanks);
                run.clear();
                before = LINE;
            } else if word == b"typename" && self.mark(at + 1) == b':' {
                blanks.push(token.start..token.end);
            } else if token.mark == WORD && CONTROLS.contains(&word) {
                // After such a word an expression or another construct follows, whose words are no
                // declaration.
                run.clear();
                before = 0;
            } else if matches!(token.mark, WORD | b'*' | b'&') {
                run.push(at);
            } else {
                self.judge(&run, before, at, &mut blanks);
                run.clear();
                before = token.mark;
            }
            at += 1;
        }
        blanks
    }

    fn word(&self, token: usize) -> &[u8] {
        self.tokens
            .get(token)
            .map_or(b"".as_slice(), |token| &self.source[token.start..token.end])
    }

    fn mark(&self, token: usize) -> u8 {
        self.tokens.get(token).map_or(0, |token| token.mark)
    }

    /// Returns the closing parenthesis of an annotation with arguments.
    fn group_end(&self, at: usize) -> Option<usize> {
        if self.mark(at + 1) != b'(' {
            return None;
        }
        let word = self.word(at);
        let known = word
            .strip_prefix(b"__")
            .is_some_and(|stem| GROUPS.contains(&stem));
        let before = at
            .checked_sub(1)
            .map(|before| self.word(before))
            .unwrap_or_default();
        let annotates = is_annotation(word) && QUALIFIERS.contains(&before);
        let of_tag = is_upper(word) && TAGGED.contains(&before);
        let after_header = is_upper(word) && self.follows_header(at) && !self.starts_line(at);
        // `DEFINE_LOCK(name)` on a line of its own defines something and is no annotation.
        let own_line = is_upper(word)
            && !word.windows(6).any(|part| part == b"DEFINE")
            && self.starts_line(at);
        if !(known || annotates || of_tag || after_header || own_line) {
            return None;
        }
        let end = self.closing(at + 1)?;
        let next = self.mark(end + 1);
        if own_line {
            return (next == WORD
                && self.starts_line(end + 1)
                && STARTERS.contains(&self.word(end + 1)))
            .then_some(end);
        }
        (known
            || if after_header {
                matches!(next, b'{' | b';' | b'=')
            } else {
                next == WORD
            })
        .then_some(end)
    }

    /// Finds a macro around the type that a function returns, at the start of a line: `API(char *)
    /// name(void);`. Returns its closing parenthesis, and the bytes that are not of the type.
    fn api_around(&self, at: usize) -> Option<(usize, [Range<usize>; 2])> {
        let is_macro = self.mark(at) == WORD && self.mark(at + 1) == b'(' && self.starts_line(at);
        if !is_macro || CONTROLS.contains(&self.word(at)) {
            return None;
        }
        let end = self.closing(at + 1)?;
        let inner = at + 2..end;
        let is_word_or_star = |token: usize| matches!(self.mark(token), WORD | b'*');
        // Two macros in a row look alike, but have no type between the parentheses.
        let is_type =
            |token: usize| self.mark(token) == b'*' || PRIMITIVES.contains(&self.word(token));
        let wraps = inner.clone().all(is_word_or_star) && inner.clone().any(is_type);
        let names =
            self.mark(end + 1) == WORD && self.mark(end + 2) == b'(' && !self.starts_line(end + 1);
        let closes = (wraps && names).then(|| self.closing(end + 2)).flatten();
        // Without a body or a semicolon after its parentheses, it is a call in an expression.
        let is_head = closes.is_some_and(|close| matches!(self.mark(close + 1), b';' | b'{'));
        let (open, close) = (&self.tokens[at + 1], &self.tokens[end]);
        is_head.then(|| {
            (
                end,
                [self.tokens[at].start..open.end, close.start..close.end],
            )
        })
    }

    fn starts_line(&self, at: usize) -> bool {
        let start = self.tokens[at].start;
        start == 0 || self.source[start - 1] == b'\n'
    }

    /// Returns the types among the arguments of macro calls that are statements:
    /// `DEFINE_PER_CPU(int, name);` is a call to the grammar only with a name there.
    fn type_arguments(&self) -> Vec<Range<usize>> {
        let is_type = |token: usize| {
            PRIMITIVES.contains(&self.word(token)) || TAGGED.contains(&self.word(token))
        };
        let mut found = Vec::new();
        for at in (0..self.tokens.len()).filter(|&at| self.is_macro_statement(at)) {
            let Some(end) = self.closing(at + 1) else {
                continue;
            };
            // An argument starts after the opening parenthesis or a comma.
            let commas = (at + 1..end).filter(|&token| token == at + 1 || self.mark(token) == b',');
            for start in commas
                .map(|comma| comma + 1)
                .filter(|&start| is_type(start))
            {
                let stop = (start..=end)
                    .find(|&token| matches!(self.mark(token), b',' | b')' | b'('))
                    .unwrap_or(end);
                found.push(self.tokens[start].start..self.tokens[stop - 1].end);
            }
        }
        found
    }

    fn is_macro_statement(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(LINE, |before| self.mark(before));
        let follows = matches!(before, b';' | b'}' | b')' | LINE);
        follows
            && self.mark(at) == WORD
            && self.mark(at + 1) == b'('
            && self.starts_line(at)
            && is_upper(self.word(at))
    }

    /// Returns the comments at the end of a line that a backslash joins to the next. The grammars
    /// end a macro there.
    fn comments_before_joints(&self, line: &CToken) -> Vec<Range<usize>> {
        let text = &self.source[line.start..line.end];
        let starts = memchr::memmem::find_iter(text, b"/*");
        let whole = starts.filter_map(|start| {
            memchr::memmem::find(&text[start + 2..], b"*/").map(|length| start..start + length + 4)
        });
        let joins =
            |comment: &Range<usize>| text[comment.end..].trim_ascii_start().first() == Some(&b'\\');
        whole
            .filter(joins)
            .map(|comment| line.start + comment.start..line.start + comment.end)
            .collect()
    }

    /// Reports whether parentheses precede, with at most one `const`, `noexcept` or `override` in
    /// between.
    fn follows_header(&self, at: usize) -> bool {
        let closes = |back: usize| {
            at.checked_sub(back)
                .is_some_and(|before| self.mark(before) == b')')
        };
        let qualifies = at.checked_sub(1).is_some_and(|before| {
            matches!(self.word(before), b"const" | b"noexcept" | b"override")
        });
        closes(1) || (qualifies && closes(2))
    }

    /// Reports whether a macro ends the head of a function: `f(void) API;`.
    fn ends_header(&self, at: usize) -> bool {
        self.follows_header(at)
            && matches!(self.mark(at + 1), b';' | b'{')
            && self.mark(at) == WORD
            && is_upper(self.word(at))
    }

    /// Reports whether a macro precedes a word that starts a declaration: `API template <class T>
    /// …`.
    fn precedes_starter(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or(LINE, |before| self.mark(before));
        matches!(before, b';' | b'}' | b'{' | b':' | b'>' | LINE)
            && self.mark(at) == WORD
            && is_upper(self.word(at))
            && STARTERS.contains(&self.word(at + 1))
    }

    /// Reports whether a macro precedes an attribute: `class API [[nodiscard]] Foo …`.
    fn precedes_attribute(&self, at: usize) -> bool {
        let follows_tag = at
            .checked_sub(1)
            .is_some_and(|before| TAGGED.contains(&self.word(before)));
        follows_tag
            && is_upper(self.word(at))
            && self.mark(at + 1) == b'['
            && self.mark(at + 2) == b'['
    }

    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0_usize;
        // Without a bound, an open parenthesis in broken text would be searched to the end of the
        // file for each word.
        for (index, token) in self.tokens.iter().enumerate().skip(open).take(400) {
            match token.mark {
                b'(' => depth += 1,
                b')' if depth == 1 => return Some(index),
                b')' => depth -= 1,
                b';' | b'{' => return None,
                _ => {}
            }
        }
        None
    }

    /// Reports whether a macro is on a line of its own between two declarations.
    fn stands_alone(&self, at: usize) -> bool {
        let token = self.tokens[at];
        let after = |gap: &[u8]| gap.contains(&b'\n');
        token.mark == WORD
            && is_upper(self.word(at))
            && at.checked_sub(1).is_none_or(|before| {
                let is_macro = self.mark(before) == WORD && is_upper(self.word(before));
                (is_macro || matches!(self.mark(before), b';' | b'}' | b'{' | LINE))
                    && after(&self.source[self.tokens[before].end..token.start])
            })
            && matches!(self.mark(at + 1), WORD | LINE)
            && after(&self.source[token.end..self.tokens[at + 1].start])
    }

    /// Blanks the words of a run (with the stars between them) that the declaration does not need.
    fn judge(&self, run: &[usize], before: u8, next: usize, blanks: &mut Vec<Range<usize>>) {
        let mut words: Vec<usize> = run
            .iter()
            .copied()
            .filter(|&token| self.mark(token) == WORD)
            .collect();
        // After a closing bracket the run may consist of annotations alone: `} __packed;`.
        let most = usize::from(!matches!(before, b'}' | b')' | b']'));
        let mut drop = |token: usize| blanks.push(self.tokens[token].start..self.tokens[token].end);
        while words.len() > most
            && words
                .last()
                .is_some_and(|&last| is_trailing(self.word(last)) && run.last() == Some(&last))
        {
            let last = words.pop().unwrap_or_default();
            drop(last);
            // In `char * __user` a star precedes the annotation, so the word before the star is the
            // type.
            if words.last().is_some_and(|&word| word + 1 != last) {
                break;
            }
        }
        if words.len() < 2 {
            return;
        }
        for token in self.superfluous(&words, before, next) {
            drop(token);
        }
    }

    fn superfluous(&self, words: &[usize], before: u8, next: usize) -> Vec<usize> {
        let is = |list: &[&[u8]], token: usize| list.contains(&self.word(token));
        let tag = words.iter().position(|&token| is(&TAGGED, token));
        // `class API Foo : public Bar {` has a body or bases, so its last plain word is the name.
        if let (Some(tag), b'{' | b':' | b'<') = (tag, self.mark(next)) {
            return self.around_tag(&words[tag + 1..]);
        }
        // `API Foo::name` qualifies the name, so a macro before the path is an annotation.
        if self.mark(next) == b':' && self.mark(next + 1) == b':' {
            let first = (words.len() == 2 && is_upper(self.word(words[0]))).then_some(words[0]);
            return first.into_iter().collect();
        }
        let begins =
            is(&QUALIFIERS, words[0]) || is(&PRIMITIVES, words[0]) || is(&TAGGED, words[0]);
        if !matches!(self.mark(next), b'(' | b';' | b'=' | b',' | b'[' | b')')
            || (before == b')' && !begins)
        {
            return Vec::new();
        }
        // A constructor has no type before its name.
        if self.mark(next) == b'(' && self.is_constructor(words, next) {
            let (_, rest) = words.split_last().unwrap_or((&0, &[]));
            let rest = rest.iter().copied();
            return rest.filter(|&token| is_upper(self.word(token))).collect();
        }
        self.around_type(words, tag)
    }

    /// Returns the superfluous words around the type of a declaration: a primitive type, one with a
    /// tag, or a name.
    fn around_type(&self, words: &[usize], tag: Option<usize>) -> Vec<usize> {
        let is = |list: &[&[u8]], token: usize| list.contains(&self.word(token));
        let primitive = words.iter().rposition(|&token| is(&PRIMITIVES, token));
        match (primitive, tag) {
            (Some(base), _) => self.around_base(words, base, base),
            (None, Some(tag)) => self.around_base(words, tag, self.tag_name(words, tag)),
            (None, None) => {
                let words = words.iter().copied();
                let open: Vec<usize> = words.filter(|&token| !is(&QUALIFIERS, token)).collect();
                self.around_type_name(&open)
            }
        }
    }

    /// Reports whether `type (*name)` follows, so that the word before is no name.
    fn points(&self, token: usize) -> bool {
        self.mark(token + 1) == b'(' && self.mark(token + 2) == b'*'
    }

    /// Reports whether a run is the head of a constructor: `API Foo(…) : member(…)`.
    fn is_constructor(&self, words: &[usize], open: usize) -> bool {
        let annotates =
            |&token: &usize| is_upper(self.word(token)) || QUALIFIERS.contains(&self.word(token));
        let annotated = words
            .split_last()
            .is_some_and(|(_, rest)| rest.iter().all(annotates));
        let Some(end) = self.closing(open).filter(|_| annotated) else {
            return false;
        };
        let end = end + usize::from(self.word(end + 1) == b"noexcept");
        self.mark(end + 1) == b':' && self.mark(end + 2) == WORD
    }

    /// Returns the annotations beside the name of `class API Foo final {` or `class Foo API_FINAL
    /// :`. The name is the last word that is not written like a macro or an annotation. If each
    /// is, it is the last one that does not end in `FINAL`.
    fn around_tag(&self, tags: &[usize]) -> Vec<usize> {
        let is_noise = |token: usize| is_upper(self.word(token)) || is_annotation(self.word(token));
        let words: Vec<usize> = tags
            .iter()
            .copied()
            .filter(|&token| self.word(token) != b"final")
            .collect();
        let plain = words.iter().rev().find(|&&token| !is_noise(token));
        let closes = |token: &&usize| !self.word(**token).ends_with(b"FINAL");
        let name = plain.or_else(|| words.iter().rev().find(closes));
        words
            .iter()
            .copied()
            .filter(|token| is_noise(*token) && Some(token) != name)
            .collect()
    }

    /// Returns the index in `words` of the name after `struct`.
    fn tag_name(&self, words: &[usize], tag: usize) -> usize {
        let name = (tag + 1..words.len()).find(|&index| !is_annotation(self.word(words[index])));
        name.unwrap_or(tag + 1).min(words.len() - 1)
    }

    /// Returns the superfluous words around a type from `start` to `base` that is sure: of the
    /// other words, only the name is needed.
    fn around_base(&self, words: &[usize], start: usize, base: usize) -> Vec<usize> {
        let is_needed = |&token: &usize| {
            let word = self.word(token);
            QUALIFIERS.contains(&word) || PRIMITIVES.contains(&word) || TAGGED.contains(&word)
        };
        let after: Vec<usize> = words[base + 1..]
            .iter()
            .copied()
            .filter(|token| !is_needed(token))
            .collect();
        // The name is the last word that is no annotation, or the last of all if each looks like
        // one.
        let name = after
            .iter()
            .rev()
            .find(|&&token| !is_annotation(self.word(token)))
            .or(after.last());
        // Before a star or `(*`, a word belongs to the type, and the name is not in this run.
        let name = name
            .copied()
            .filter(|&token| !matches!(self.mark(token + 1), b'*' | b'&') && !self.points(token));
        let ahead = words[..start]
            .iter()
            .copied()
            .filter(|token| !is_needed(token));
        let within = words[start..base]
            .iter()
            .copied()
            .filter(|token| !is_needed(token));
        ahead
            .chain(within)
            .chain(after.into_iter().filter(|&token| Some(token) != name))
            .collect()
    }

    /// Returns the superfluous words if none is surely a type: the type is then the last word that
    /// looks like one before the name.
    fn around_type_name(&self, words: &[usize]) -> Vec<usize> {
        let Some(&last) = words.last() else {
            return Vec::new();
        };
        let is_noise = |token: usize| is_annotation(self.word(token));
        let touches = |token: usize| {
            self.mark(token + 1) == WORD
                || token
                    .checked_sub(1)
                    .is_some_and(|before| self.mark(before) == WORD)
        };
        let has_name = !matches!(self.mark(last + 1), b'*' | b'&') && !self.points(last);
        let plain: Vec<usize> = words
            .iter()
            .copied()
            .filter(|&token| !is_noise(token))
            .collect();
        let kept: Vec<usize> = match plain[..] {
            [] => return Vec::new(),
            [only] if !has_name => vec![only],
            [only] if only == last => words[words.len().saturating_sub(2)..].to_vec(),
            [only] => vec![only, last],
            [.., kind] if !has_name => vec![kind],
            [.., kind, name] => vec![kind, name],
        };
        // A word between marks is left: the grammar reads it without trouble, and the guess may be
        // wrong.
        words
            .iter()
            .copied()
            .filter(|&token| !kept.contains(&token) && touches(token))
            .collect()
    }
}

/// Reports whether a word annotates: reserved for the implementation, and not written as types are
/// (`__u32`, `__kernel_size_t`).
fn is_annotation(word: &[u8]) -> bool {
    if BARE.contains(&word) {
        return true;
    }
    let typed = word.ends_with(b"_t")
        || word.ends_with(b"__")
        || word.last().is_some_and(u8::is_ascii_digit);
    word.starts_with(b"__")
        && !typed
        && !QUALIFIERS.contains(&word)
        && !word.starts_with(b"__builtin")
}

fn is_trailing(word: &[u8]) -> bool {
    let stem = word
        .strip_prefix(b"____")
        .or_else(|| word.strip_prefix(b"__"));
    stem.is_some_and(|stem| TRAILING.contains(&stem))
}
