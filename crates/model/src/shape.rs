//! Checks whether a value has the requested shape, by the subset of JSON schema that all providers
//! take: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`, `items`,
//! `minItems`, `maxItems`, `minLength`, `maxLength`, `minimum`, `maximum`, `anyOf`. Other keywords
//! are only for the model to read.

use serde_json::Value;

/// Checks a value.
///
/// # Errors
/// The first place that does not fit, and the reason, in words for the model.
pub fn check(value: &Value, schema: &Value) -> Result<(), String> {
    at(value, schema, "the answer")
}

fn at(value: &Value, schema: &Value, place: &str) -> Result<(), String> {
    if let Some(ways) = schema["anyOf"].as_array() {
        return if ways.iter().any(|way| at(value, way, place).is_ok()) {
            Ok(())
        } else {
            Err(format!("{place} fits none of its shapes"))
        };
    }
    if !is_of_type(value, &schema["type"]) {
        return Err(format!("{place} must be of type {}", schema["type"]));
    }
    if schema["enum"]
        .as_array()
        .is_some_and(|known| !known.contains(value))
    {
        return Err(format!("{place} must be one of {}", schema["enum"]));
    }
    if schema.get("const").is_some_and(|only| only != value) {
        return Err(format!("{place} must be {}", schema["const"]));
    }
    match value {
        Value::Object(_) => object(value, schema, place),
        Value::Array(items) => array(items, schema, place),
        Value::String(text) => within(
            text.chars().count() as f64,
            schema,
            "minLength",
            "maxLength",
            place,
        ),
        Value::Number(number) => within(
            number.as_f64().unwrap_or_default(),
            schema,
            "minimum",
            "maximum",
            place,
        ),
        Value::Null | Value::Bool(_) => Ok(()),
    }
}

fn is_of_type(value: &Value, types: &Value) -> bool {
    let fits = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        // 5.0 is no integer here, though JSON schema takes it for one.
        "integer" => value.is_i64() || value.is_u64(),
        _ => true,
    };
    match types {
        Value::String(name) => fits(name),
        Value::Array(names) => names.iter().filter_map(Value::as_str).any(fits),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => true,
    }
}

fn object(value: &Value, schema: &Value, place: &str) -> Result<(), String> {
    let required = schema["required"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(Value::as_str);
    for name in required {
        if value.get(name).is_none() {
            return Err(format!("{place} lacks `{name}`"));
        }
    }
    for (name, inner) in value.as_object().into_iter().flatten() {
        match (
            schema["properties"].get(name),
            &schema["additionalProperties"],
        ) {
            (Some(schema), _) => at(inner, schema, &format!("`{name}` of {place}"))?,
            (None, Value::Bool(false)) => return Err(format!("{place} may not have `{name}`")),
            // Without `additionalProperties` this is `null`, which any value fits.
            (None, others) => at(inner, others, &format!("`{name}` of {place}"))?,
        }
    }
    Ok(())
}

fn array(items: &[Value], schema: &Value, place: &str) -> Result<(), String> {
    within(items.len() as f64, schema, "minItems", "maxItems", place)?;
    items.iter().enumerate().try_for_each(|(number, item)| {
        at(item, &schema["items"], &format!("item {number} of {place}"))
    })
}

fn within(size: f64, schema: &Value, least: &str, most: &str, place: &str) -> Result<(), String> {
    match (schema[least].as_f64(), schema[most].as_f64()) {
        (Some(least), _) if size < least => Err(format!("{place} is below {least}")),
        (_, Some(most)) if size > most => Err(format!("{place} is above {most}")),
        _ => Ok(()),
    }
}

/// Reports whether strict providers take a schema: every object must be closed, and all its
/// properties required.
pub fn is_strict(schema: &Value) -> bool {
    let properties = schema["properties"].as_object();
    let closed = match properties {
        Some(properties) => {
            let required: Vec<&str> = schema["required"]
                .as_array()
                .into_iter()
                .flatten()
                .filter_map(Value::as_str)
                .collect();
            schema["additionalProperties"] == Value::Bool(false)
                && properties
                    .keys()
                    .all(|name| required.contains(&name.as_str()))
        }
        // An object without properties allows any.
        None => schema["type"] != "object",
    };
    let inner = properties
        .into_iter()
        .flat_map(serde_json::Map::values)
        .chain(schema.get("items"));
    let ways = schema["anyOf"].as_array().into_iter().flatten();
    closed && inner.chain(ways).all(is_strict)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_place_that_does_not_fit_is_told() {
        let schema = json!({"type": "object", "required": ["names"], "additionalProperties": false, "properties": {
            "names": {"type": "array", "maxItems": 2, "items": {"type": "string", "minLength": 1}},
            "kind": {"enum": ["a", "b"]}, "count": {"type": ["integer", "null"], "minimum": 0}}});
        let wrong = |value: Value| check(&value, &schema).expect_err("does not fit");
        assert_eq!(
            check(
                &json!({"names": ["x"], "kind": "a", "count": null}),
                &schema
            ),
            Ok(())
        );
        assert_eq!(wrong(json!([])), "the answer must be of type \"object\"");
        assert_eq!(wrong(json!({})), "the answer lacks `names`");
        assert_eq!(
            wrong(json!({"names": [""]})),
            "item 0 of `names` of the answer is below 1"
        );
        assert_eq!(
            wrong(json!({"names": ["a", "b", "c"]})),
            "`names` of the answer is above 2"
        );
        assert_eq!(
            wrong(json!({"names": [], "more": 1})),
            "the answer may not have `more`"
        );
        assert_eq!(
            wrong(json!({"names": [], "count": -1})),
            "`count` of the answer is below 0"
        );
        assert_eq!(
            wrong(json!({"names": [], "kind": "c"})),
            "`kind` of the answer must be one of [\"a\",\"b\"]"
        );
        assert!(!is_strict(&schema), "not all properties are required");
        assert!(is_strict(
            &json!({"type": "object", "required": ["a"], "additionalProperties": false, "properties": {"a": {"type": "string"}}})
        ));
    }
}
