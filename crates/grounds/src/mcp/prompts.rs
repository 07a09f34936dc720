//! Prompts: a person puts one into a conversation, and the agent knows when to call
//! which tool. Given the name of a prompt and its arguments, returns its text; reads
//! nothing, and runs nothing.

use rmcp::model::{GetPromptResult, JsonObject, Prompt, PromptArgument, PromptMessage, Role};
use serde_json::Value;

use crate::config::nearest::nearest_of;
use crate::safe;

/// Letters of the name of a symbol.
const NAME_LETTERS_MAX: usize = 200;

/// A prompt, as a row of data.
struct PromptCard {
    name: &'static str,
    title: &'static str,
    description: &'static str,
    /// A description of its one argument; `None` if it has no argument.
    symbol: Option<&'static str>,
    text: fn(&str) -> String,
}

const ALL: [PromptCard; 3] = [
    PromptCard {
        name: "when",
        title: "When to call grounds",
        description: "Which tool before which statement, for a whole conversation.",
        symbol: None,
        text: |_| {
            "In this conversation, call grounds:\n\
            - before you say where something is, who calls or uses it, how many there are, or that it is \
            absent: `ask`, several `questions` in one call;\n\
            - after you wrote an answer about the code: `check` with its text, then mend what is FALSE;\n\
            - before you say that a change is done: `review`;\n\
            - before you pass on a fact about the world from memory: `verify`.\n\
            REFUSED: say that you do not know and what is missing. For plain patterns and for reading on, \
            use text search and the files."
                .to_owned()
        },
    },
    PromptCard {
        name: "before_change",
        title: "Before a change of a symbol",
        description: "What depends on a symbol, asked in one call.",
        symbol: Some("The symbol, as the code names it."),
        text: |symbol| {
            let claims: Vec<String> = [
                "defines({}, _)",
                "calls(_, {})",
                "implements(_, {})",
                "tested({})",
            ]
            // As a string of JSON, the name cannot end the claim early.
            .map(|claim| claim.replace("{}", &Value::from(symbol).to_string()))
            .to_vec();
            format!(
                "I want to change {symbol}. First call `ask` once with {}. Each claim is answered or refused \
                by itself. List every place that has to change with it, each with its path:line, say what was \
                refused, and only then change anything. At the end call `review`.",
                serde_json::json!({ "claims": claims })
            )
        },
    },
    PromptCard {
        name: "check_answer",
        title: "Check the last answer",
        description: "Check what the last answer says about the code.",
        symbol: None,
        text: |_| {
            "Call `check` with the text of your last answer, word for word. For each statement that is FALSE, \
            say so and correct it with the path:line that was found. Do not defend what was refused: say that \
            it is not shown."
                .to_owned()
        },
    },
];

/// Returns every prompt, as it is listed.
pub(super) fn all() -> Vec<Prompt> {
    ALL.iter().map(PromptCard::listed).collect()
}

/// Returns the text of a prompt.
///
/// # Errors
/// What is wrong with the name or the arguments.
pub(super) fn get(name: &str, arguments: &JsonObject) -> Result<GetPromptResult, String> {
    let card = ALL.iter().find(|card| card.name == name);
    let card = card.ok_or_else(|| unknown(name))?;
    let known = card.symbol.map(|_| "symbol");
    // Said before the value is looked at: a misspelt name would look like a missing value.
    if let Some(other) = arguments.keys().find(|key| Some(key.as_str()) != known) {
        return Err(format!(
            "the prompt `{name}` has no argument `{}`",
            safe::for_line(other)
        ));
    }
    let symbol = match (known, arguments.get("symbol").and_then(Value::as_str)) {
        (None, _) => String::new(),
        (Some(_), Some(symbol)) if is_name(symbol) => symbol.to_owned(),
        (Some(_), _) => {
            return Err(format!(
                "the prompt `{name}` needs `symbol`: a name of 1 to {NAME_LETTERS_MAX} letters on one line"
            ));
        }
    };
    let message = PromptMessage::new_text(Role::User, (card.text)(&symbol));
    Ok(GetPromptResult::new(vec![message]).with_description(card.description))
}

/// Reports whether a text can be the name of a symbol: one line that moves no terminal.
fn is_name(text: &str) -> bool {
    !text.trim().is_empty()
        && text.chars().count() <= NAME_LETTERS_MAX
        && safe::for_line(text) == text
}

fn unknown(name: &str) -> String {
    let known: Vec<&str> = ALL.iter().map(|card| card.name).collect();
    let near = nearest_of(name, known.iter().copied())
        .map(|near| format!("; did you mean `{near}`?"))
        .unwrap_or_default();
    format!(
        "there is no prompt `{}`, only {}{near}",
        safe::for_line(name),
        known.join(", ")
    )
}

impl PromptCard {
    fn listed(&self) -> Prompt {
        let argument = |about: &str| {
            let argument = PromptArgument::new("symbol").with_description(about);
            vec![argument.with_required(true)]
        };
        Prompt::new(self.name, Some(self.description), self.symbol.map(argument))
            .with_title(self.title)
    }
}
