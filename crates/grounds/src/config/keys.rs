//! Every key of the configuration with its documentation, its default value and who may set it.
//! They are taken from the types, so that nothing written from them becomes outdated.

use schemars::{Schema, schema_for};
use serde::Deserialize;
use serde_json::Value;

use super::{
    AgentConfig, AskConfig, Config, FleetConfig, LspConfig, McpConfig, ModelConfig, ReviewConfig,
    RulesConfig, StoreConfig, VerifyConfig, fields,
};

/// Sections and keys that only a person's own configuration may have. A file in the checkout with
/// one of them is refused.
pub const PERSONAL: [&str; 22] = [
    "store",
    "model",
    "mcp",
    "lsp",
    "ask.history_index_commits_max",
    "ask.history_index_bytes_max",
    "ask.history_indexes_max",
    "ask.history_indexes_bytes_max",
    "ask.history_index_days_max",
    "ask.parses_bytes_max",
    "fleet",
    "ask.run",
    "ask.run_without_sandbox",
    "ask.run_ms_max",
    "ask.run_memory_bytes_max",
    "ask.run_processes_max",
    "ask.run_output_bytes_max",
    "ask.run_disk_bytes_max",
    "ask.run_files_max",
    "verify.provider",
    "verify.judges",
    "verify.entailment_url",
];

/// The names of the sections' types in the schema, in the order of [`sections`].
const DEFINITIONS: [&str; 10] = [
    "AskConfig",
    "VerifyConfig",
    "ReviewConfig",
    "AgentConfig",
    "RulesConfig",
    "ModelConfig",
    "McpConfig",
    "LspConfig",
    "FleetConfig",
    "StoreConfig",
];

/// A part of the configuration that has keys.
#[derive(Clone, Debug)]
pub struct ConfigSection {
    /// Its path: `ask`, or `review.agent`.
    pub path: &'static str,
    /// The subject of the section.
    pub about: String,
    /// Its keys, in the order of their definition.
    pub keys: Vec<ConfigKey>,
}

/// One key.
#[derive(Clone, Debug)]
pub struct ConfigKey {
    /// Its name in its section.
    pub name: &'static str,
    /// Its path.
    pub path: String,
    /// The effect of the key.
    pub about: String,
    /// The default value; `null` if no value counts, or if it depends on the machine.
    pub usual: Value,
}

impl ConfigKey {
    /// Reports whether only a person may set this key.
    pub fn is_personal(&self) -> bool {
        is_personal(&self.path)
    }
}

/// Reports whether a section or key is one of [`PERSONAL`].
pub fn is_personal(path: &str) -> bool {
    PERSONAL.iter().any(|known| {
        path == *known
            || path
                .strip_prefix(known)
                .is_some_and(|rest| rest.starts_with('.'))
    })
}

/// Returns every section with its keys.
pub fn sections() -> Vec<ConfigSection> {
    let schema = schema_for!(Config).to_value();
    let usual = serde_json::to_value(Config::usual()).unwrap_or_default();
    let section = |path: &'static str, definition: &str, names: &'static [&'static str]| {
        let (of_type, usual) = (&schema["$defs"][definition], at(&usual, path));
        let key = |name: &'static str| ConfigKey {
            name,
            path: format!("{path}.{name}"),
            about: text(&of_type["properties"][name]["description"]),
            usual: usual[name].clone(),
        };
        // A key with a section of its own is listed as that section.
        let keys = names
            .iter()
            .filter(|name| !is_section(path, name))
            .map(|name| key(name))
            .collect();
        ConfigSection {
            path,
            about: text(&of_type["description"]),
            keys,
        }
    };
    vec![
        section("ask", "AskConfig", fields_of::<AskConfig>()),
        section("verify", "VerifyConfig", fields_of::<VerifyConfig>()),
        section("review", "ReviewConfig", fields_of::<ReviewConfig>()),
        section("review.agent", "AgentConfig", fields_of::<AgentConfig>()),
        section("rules", "RulesConfig", fields_of::<RulesConfig>()),
        section("model", "ModelConfig", fields_of::<ModelConfig>()),
        section("mcp", "McpConfig", fields_of::<McpConfig>()),
        section("lsp", "LspConfig", fields_of::<LspConfig>()),
        section("fleet", "FleetConfig", fields_of::<FleetConfig>()),
        section("store", "StoreConfig", fields_of::<StoreConfig>()),
    ]
}

/// Returns the published schema of the configuration, with the default values.
pub fn schema() -> Schema {
    let mut schema = schema_for!(Config).to_value();
    // Readers serialise what is not said as null; what counts then is what a person wants to see.
    for definition in DEFINITIONS {
        for property in schema["$defs"][definition]["properties"]
            .as_object_mut()
            .into_iter()
            .flat_map(|map| map.values_mut())
        {
            property
                .as_object_mut()
                .and_then(|property| property.remove("default"));
        }
    }
    for property in schema["properties"]
        .as_object_mut()
        .into_iter()
        .flat_map(|map| map.values_mut())
    {
        property
            .as_object_mut()
            .and_then(|property| property.remove("default"));
    }
    for (section, definition) in sections().iter().zip(DEFINITIONS) {
        for key in section.keys.iter().filter(|key| !key.usual.is_null()) {
            schema["$defs"][definition]["properties"][key.name]["default"] = key.usual.clone();
        }
    }
    Schema::try_from(schema).unwrap_or_default()
}

fn fields_of<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    fields::of::<T>()
}

fn is_section(path: &str, name: &str) -> bool {
    path == "review" && name == "agent"
}

/// Returns the value at a path.
pub fn at<'v>(value: &'v Value, path: &str) -> &'v Value {
    path.split('.').fold(value, |value, name| &value[name])
}

/// Returns a description on one line: a schema keeps its line ends.
fn text(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_default()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A section or key that is added to the types and not to the list would be missing in every configuration that is written.
    #[test]
    fn every_property_of_the_schema_is_a_key() {
        let schema = schema_for!(Config).to_value();
        let sections = sections();
        for name in schema["properties"].as_object().expect("sections").keys() {
            assert!(
                sections.iter().any(|section| section.path == name),
                "`{name}` is missing in config/keys.rs"
            );
        }
        for (section, definition) in sections.iter().zip(DEFINITIONS) {
            let properties = schema["$defs"][definition]["properties"]
                .as_object()
                .expect("keys");
            let known: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
            for name in properties
                .keys()
                .filter(|name| !is_section(section.path, name))
            {
                assert!(known.contains(&name.as_str()), "{}.{name}", section.path);
            }
            assert!(
                !section.about.is_empty() && section.keys.iter().all(|key| key.about.len() > 5),
                "{section:?}"
            );
        }
    }

    #[test]
    fn what_is_personal_is_a_key_or_a_section() {
        let paths: Vec<String> = sections()
            .into_iter()
            .flat_map(|section| section.keys)
            .map(|key| key.path)
            .collect();
        for known in PERSONAL {
            assert!(
                paths
                    .iter()
                    .any(|path| is_personal(path) && path.starts_with(known)),
                "{known}"
            );
        }
    }
}
