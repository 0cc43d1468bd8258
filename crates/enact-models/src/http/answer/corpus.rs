//! Why each answer of `tests/corpus` ended and how much of it was thought, which only its wire shows: what is
//! said of it to others is in `tests/it/http/corpus.rs`.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::*;
use crate::http::{
    frames::FrameSplitter,
    wire::{MaxTokens, WireFormat},
};

/// What the corpus calls it. It has two more words for what is an end to us: `pause`, where a server wants to
/// be asked to go on, and `other`.
fn word(stop: Option<StopCause>) -> &'static str {
    match stop {
        None | Some(StopCause::End) => "end",
        Some(StopCause::Length | StopCause::ContextFull) => "length",
        Some(StopCause::Tool) => "tool",
        Some(StopCause::Refused) => "refused",
        Some(StopCause::Fault | StopCause::Overloaded | StopCause::Aborted) => "fault",
    }
}

/// The body of a case, unless it is packed or has no end.
fn body(case: &Value) -> Option<String> {
    if case.get("endless").is_some() || case.get("bodyBase64").is_some() {
        return None;
    }
    if let Some(json) = case.get("json") {
        return Some(json.to_string());
    }
    if let Some(lines) = case["lines"].as_array() {
        return Some(lines.iter().filter_map(Value::as_str).map(|line| format!("{line}\n")).collect());
    }
    if let Some(chunks) = case["chunks"].as_array() {
        return chunks.iter().map(|chunk| Some(chunk.as_str()?.to_owned())).collect();
    }
    case["body"].as_str().map(str::to_owned)
}

fn read(case: &Value, body: &str) -> IncomingAnswer {
    let wire = match case["wire"].as_str().unwrap() {
        "anthropic" => WireFormat::Anthropic,
        "openai" => WireFormat::OpenAi { max_tokens: MaxTokens::Old },
        "gemini" => WireFormat::Gemini,
        _ => WireFormat::Ollama,
    };
    let in_lines = case["headers"].to_string().contains("ndjson");
    let (mut answer, mut frames) = (IncomingAnswer::default(), FrameSplitter::new(in_lines));
    let mut each = |frame: crate::http::frames::JsonFrame<'_>| {
        let _ = wire.read(frame.json, &mut answer);
        Ok(())
    };
    let _ = frames.push(body.as_bytes(), &mut each);
    let _ = frames.finish(&mut each);
    answer
}

#[test]
fn every_answer_ended_and_thought_as_it_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut wrong = Vec::new();
    let mut compared = 0;
    for file in fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()) {
        if file.extension().is_none_or(|kind| kind != "json") || file.ends_with("clients.json") {
            continue;
        }
        let cases: Vec<Value> = serde_json::from_str(&fs::read_to_string(&file).unwrap()).unwrap();
        for case in &cases {
            let (expected, Some(body)) = (&case["expect"], body(case)) else { continue };
            let answer = read(case, &body);
            // Where the usage is known, a number that is left out is zero.
            let thought = expected["usage"].as_object().map(|usage| usage.get("reasoning"));
            let thought = thought.map(|told| told.and_then(Value::as_u64).unwrap_or(0));
            let found = answer.counts.reasoning().unwrap_or(0);
            if thought.is_some_and(|thought| thought != found) {
                wrong.push(format!(
                    "{}: expected {thought:?} tokens of thoughts, found {found}",
                    case["name"]
                ));
            }
            let Some(stop) = expected["stop"].as_str() else { continue };
            compared += 1;
            let found = word(answer.stop);
            let is_same = match stop {
                "pause" => found == "end",
                "other" => matches!(found, "end" | "tool"),
                _ => found == stop,
            };
            if !is_same {
                wrong.push(format!("{}: expected {stop}, found {found}", case["name"]));
            }
        }
    }
    assert!(compared >= 200, "{compared} answers");
    assert!(wrong.is_empty(), "{} ended otherwise:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_that_are_no_reason_end_nothing() {
    for nothing in [json!(null), json!(""), json!("null"), json!({}), json!(7)] {
        let frame = json!({"choices": [{"delta": {"content": "a"}, "finish_reason": nothing}]});
        let case = json!({"wire": "openai"});
        let answer = read(&case, &format!("data: {frame}\n\n"));
        assert!(!answer.is_complete(), "{nothing}");
    }
}
