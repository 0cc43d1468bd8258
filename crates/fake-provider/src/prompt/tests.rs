use serde_json::json;

use super::*;

fn outline(prompt: &Prompt<'_>) -> Vec<String> {
    let mark = |block: &Block<'_>| match block.breakpoint {
        None => "",
        Some(Ttl::FiveMinutes) => "*",
        Some(Ttl::OneHour) => "!",
    };
    prompt.blocks.iter().map(|block| format!("{:?} {}{}", block.role, block.text, mark(block))).collect()
}

#[test]
fn anthropic_reads_tools_then_system_then_messages() {
    let body = json!({
        "messages": [
            {"role": "user", "content": "one"},
            {"role": "assistant", "content": [{"type": "text", "text": "two"}]},
            {"role": "user", "content": [{"type": "text", "text": "three"}, {"type": "image", "source": 1}]},
        ],
        "system": [{"type": "text", "text": "rules", "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
        "tools": [{"name": "look", "cache_control": {"type": "ephemeral", "ttl": "1h"}}],
        "cache_control": {"type": "ephemeral"},
    });
    let expected = [
        r#"Tool {"name":"look"}!"#,
        "System rules!",
        "User one",
        "Assistant two",
        "User three",
        r#"User {"type":"image","source":1}*"#,
    ];
    assert_eq!(outline(&Prompt::read(Api::Anthropic, &body, "")), expected);
}

#[test]
fn nonsense_reads_as_nothing() {
    for body in [json!(null), json!([1]), json!({"messages": 7}), json!({"messages": [{"content": 7}]})] {
        for api in Api::ALL {
            assert!(Prompt::read(api, &body, "").blocks.is_empty(), "{api:?} {body}");
        }
    }
}

#[test]
fn ollama_streams_unless_told_not_to() {
    assert!(Prompt::read(Api::Ollama, &json!({}), "").streamed);
    assert!(!Prompt::read(Api::Ollama, &json!({"stream": false}), "").streamed);
    assert!(!Prompt::read(Api::OpenAi, &json!({}), "").streamed);
}
