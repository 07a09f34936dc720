//! C. Definitions are often made by macros, and the result of the preprocessor is not known. Where
//! the tree is broken, the text around a name decides.

use std::ops::Range;

use grounds_evidence::SymbolKind as Kind;
use tree_sitter::Node;

use super::c_text::{self, is_upper, is_word};
use crate::language::Gives::{
    Binds, Calls, Declares, Defines, DefinesUnlessLocal, Inherits, References, Tail, Through,
};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, join, rule};
use crate::lexical::Lexicon;

pub(super) static C: Language = Language {
    name: "C",
    extensions: &["c"],
    file_names: &[],
    interpreters: &[],
    syntax: Syntax::Tidied(
        Grammar {
            load: || tree_sitter_c::LANGUAGE.into(),
            rules: &RULES,
            containers: &TYPEDEFS,
            members_define: false,
            local_scopes: &["function_definition"],
            comments: &["comment"],
            strings: &["string_literal", "char_literal", "system_lib_string"],
            interpolations: &[],
            imports: &["preproc_include"],
            refine,
        },
        c_text::tidy,
    ),
    lexicon: Lexicon {
        definers: &[("define", Kind::Macro)],
        importers: &[],
        line_comments: &["//"],
        name_bytes: b"$",
        ..Lexicon::NONE
    },
};

const RULES: [Rule; 28] = join(
    &SHARED_RULES,
    &[rule("parameter_list", "", Binds(Kind::Parameter))],
);

/// The rules that C and C++ share.
pub(super) const SHARED_RULES: [Rule; 27] = [
    rule("function_definition", "declarator", Defines(Kind::Function)),
    rule("function_declarator", "declarator", Through),
    rule("pointer_declarator", "declarator", Through),
    rule("array_declarator", "declarator", Through),
    rule("init_declarator", "declarator", Through),
    rule("parenthesized_declarator", "", Through),
    rule("attributed_declarator", "", Through),
    rule(
        "declaration",
        "declarator",
        DefinesUnlessLocal(Kind::Variable),
    ),
    rule("field_declaration", "declarator", Defines(Kind::Field)),
    rule(
        "parameter_declaration",
        "declarator",
        Binds(Kind::Parameter),
    ),
    rule("type_definition", "declarator", Defines(Kind::TypeAlias)),
    rule("struct_specifier", "name", Defines(Kind::Struct)),
    rule("union_specifier", "name", Defines(Kind::Union)),
    rule("enum_specifier", "name", Defines(Kind::Enum)),
    rule("enumerator", "name", Defines(Kind::Variant)),
    rule("preproc_def", "name", Defines(Kind::Macro)),
    rule("preproc_function_def", "name", Defines(Kind::Macro)),
    rule("preproc_params", "", Binds(Kind::Parameter)),
    rule("labeled_statement", "label", Binds(Kind::Label)),
    rule("argument_list", "", References),
    rule("call_expression", "function", Calls),
    rule("field_expression", "field", Tail),
    rule("pointer_expression", "argument", Tail),
    rule("parenthesized_expression", "", Tail),
    rule("type_descriptor", "type", References),
    rule("parameter_declaration", "type", References),
    rule("expression_statement", "", References),
];

/// Nodes that name their content: what is inside of `typedef struct { … } NAME;` belongs to that
/// name.
pub(super) const TYPEDEFS: [(&str, &str); 1] = [("type_definition", "declarator")];

/// Most bytes around a name that are read where the tree does not decide.
const NEAR_BYTES: usize = 2_000;
const WRAPPERS: [&str; 3] = [
    "parenthesized_declarator",
    "attributed_declarator",
    "qualified_identifier",
];

