//! The arguments of a tool: given as JSON, read strictly into the tool's own type. The error for a
//! wrong argument names it, with the most similar known name, so that a caller can correct it.

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::config::nearest::with_nearest;

/// A wrong call: what is wrong, and what to do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wrong {
    pub(crate) what: String,
    pub(crate) advice: String,
}

impl Wrong {
    pub(crate) fn new(what: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            advice: advice.into(),
        }
    }
}

/// Reads the arguments of a tool.
pub(super) fn read<T: DeserializeOwned>(tool: &str, arguments: JsonObject) -> Result<T, Wrong> {
    serde_path_to_error::deserialize(Value::Object(arguments)).map_err(|error| {
        let path = error.path().to_string();
        let complaint = with_nearest(&error.inner().to_string());
        // The path of an unknown field is the field itself, which the complaint names.
        let place = if path == "." || complaint.contains("unknown field") {
            String::new()
        } else {
            format!("`{path}`: ")
        };
        Wrong::new(
            format!("cannot read the arguments of `{tool}`: {place}{complaint}"),
            "call it again with arguments that keep to its input schema",
        )
    })
}

/// Returns the schema of a tool's arguments, as clients want it: one object without a name.
pub(super) fn schema<T: JsonSchema>() -> JsonObject {
    let mut schema = match schemars::schema_for!(T).to_value() {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    // Every session reads the schemas of all tools, and pays for each token.
    for key in ["$schema", "title", "description"] {
        schema.remove(key);
    }
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.values_mut().for_each(without_null);
    }
    schema.values_mut().for_each(without_widths);
    schema
}

/// Removes the widths of numbers, such as `uint32`: they are no formats that others know, and some
/// clients complain of each.
fn without_widths(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            if object
                .get("format")
                .and_then(Value::as_str)
                .is_some_and(|format| format.starts_with("uint") || format.starts_with("int"))
            {
                object.remove("format");
            }
            object.values_mut().for_each(without_widths);
        }
        Value::Array(all) => all.iter_mut().for_each(without_widths),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Removes null from what may be left out: a caller need not know that it may also be null, which
/// many clients cannot read in a schema.
fn without_null(property: &mut Value) {
    let Value::Object(property) = property else {
        return;
    };
    if property.get("default").is_some_and(Value::is_null) {
        property.remove("default");
    }
    // Of an `Option<u32>` the type is `["integer", "null"]`; one of an inline enum ends with null
    // in `enum` too.
    for key in ["type", "enum"] {
        if let Some(Value::Array(all)) = property.get_mut(key) {
            all.retain(|one| !one.is_null() && one != "null");
        }
    }
    if let Some(Value::Array(types)) = property.get("type")
        && let [only] = types.as_slice()
    {
        let only = only.clone();
        property.insert("type".to_owned(), only);
    }
    // An option of a type with a schema of its own is `anyOf` that type and null.
    if let Some(Value::Array(choices)) = property.get("anyOf")
        && let Some(Value::Object(choice)) = choices.iter().find(|choice| choice["type"] != "null")
    {
        let choice = choice.clone();
        property.remove("anyOf");
        property.extend(choice);
    }
}
