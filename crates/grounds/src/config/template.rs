//! The text that `grounds init` writes: every key with its documentation and its default value,
//! commented out. Without the `#` at the start of its lines it sets every default; a test checks
//! that.

use std::fmt::Write as _;

use serde_json::Value;

use super::keys::{self, ConfigSection};

/// Columns of a line of documentation.
const COLUMNS: usize = 110;

/// Whose configuration is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConfigOwner {
    /// The repository's.
    Repository,
    /// The person's own.
    Person,
}

/// Returns the text, with the place of its schema.
pub fn text(owner: ConfigOwner, schema: &str) -> String {
    let (whose, more) = match owner {
        ConfigOwner::Repository => (
            "The configuration of grounds for this repository.",
            "Which model is asked, where claims are sent and whether code may run is a person's to say: `grounds init --user`.",
        ),
        ConfigOwner::Person => (
            "Your own configuration of grounds.",
            "What the configuration of a repository sets counts before it.",
        ),
    };
    let mut text = format!(
        "# yaml-language-server: $schema={schema}\n\
         # {whose}\n\
         # {more}\n\
         # Every key is listed here with its default value. To set one, remove the `#` at the start of its line and of its section's.\n\
         # `grounds config show` says what counts and where it comes from, `grounds config check` whether this file can be used.\n"
    );
    for section in keys::sections() {
        write_section(&section, owner, &mut text);
    }
    text
}

fn write_section(section: &ConfigSection, owner: ConfigOwner, text: &mut String) {
    let is_written = |path: &str| owner == ConfigOwner::Person || !keys::is_personal(path);
    if !is_written(section.path) {
        return;
    }
    // `review.agent` follows `review` in the list, so that its deeper lines belong to it.
    let depth = section.path.matches('.').count();
    let (outer, inner) = ("  ".repeat(depth), "  ".repeat(depth + 1));
    if depth == 0 {
        text.push('\n');
    }
    comment(&section.about, &outer, text);
    let name = section.path.rsplit('.').next().unwrap_or(section.path);
    line(&outer, &format!("{name}:"), text);
    for key in section.keys.iter().filter(|key| is_written(&key.path)) {
        comment(&key.about, &inner, text);
        line(
            &inner,
            &format!("{}: {}", key.name, value(&key.usual)),
            text,
        );
    }
}

/// Writes a value as YAML. JSON is YAML too.
fn value(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::String(word)
            // A word that YAML could take for a number or for `true` keeps its quotation marks.
            if word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_') =>
        {
            word.clone()
        }
        Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => value.to_string(),
    }
}

fn comment(about: &str, indent: &str, text: &mut String) {
    for words in crate::terminal::wrapped(about, COLUMNS) {
        line(indent, &format!("# {words}"), text);
    }
}

fn line(indent: &str, words: &str, text: &mut String) {
    writeln!(text, "#{indent}{words}").unwrap_or_default();
}

/// Returns the text with every commented key switched on that can be.
pub fn in_force(text: &str) -> String {
    text.lines()
        .map(|line| {
            line.strip_prefix('#')
                // `# words` is a comment, `#ask:` and `#  key: 1` are lines of YAML: a key is
                // indented by two spaces or more.
                .filter(|rest| !rest.starts_with(' ') || rest.starts_with("  "))
                .unwrap_or(line)
        })
        .fold(String::new(), |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, parse};

    /// The text sets each key to its default.
    #[test]
    fn all_of_it_in_force_is_what_counts_anyway() {
        let json = |config: &Config| serde_json::to_value(config).expect("JSON");
        let person = parse(&in_force(&text(ConfigOwner::Person, "config.schema.json")))
            .expect("the person's");
        assert_eq!(json(&person), json(&Config::usual()));
        let repository = parse(&in_force(&text(
            ConfigOwner::Repository,
            ".grounds/config.schema.json",
        )))
        .expect("the repository's");
        for key in keys::sections()
            .iter()
            .flat_map(|section| &section.keys)
            .filter(|key| !key.is_personal())
        {
            assert_eq!(
                *keys::at(&json(&repository), &key.path),
                key.usual,
                "{}",
                key.path
            );
        }
        let (usual, nothing) = (Config::usual(), Config::default());
        assert_eq!(
            format!("{:?}", usual.ask.budget()),
            format!("{:?}", nothing.ask.budget())
        );
        assert_eq!(usual.verify.limits(), nothing.verify.limits());
    }

    #[test]
    fn as_written_nothing_is_in_force() {
        for owner in [ConfigOwner::Person, ConfigOwner::Repository] {
            let text = text(owner, "x.json");
            assert!(
                text.lines()
                    .all(|line| line.is_empty() || line.starts_with('#')),
                "{text}"
            );
            assert_eq!(
                format!("{:?}", parse(&text).expect("comments")),
                format!("{:?}", Config::default())
            );
        }
    }

    #[test]
    fn what_is_a_persons_to_say_is_not_in_the_repositorys() {
        let (repository, person) = (
            text(ConfigOwner::Repository, "x"),
            text(ConfigOwner::Person, "x"),
        );
        for key in ["#model:", "run:", "provider:", "key_command:"] {
            assert!(!repository.contains(key) && person.contains(key), "{key}");
        }
    }
}
