//! Bash and similar shells. A variable is defined where the script itself assigns it. In a
//! function, loop or subshell it is local enough to be a binding.

use grounds_evidence::SymbolKind as Kind;

use crate::language::Gives::{Binds, Calls, Defines, References, Through};
use crate::language::{Climb, Gives, Grammar, Language, Rule, Syntax, rule};
use crate::lexical::Lexicon;

pub(super) static BASH: Language = Language {
    name: "Bash",
    extensions: &["sh", "bash", "zsh", "ksh", "bats", "ebuild", "eclass"],
    file_names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".profile",
        ".zshrc",
        ".zshenv",
        "PKGBUILD",
        "APKBUILD",
    ],
    interpreters: &["sh", "bash", "zsh", "ksh", "dash", "ash", "bats"],
    syntax: Syntax::Tree(Grammar {
        load: || tree_sitter_bash::LANGUAGE.into(),
        rules: RULES,
        containers: &[],
        members_define: true,
        local_scopes: &[],
        comments: &["comment"],
        strings: &["string", "raw_string", "ansi_c_string", "heredoc_body"],
        interpolations: &[
            "command_substitution",
            "simple_expansion",
            "expansion",
            "arithmetic_expansion",
        ],
        imports: &[],
        refine,
    }),
    lexicon: Lexicon {
        definers: &[("function", Kind::Function)],
        importers: &["source"],
        line_comments: &["#"],
        quotes_span_lines: true,
        ..Lexicon::NONE
    },
};

const RULES: &[Rule] = &[
    rule("function_definition", "name", Defines(Kind::Function)),
    rule("variable_assignment", "name", Binds(Kind::Variable)),
    rule("subscript", "name", Through),
    rule("declaration_command", "", Binds(Kind::Variable)),
    rule("for_statement", "variable", Binds(Kind::Variable)),
    rule("concatenation", "", Through),
    rule("command", "argument", References),
    rule("command_name", "", Calls),
];

/// Commands that run their first argument.
const RUNNERS: [&[u8]; 9] = [
    b"sudo", b"exec", b"command", b"builtin", b"eval", b"nohup", b"time", b"run", b"trap",
];

const LOCAL: [&str; 7] = [
    "function_definition",
    "do_group",
    "c_style_for_statement",
    "subshell",
    "command_substitution",
    "process_substitution",
    "pipeline",
];

fn refine(climb: &Climb<'_, '_>, gives: Gives) -> Gives {
    match climb.parent().kind() {
        "variable_assignment" if gives == Binds(Kind::Variable) => assigned(climb),
        // Options such as `-x` are children beside the names.
        "declaration_command" if climb.name().kind() != "variable_name" => References,
        // `export NAME` passes on a variable that exists.
        "declaration_command" if !climb.inside(&LOCAL) || climb.parent_has("export") => References,
        "command" if names_alias(climb) => Defines(Kind::Function),
        "command" if is_run(climb) => Calls,
        _ => gives,
    }
}

/// Decides an assignment. Adding to a variable, to one of its elements or to the environment of one
/// command defines nothing.
fn assigned(climb: &Climb<'_, '_>) -> Gives {
    let above = climb.grandparent_kind();
    match above {
        _ if climb.parent_has("+=") || climb.passed("subscript") || above == Some("command") => {
            References
        }
        _ if climb.inside(&LOCAL) || is_local(climb) => Binds(Kind::Variable),
        _ => Defines(Kind::Variable),
    }
}

/// Reports whether the statement says `local` itself, in a block that only a test runner makes a
/// function.
fn is_local(climb: &Climb<'_, '_>) -> bool {
    climb
        .at
        .checked_sub(1)
        .is_some_and(|above| climb.text(climb.frames[above].node).starts_with(b"local "))
}

/// Reports whether `sudo`, `exec`, `trap` … run the name (`run` is that of the test runner bats).
fn is_run(climb: &Climb<'_, '_>) -> bool {
    let first = climb.parent().child_by_field_name("argument");
    // Only the first argument is run: `sudo a b` runs `a`.
    let whole =
        first.is_some_and(|first| first.id() == climb.name().id() && first.kind() == "word");
    whole && RUNNERS.contains(&climb.text_of_field("name"))
}

/// Reports whether the name is the start of an argument `name=value` of `alias`.
fn names_alias(climb: &Climb<'_, '_>) -> bool {
    let name = climb.name();
    let assigns = name.kind() == "word"
        && climb
            .text(name)
            .iter()
            .position(|&byte| byte == b'=')
            .is_some_and(|at| at > 0);
    assigns
        && climb.child().start_byte() == name.start_byte()
        && climb.text_of_field("name") == b"alias"
}