pub(super) fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    // A macro that defines comes first: the grammar takes its call for any construct.
    if let Some(made) = made_by_macro(climb) {
        return made;
    }
    match climb.parent().kind() {
        // A broken tree may take a keyword for a name.
        _ if gives != References && c_text::is_keyword(climb.text(climb.name())) => References,
        // A macro's lines after the first are outside of it to the grammar, so they look like
        // declarations.
        kind if !matches!(gives, References | Calls | Inherits)
            && !kind.starts_with("preproc")
            && in_macro_body(climb) =>
        {
            References
        }
        "function_definition" if gives != References => of_function(climb),
        "declaration" if gives != References => of_declaration(climb),
        "type_definition" if gives != References => of_typedef(climb, gives),
        "struct_specifier" | "union_specifier" | "enum_specifier" | "class_specifier"
            if gives != References =>
        {
            of_tag(climb, gives)
        }
        // `name(…) {` at the start of a line is a function, even if the tree shows none.
        "ERROR" | "call_expression" if is_function_text(climb) => Defines(Kind::Function),
        "ERROR" | "call_expression" if is_prototype_text(climb) => Declares(Kind::Function),
        "ERROR" => tag_text(climb).unwrap_or(gives),
        _ => gives,
    }
}

fn of_function(climb: &Climb<'_, '_>) -> Gives {
    let before = climb
        .parent()
        .child_by_field_name("type")
        .map(|node| node.kind());
    match (innermost_declarator(climb), before) {
        // `DEFINE_LOCK(name) { … }` is a macro's call with a body behind it.
        (Some("function_declarator"), _) if is_macro_of(climb.text(climb.name()), b"DEFINE") => {
            Calls
        }
        // Without a type before it, a name in capitals is a macro; a member may be a constructor.
        (Some("function_declarator"), None)
            if is_upper(climb.text(climb.name())) && !is_member(climb) =>
        {
            Calls
        }
        (Some("function_declarator"), _) => Defines(Kind::Function),
        // `class API Foo {` is read as a function that returns a class, with the name as its
        // declarator.
        (_, Some("class_specifier")) => Defines(Kind::Class),
        (_, Some("struct_specifier")) => Defines(Kind::Struct),
        _ => References,
    }
}

/// Decides a typedef. A type without a name of its own (`typedef enum { … } NAME;`) gets the name
/// of the typedef.
fn of_typedef(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let named = climb.parent().child_by_field_name("type");
    let body = named.filter(|node| {
        node.child_by_field_name("name").is_none() && node.child_by_field_name("body").is_some()
    });
    match body.map(|node| node.kind()) {
        // `typedef struct { … } *NAME;` names a pointer to the type.
        _ if innermost_declarator(climb).is_some() => gives,
        Some("enum_specifier") => Defines(Kind::Enum),
        Some("struct_specifier") => Defines(Kind::Struct),
        Some("union_specifier") => Defines(Kind::Union),
        _ => gives,
    }
}

fn is_member(climb: &Climb<'_, '_>) -> bool {
    climb.passed("qualified_identifier") || climb.inside(&["field_declaration_list"])
}

fn of_declaration(climb: &Climb<'_, '_>) -> Gives {
    let local = is_local(climb);
    let parent = climb.parent();
    let is_extern = (0..parent.child_count())
        .filter_map(|index| parent.child(index))
        .any(|child| climb.text(child) == b"extern");
    match innermost_declarator(climb) {
        _ if local => Binds(Kind::Variable),
        Some("function_declarator") => Declares(Kind::Function),
        // `extern int n;` only announces, and with a value it defines.
        _ if is_extern && !climb.passed("init_declarator") => Declares(Kind::Variable),
        _ => Defines(Kind::Variable),
    }
}

/// Reports whether a declaration is inside a function. One that starts its line is not, even if a
/// broken tree with unbalanced braces says so.
pub(super) fn is_local(climb: &Climb<'_, '_>) -> bool {
    let start = climb.parent().start_byte();
    let starts_line = start == 0 || climb.source.get(start - 1) == Some(&b'\n');
    let of_parameter = climb.grandparent_kind() == Some("function_definition");
    of_parameter
        || (climb.inside(&[
            "function_definition",
            "lambda_expression",
            "compound_statement",
        ]) && !starts_line)
}

/// Returns the declarator directly around the name.
pub(super) fn innermost_declarator<'tree>(climb: &Climb<'_, 'tree>) -> Option<&'tree str> {
    let above = climb.frames[climb.at + 1..climb.frames.len() - 1]
        .iter()
        .rev()
        .map(|frame| frame.node.kind());
    above
        .into_iter()
        .find(|kind| kind.ends_with("_declarator") && !WRAPPERS.contains(kind))
}

