//! The environment variables that grounds reads, and which of them may be shown: one that can
//! contain a secret is reported as set, never with its value.

use crate::output::config::VariableEntry;

/// A variable.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) struct Variable {
    pub(super) name: &'static str,
    about: &'static str,
    may_be_shown: bool,
}

const fn open(name: &'static str, about: &'static str) -> Variable {
    Variable {
        name,
        about,
        may_be_shown: true,
    }
}

const fn secret(name: &'static str, about: &'static str) -> Variable {
    Variable {
        name,
        about,
        may_be_shown: false,
    }
}

/// All of them. An address may contain a name and a password, and counts as a secret.
pub(in crate::commands) const ALL: &[Variable] = &[
    open("GROUNDS_MODEL", "which model is asked"),
    secret("GROUNDS_MODEL_URL", "where it is"),
    secret("GROUNDS_MODEL_KEY", "the key for it"),
    secret(
        "GROUNDS_CARRY_KEY",
        "what signs the words of a model in a comment",
    ),
    secret("OPENAI_API_KEY", "the key for openai"),
    secret("OPENAI_BASE_URL", "where openai is"),
    secret("ANTHROPIC_API_KEY", "the key for anthropic"),
    secret("ANTHROPIC_BASE_URL", "where anthropic is"),
    secret("GEMINI_API_KEY", "the key for gemini"),
    secret("GOOGLE_API_KEY", "the key for gemini"),
    secret("GEMINI_BASE_URL", "where gemini is"),
    secret("OLLAMA_HOST", "where ollama is"),
    secret("SERPER_API_KEY", "the key for the search engine serper"),
    secret("BRAVE_API_KEY", "the key for the search engine brave"),
    secret("SEARXNG_URL", "where the search engine searxng is"),
    secret("GH_TOKEN", "the token for questions about CI on GitHub"),
    secret("GITHUB_TOKEN", "the token for questions about CI on GitHub"),
    secret("GITLAB_TOKEN", "the token for questions about CI on GitLab"),
    open("GH_HOST", "the host of GitHub Enterprise"),
    secret("HTTPS_PROXY", "the proxy for https"),
    open(
        "SSL_CERT_FILE",
        "certificates that are trusted instead of the common ones",
    ),
    secret("GROUNDS_FLEET_LEDGER", "where the ledger of a fleet is"),
    open("XDG_CONFIG_HOME", "the folder for configurations"),
    open("XDG_STATE_HOME", "the folder for what is kept of runs"),
    open("XDG_CACHE_HOME", "the folder for pages and kept indexes"),
    open("NO_COLOR", "no colour"),
    open("CLICOLOR_FORCE", "colour in pipes too"),
    open("GROUNDS_PAGER", "the pager of long results"),
    open("PAGER", "the pager of long results"),
    open(
        "GROUNDS_EDITOR_LINK",
        "the editor that places on pages open in",
    ),
];

impl Variable {
    /// Returns its entry in the report.
    pub(in crate::commands) fn entry(&self) -> VariableEntry {
        let value = std::env::var_os(self.name)
            .map(|value| value.to_string_lossy().into_owned())
            // `VARIABLE= grounds …` is how a shell unsets one for a single call.
            .filter(|value| !value.trim().is_empty());
        VariableEntry {
            name: self.name,
            about: self.about,
            is_set: value.is_some(),
            value: value.filter(|_| self.may_be_shown),
        }
    }
}

/// Returns the first of some variables that is set.
pub(super) fn first_set<'n>(names: &[&'n str]) -> Option<&'n str> {
    names
        .iter()
        .find(|name| {
            std::env::var_os(name).is_some_and(|value| !value.to_string_lossy().trim().is_empty())
        })
        .copied()
}
