//! What of the document differs between productions: their names, and the shape of what they know of a run.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::codes;
use crate::{error::ErrorCode, productions::ServerProduction};

/// Describes runs by their production: which names there are, what the metadata of a run is, and that its
/// details and its result are one of several shapes, told apart by `production`.
pub(super) fn describe(document: &mut Value, productions: &[Arc<dyn ServerProduction>]) {
    let names: Vec<&str> = productions.iter().map(|production| production.name()).collect();
    let Some(schemas) = document.pointer_mut("/components/schemas").and_then(Value::as_object_mut) else {
        return;
    };
    schemas.insert(
        "ProductionName".to_owned(),
        json!({ "type": "string", "description": "What is played.", "enum": names }),
    );
    let codes: Vec<&str> = codes(productions).map(ErrorCode::as_str).collect();
    schemas.insert(
        "ErrorCode".to_owned(),
        json!({ "type": "string", "description": "Why something cannot be done.", "enum": codes }),
    );
    let commands = productions.iter().map(|production| production.command_schema());
    // Not one of them alone: `cancel` is the same for all.
    schemas.insert("RunCommand".to_owned(), any_of(commands, "A command to a run.", "anyOf"));
    let metadata = productions.iter().map(|production| production.metadata_schema());
    let metadata = any_of(metadata, "What its production knows of a run.", "oneOf");
    schemas.insert("RunMetadata".to_owned(), metadata);
    let transcripts = productions.iter().map(|production| production.transcript_schema());
    let description = "A run as one document: what was said and done, and its metadata.";
    let transcripts = any_of(transcripts, description, "oneOf");
    schemas.insert("RunTranscript".to_owned(), transcripts);
    let details = flattened(schemas, "RunDetails");
    let result = flattened(schemas, "RunResult");
    let description = "A run and what has become of it so far. `production` tells which shape it has.";
    insert(schemas, productions, "RunDetails", "Run", description, &details);
    let description = "What a run came to. `production` tells which shape it has.";
    insert(schemas, productions, "RunResult", "Result", description, &result);
}

/// Any of the shapes that productions have. If one of them does not say which it has, it may be any object.
fn any_of<'a>(names: impl Iterator<Item = Option<&'a str>>, description: &str, combination: &str) -> Value {
    match names.map(|name| name.map(reference)).collect::<Option<Vec<Value>>>() {
        Some(shapes) => json!({ "description": description, combination: shapes }),
        None => json!({ "description": description, "type": "object" }),
    }
}

/// Puts a shape for each production in the place of one for all of them: `SceneRun` and `ChorusRun` in that
/// of `RunDetails`.
fn insert(
    schemas: &mut Map<String, Value>,
    productions: &[Arc<dyn ServerProduction>],
    name: &str,
    suffix: &str,
    description: &str,
    shape: &Value,
) {
    let (mut shapes, mut mapping) = (Vec::new(), Map::new());
    for production in productions {
        let own = format!("{}{suffix}", pascal(production.name()));
        let mut shape = shape.clone();
        shape["description"] = format!("The {} of a {}.", suffix.to_lowercase(), production.name()).into();
        shape["properties"]["production"] = json!({ "type": "string", "const": production.name() });
        name_metadata(&mut shape["properties"]["metadata"], production.metadata_schema());
        shapes.push(reference(&own));
        mapping.insert(production.name().to_owned(), format!("#/components/schemas/{own}").into());
        schemas.insert(own, shape);
    }
    let discriminator = json!({ "propertyName": "production", "mapping": mapping });
    let any = json!({ "description": description, "oneOf": shapes, "discriminator": discriminator });
    schemas.insert(name.to_owned(), any);
}

/// Says which shape the metadata has, where it is said to be any of them.
fn name_metadata(metadata: &mut Value, own: Option<&'static str>) {
    let any = reference("RunMetadata");
    let own = own.map_or_else(|| json!({ "type": "object" }), reference);
    let is_any = |way: &Value| way.get("$ref") == any.get("$ref");
    match metadata.get_mut("oneOf").and_then(Value::as_array_mut) {
        Some(ways) => ways.iter_mut().filter(|way| is_any(way)).for_each(|way| *way = own.clone()),
        None => *metadata = own,
    }
}

/// A schema as one object: what it is composed of is put together.
fn flattened(schemas: &Map<String, Value>, name: &str) -> Value {
    let schema = schemas.get(name).cloned().unwrap_or_default();
    let Some(parts) = schema["allOf"].as_array() else { return schema };
    let mut whole = json!({ "type": "object", "required": [], "properties": {} });
    for part in parts {
        let part = match part["$ref"].as_str().and_then(|reference| reference.rsplit('/').next()) {
            Some(name) => flattened(schemas, name),
            None => part.clone(),
        };
        if let (Some(whole), Some(part)) = (whole["required"].as_array_mut(), part["required"].as_array()) {
            whole.extend(part.iter().cloned());
        }
        if let (Some(whole), Some(part)) =
            (whole["properties"].as_object_mut(), part["properties"].as_object())
        {
            whole.extend(part.clone());
        }
    }
    whole
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// `scene` as `Scene`.
fn pascal(name: &str) -> String {
    enact_drama::report::title(name).replace(' ', "")
}