/// Decides a type with a tag: with a body it is a definition, alone an announcement, as the type of
/// something else a use.
fn of_tag(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    let Defines(kind) = gives else { return gives };
    let around = climb
        .at
        .checked_sub(1)
        .map(|index| climb.frames[index].node);
    // `struct a;` among the fields of a type declares no field.
    let is_alone = |node: Node<'_>| {
        node.kind() == "field_declaration" && node.child_by_field_name("declarator").is_none()
    };
    if climb.parent().child_by_field_name("body").is_some() {
        return gives;
    }
    // In a field of the node above, the tag is the type of something else: `struct a b;`.
    let announces = climb.frames[climb.at].field == 0
        && around.is_none_or(|node| node.kind() != "friend_declaration" && !node.is_error());
    if announces || around.is_some_and(is_alone) {
        Declares(kind)
    } else {
        References
    }
}

/// Reads `DEFINE_MUTEX(name)` and `DECLARE_BITMAP(name, 3)`, wherever the grammar put them.
fn made_by_macro(climb: &Climb<'_, '_>) -> Option<Gives> {
    let kinds = [
        "preproc_arg",
        "preproc_def",
        "preproc_function_def",
        "string_literal",
    ];
    let name = climb.text(climb.name());
    // The text around a name is read first: it excludes most names, at less cost than the kinds
    // above them.
    let (called, position) = call_around(climb.source, climb.name().byte_range())?;
    let is_name = name.iter().all(|&byte| is_word(byte)) && !c_text::is_keyword(name);
    if !is_name || climb.inside(&kinds) || kinds.contains(&climb.parent().kind()) {
        return None;
    }
    let defines = is_macro_of(called, b"DEFINE");
    // `DEFINE_PER_CPU(int, name)` and `DEFINE_EVENT(class, name, …)` have the name in second place.
    let second = [b"PER".as_slice(), b"EVENT"]
        .iter()
        .any(|word| is_macro_of(called, word));
    if !(defines || is_macro_of(called, b"DECLARE")) || position != usize::from(second) {
        return None;
    }
    Some(if climb.inside(&["field_declaration_list"]) {
        Defines(Kind::Field)
    } else if climb.inside(&["compound_statement"])
        && !starts_line(climb.source, climb.name().start_byte())
    {
        Binds(Kind::Variable)
    } else if !defines {
        Declares(Kind::Variable)
    } else if has_body(climb.source, climb.name().end_byte(), 1) {
        Defines(Kind::Function)
    } else {
        Defines(Kind::Variable)
    })
}

/// Reports whether `word` is one of the words of a macro's name, without digits at its end.
fn is_macro_of(name: &[u8], word: &[u8]) -> bool {
    name.split(|&byte| byte == b'_').any(|part| {
        let digits = part
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        &part[..part.len() - digits] == word
    })
}

/// Returns the macro that is called with `name` as a whole argument, and the argument's number.
fn call_around(source: &[u8], name: Range<usize>) -> Option<(&[u8], usize)> {
    let next = source
        .get(name.end..)?
        .iter()
        .find(|byte| !byte.is_ascii_whitespace())?;
    let mut position = 0;
    let start = name.start.saturating_sub(NEAR_BYTES / 10);
    let mut at = start + source[start..name.start].trim_ascii_end().len();
    if !matches!(next, b',' | b')' | b'[') || !matches!(source[start..at].last(), Some(b'(' | b','))
    {
        return None;
    }
    while at > start {
        at -= 1;
        match source[at] {
            b',' => position += 1,
            b'(' => break,
            // An argument before the name with parentheses or braces of its own makes the place
            // unsure.
            b')' | b';' | b'{' | b'}' => return None,
            _ => {}
        }
    }
    let called = last_word(&source[start..at]);
    is_upper(called).then_some((called, position))
}

/// Reports whether `name(…) {` is on a line that starts in the first column, for text in which the
/// tree shows no function.
fn is_function_text(climb: &Climb<'_, '_>) -> bool {
    let name = climb.name();
    let word = climb.text(name);
    !is_upper(word)
        && !c_text::is_keyword(word)
        && starts_line(climb.source, name.start_byte())
        && has_body(climb.source, name.end_byte(), 0)
}

