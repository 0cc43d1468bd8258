use super::*;

#[test]
fn people_are_called_by_their_names() {
    for (name, id, called) in [
        ("Claude Sonnet 4.5", "claude-sonnet-4-5", "Claude Sonnet 4.5"),
        ("GPT-5.2", "gpt-5.2", "GPT-5.2"),
        ("Øyvind", "c", "Øyvind"),
        ("小林", "d", "小林"),
        ("The Lighthouse Keeper", "keeper", "Lighthouse Keeper"),
        ("Dr. No", "no", "Dr No"),
        ("Who? Me!", "me", "Who Me"),
        ("O'Hara", "o", "O'Hara"),
        ("A “quoted” name", "q", "A quoted name"),
        ("", "claude-opus-4-5", "Claude Opus"),
        ("…", "gpt-4o", "GPT 4o"),
        ("A name that goes on and on and on", "meta-llama/llama-3:free", "Llama 3"),
        ("!", "7b", "Speaker 2"),
        ("?", "二人", "Speaker 2"),
        ("", "an-agent-of-a-very-long-name-indeed", "Speaker 2"),
    ] {
        let id = AgentId::new(id).unwrap();
        assert_eq!(spoken(name, &id, SlotId::new(2).unwrap()), called, "{name} {id}");
    }
}

#[test]
fn names_are_listed_as_people_list_them() {
    let names: Vec<String> = ["A", "B", "C"].map(str::to_owned).into();
    assert_eq!(listed(&names[..1]), "A");
    assert_eq!(listed(&names[..2]), "A and B");
    assert_eq!(listed(&names), "A, B and C");
}
