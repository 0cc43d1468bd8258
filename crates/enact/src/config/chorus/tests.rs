use std::path::Path;

use enact_drama::Problem;
use expect_test::{Expect, expect};

use super::super::{Config, read};

fn shown(read: Result<Config, Problem>) -> String {
    match read {
        Err(problem) => match &problem.hint {
            Some(hint) => format!("{problem}\nhint: {hint}\n"),
            None => format!("{problem}\n"),
        },
        Ok(config) => format!("{:#?}\n", config.chorus),
    }
}

fn check(files: &[&str], expected: Expect) {
    let outcomes = files.iter().map(|text| {
        let outcome = shown(read::read(Path::new("enact.toml"), text));
        assert!(!outcome.contains("sk-"), "a key was repeated: {outcome}");
        format!("{text}\n=> {outcome}")
    });
    expected.assert_eq(&outcomes.collect::<String>());
}

#[test]
fn everything_that_may_be_said() {
    check(
        &["[chorus]
voice = ['elevenlabs', 'embedded']
templates = 'prompts'
answer_timeout_seconds = 20
speech_timeout_seconds = 60

[[chorus.agents]]
id = 'gpt-5.2'

[[chorus.agents]]
id = 'org/model:free'
name = 'Somebody'
provider = 'Nobody'
description = 'Says little.'
color = '#ABC'
model = 'improviser'"],
        expect![[r##"
            [chorus]
            voice = ['elevenlabs', 'embedded']
            templates = 'prompts'
            answer_timeout_seconds = 20
            speech_timeout_seconds = 60

            [[chorus.agents]]
            id = 'gpt-5.2'

            [[chorus.agents]]
            id = 'org/model:free'
            name = 'Somebody'
            provider = 'Nobody'
            description = 'Says little.'
            color = '#ABC'
            model = 'improviser'
            => ChorusConfig {
                agents: [
                    AgentEntry {
                        id: AgentId(
                            "gpt-5.2",
                        ),
                        name: None,
                        provider: None,
                        description: None,
                        color: None,
                        model: None,
                    },
                    AgentEntry {
                        id: AgentId(
                            "org/model:free",
                        ),
                        name: Some(
                            "Somebody",
                        ),
                        provider: Some(
                            "Nobody",
                        ),
                        description: Some(
                            "Says little.",
                        ),
                        color: Some(
                            "#abc",
                        ),
                        model: Some(
                            "improviser",
                        ),
                    },
                ],
                voice: Some(
                    [
                        "elevenlabs",
                        "embedded",
                    ],
                ),
                templates: Some(
                    "prompts",
                ),
                answer_timeout: Some(
                    20s,
                ),
                speech_timeout: Some(
                    60s,
                ),
            }
        "##]],
    );
}

#[test]
fn what_makes_no_sense() {
    check(
        &[
            "chorus = 3",
            "[chorus]\nagnts = []",
            "[chorus]\nagents = []",
            "[chorus.agents]\nid = 'a'",
            "[[chorus.agents]]\nname = 'a'",
            "[[chorus.agents]]\nid = ''",
            "[[chorus.agents]]\nid = 'a'\n[[chorus.agents]]\nid = 'a'",
            "[[chorus.agents]]\nid = 'a'\ncolour = '#fff'",
            "[[chorus.agents]]\nid = 'a'\ncolor = 'red'",
            "[[chorus.agents]]\nid = 'a'\napi_key = 'sk-123'",
            "[[chorus.agents]]\nid = 'a'\nmodel = 'improvisor'",
            "[[chorus.agents]]\nid = 'a'\nmodel = 'script:x.txt'",
            "[[chorus.agents]]\nid = 'a'\ndescription = \"two\\nlines\"",
            "[chorus]\nvoice = 'embeded'",
            "[chorus]\nvoice = []",
            "[chorus]\nvoice = ['none', 'embedded']",
            "[chorus]\nvoice = 3",
            "[chorus]\nanswer_timeout_seconds = 0",
            "[chorus]\nspeech_timeout = 3",
            "agents = []",
        ],
        expect![[r##"
            chorus = 3
            => line 1, column 10: chorus must be keys with values, found 3
            [chorus]
            agnts = []
            => line 2, column 1: unknown key 'agnts'
            hint: did you mean 'agents'?
            [chorus]
            agents = []
            => line 2, column 10: chorus.agents must be a list of 1 to 200 agents, found []
            hint: each begins with [[chorus.agents]] and has an id, by which requests choose it
            [chorus.agents]
            id = 'a'
            => line 1, column 1: chorus.agents must be a list, found keys with values
            hint: each begins with [[chorus.agents]] and has an id, by which requests choose it
            [[chorus.agents]]
            name = 'a'
            => line 1, column 1: chorus.agents has no 'id'
            hint: each begins with [[chorus.agents]] and has an id, by which requests choose it
            [[chorus.agents]]
            id = ''
            => line 2, column 6: chorus.agents.id: "" is not an agent's id: 1 to 128 characters on one line, without blanks around it
            [[chorus.agents]]
            id = 'a'
            [[chorus.agents]]
            id = 'a'
            => line 4, column 6: the agent 'a' is there already
            hint: ids are what requests choose agents by; each is given once
            [[chorus.agents]]
            id = 'a'
            colour = '#fff'
            => line 3, column 1: unknown key 'colour'
            hint: did you mean 'color'?
            [[chorus.agents]]
            id = 'a'
            color = 'red'
            => line 3, column 9: chorus.agents.color must be a colour such as "#cc785c", found 'red'
            [[chorus.agents]]
            id = 'a'
            api_key = 'sk-123'
            => line 3, column 1: 'api_key': keys are never written into this file
            hint: put the key into an environment variable and name that: key_env = "MY_KEY"
            [[chorus.agents]]
            id = 'a'
            model = 'improvisor'
            => line 2, column 6: chorus.agents: a: unknown model 'improvisor'
            hint: did you mean 'improviser'?
            [[chorus.agents]]
            id = 'a'
            model = 'script:x.txt'
            => line 2, column 6: chorus.agents: a: scripts and recordings are no agents
            hint: name a model of this file, 'improviser' or 'PROVIDER:MODEL'
            [[chorus.agents]]
            id = 'a'
            description = "two\nlines"
            => line 3, column 15: chorus.agents.description must be text on one line, of at most 400 characters, found "two\nlines"
            [chorus]
            voice = 'embeded'
            => line 2, column 9: chorus.voice: unknown voice 'embeded'
            hint: did you mean 'embedded'?
            [chorus]
            voice = []
            => line 2, column 9: chorus.voice must name a voice
            hint: write voice = "none" for no speech
            [chorus]
            voice = ['none', 'embedded']
            => line 2, column 9: chorus.voice: 'none' stands alone, or not at all
            [chorus]
            voice = 3
            => line 2, column 9: chorus.voice must be a name or a list of names, found 3
            [chorus]
            answer_timeout_seconds = 0
            => line 2, column 26: chorus.answer_timeout_seconds must be a number from 0.1 to 3600, found 0
            [chorus]
            speech_timeout = 3
            => line 2, column 1: unknown key 'speech_timeout'
            hint: did you mean 'speech_timeout_seconds'?
            agents = []
            => line 1, column 1: unknown key 'agents'
            hint: did you mean 'chorus'?
        "##]],
    );
}

#[test]
fn nobody_speaks_where_that_is_said() {
    let voice = |text: &str| read::read(Path::new("enact.toml"), text).unwrap().chorus.voice;
    assert_eq!(voice(""), None);
    assert_eq!(voice("[chorus]\nvoice = 'none'"), Some(Vec::new()));
}