/// Reports whether the name is that of `EXPORT(type) name(…);` on a line that starts in the first
/// column, which the grammar may read as calls.
fn is_prototype_text(climb: &Climb<'_, '_>) -> bool {
    let (source, name) = (climb.source, climb.name());
    let start = name.start_byte();
    let line = memchr::memrchr(b'\n', &source[..start]).map_or(0, |newline| newline + 1);
    let before = &source[line..start];
    let macro_end = before.iter().take_while(|&&byte| is_word(byte)).count();
    let Some(close) = memchr::memrchr(b')', before) else {
        return false;
    };
    let is_called = is_upper(&before[..macro_end]) && before.get(macro_end) == Some(&b'(');
    let between = &before[close + 1..];
    is_called
        && !is_upper(climb.text(name))
        && between.iter().all(|byte| b" \t*".contains(byte))
        && ends_after_brackets(source, name.end_byte())
}

/// Reports whether the parentheses at `from` are followed by the end of a statement.
fn ends_after_brackets(source: &[u8], from: usize) -> bool {
    let rest = &source[from..source.len().min(from + NEAR_BYTES)];
    let mut depth = 0_usize;
    for (index, &byte) in rest.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return rest[index + 1..].trim_ascii_start().starts_with(b";"),
            b')' => depth = depth.saturating_sub(1),
            b'{' | b'}' | b';' | b'"' => return false,
            byte if depth == 0 && !byte.is_ascii_whitespace() => return false,
            _ => {}
        }
    }
    false
}

/// Reports whether the line of `at` starts with a word in its first column.
fn starts_line(source: &[u8], at: usize) -> bool {
    let line = memchr::memrchr(b'\n', &source[..at]).map_or(0, |newline| newline + 1);
    is_word(source[line]) || line == at
}

/// Reports whether a backslash joins the line of the name to the one before, because the grammar
/// ended a macro too early.
fn in_macro_body(climb: &Climb<'_, '_>) -> bool {
    let line = memchr::memrchr(b'\n', &climb.source[..climb.name().start_byte()]).unwrap_or(0);
    climb.source[..line].trim_ascii_end().ends_with(b"\\") && !climb.source[..line].ends_with(b"\n")
}

/// Reports whether a brace follows the parentheses at `from` (of which `depth` are open), with at
/// most words in between.
fn has_body(source: &[u8], from: usize, mut depth: usize) -> bool {
    let rest = &source[from..source.len().min(from + NEAR_BYTES)];
    if depth == 0 && rest.trim_ascii_start().first() != Some(&b'(') {
        return false;
    }
    let mut closed = false;
    for (index, &byte) in rest.iter().enumerate() {
        match byte {
            // A second group of parentheses is a call or a cast, unless an annotation such as
            // `__acquires(…)` has it.
            b'(' if closed && depth == 0 && !last_word(&rest[..index]).starts_with(b"__") => {
                return false;
            }
            b'(' => depth += 1,
            b')' => depth = depth.saturating_sub(1),
            b'{' => return closed && depth == 0,
            b';' | b'}' | b'=' | b'#' | b'"' => return false,
            b',' if depth == 0 => return false,
            _ => {}
        }
        closed |= byte == b')' && depth == 0;
    }
    false
}

fn last_word(text: &[u8]) -> &[u8] {
    let text = text.trim_ascii_end();
    let length = text.iter().rev().take_while(|&&byte| is_word(byte)).count();
    &text[text.len() - length..]
}

/// Reads `struct name {` in text without a tree.
fn tag_text(climb: &Climb<'_, '_>) -> Option<Gives> {
    let name = climb.name();
    let after = climb.source.get(name.end_byte()..)?.trim_ascii_start();
    let before = climb.source[..name.start_byte()].trim_ascii_end();
    let kind = match last_word(before) {
        b"struct" => Kind::Struct,
        b"union" => Kind::Union,
        b"enum" => Kind::Enum,
        b"class" => Kind::Class,
        _ => return None,
    };
    after.starts_with(b"{").then_some(Defines(kind))
}
