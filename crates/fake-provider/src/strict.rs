//! What providers demand of a JSON schema before they follow it.

use serde_json::Value;

/// Words for bounds, which Anthropic refuses. Lists may have a least number of items, of 0 or 1.
const BOUNDS: [&str; 7] =
    ["exclusiveMaximum", "exclusiveMinimum", "maxLength", "maximum", "minLength", "minimum", "multipleOf"];

/// Schemas nested deeper are refused by every provider, long before this.
const MAX_DEPTH: usize = 64;

pub(crate) fn check_for_anthropic(schema: &Value) -> Result<(), String> {
    each_part(schema, 0, &mut |part| {
        let kind = part["type"].as_str().unwrap_or_default();
        if kind == "object" && part["additionalProperties"] != false {
            return Err(
                "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly \
                        set to false"
                    .to_owned(),
            );
        }
        let bounds: Vec<&str> = BOUNDS.into_iter().filter(|bound| part.get(bound).is_some()).collect();
        if !bounds.is_empty() {
            return Err(format!(
                "output_config.format.schema: For '{kind}' type, properties {} are not supported",
                bounds.join(", ")
            ));
        }
        Ok(())
    })
}

/// Only where the request says `strict`.
pub(crate) fn check_for_openai(name: &str, schema: &Value) -> Result<(), String> {
    each_part(schema, 0, &mut |part| {
        if part["type"] != "object" {
            return Ok(());
        }
        if part["additionalProperties"] != false {
            return Err(format!(
                "Invalid schema for response_format '{name}': 'additionalProperties' is required to be supplied and to \
                 be false."
            ));
        }
        let required = part["required"].as_array().map_or(&[][..], Vec::as_slice);
        let mut properties =
            part["properties"].as_object().into_iter().flat_map(|properties| properties.keys());
        match properties.find(|&property| !required.iter().any(|name| name == property)) {
            Some(missing) => Err(format!(
                "Invalid schema for response_format '{name}': 'required' is required to be supplied and to be an array \
                 including every key in properties. Missing '{missing}'."
            )),
            None => Ok(()),
        }
    })
}

/// Visits a schema and all schemas within it, until one is wrong.
fn each_part(
    schema: &Value,
    depth: usize,
    visit: &mut dyn FnMut(&Value) -> Result<(), String>,
) -> Result<(), String> {
    if depth > MAX_DEPTH {
        return Err("the schema is nested too deeply".to_owned());
    }
    visit(schema)?;
    let named =
        ["properties", "$defs", "definitions"].into_iter().filter_map(|word| schema[word].as_object());
    let listed = ["anyOf", "oneOf", "allOf"].into_iter().filter_map(|word| schema[word].as_array());
    let inner = named.flat_map(|parts| parts.values()).chain(listed.flatten()).chain(schema.get("items"));
    for part in inner {
        each_part(part, depth + 1, visit)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
