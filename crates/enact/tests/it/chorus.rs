//! Choruses through the real binary: what is shown, what can be heard, what is refused.

use std::collections::BTreeSet;

use expect_test::{Expect, expect};
use serde_json::{Value, json};

use crate::{
    project::{Project, Ran},
    server::{Server, client::call},
};

const MESSAGE: &str = "What does rain sound like?";

fn sing(project: &Project, more: &[&str]) -> Ran {
    project.run(&[&["chorus", MESSAGE, "--seed", "7"], more].concat())
}

/// What was printed, with what differs from run to run replaced.
fn steady(ran: &Ran) -> String {
    let mask = |line: &str| match line.split_once(": ") {
        Some((label @ ("Again" | "Play on"), _)) => format!("{label}: <command>"),
        Some(("Audio", rest)) => {
            let about = rest.split_once(" (").map_or("", |(_, about)| about);
            format!("Audio: <folder> ({about}")
        }
        _ => line.to_owned(),
    };
    ran.stdout.lines().map(|line| mask(line) + "\n").collect()
}

#[test]
fn three_turns_are_shown_as_they_come() {
    let project = Project::empty();
    let ran = sing(&project, &["--slots", "3"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    expect![[r#"
        "What does rain sound like?" to Claude Sonnet 4.5, Claude Opus 4.5, GPT-5.2
          played by: improviser (built-in rules in English, not a language model)
          spoken by: embedded

        [TURN 1 - RESPONSES]

        Claude Opus 4.5 (improviser) [VOICE: warm_professional] "Measure “rain” twice, ask once. You're allowed to ask me."

        GPT-5.2 (improviser) [VOICE: playful_expressive] "I'd tell you, but then I'd have to explain how I know, and the goat asked for privacy. I'll see myself out, and then back in."

        Claude Sonnet 4.5 (improviser) [VOICE: calm_soothing] "When I hear “rain”, I see a lamp left on in an empty house, and somebody on the way home to it. I'd say the rest in a whisper."

        [TURN 2 - COMMENTS]

        GPT-5.2 (improviser) [ABOUT: Claude Opus 4.5, VOICE: playful_expressive] "I give that a nine, Claude Opus 4.5, and I'm keeping the tenth point for your entrance."

        Claude Opus 4.5 (improviser) [ABOUT: Claude Sonnet 4.5, VOICE: warm_professional] "Nice façade, Claude Sonnet 4.5, is there a house behind it?"

        Claude Sonnet 4.5 (improviser) [ABOUT: GPT-5.2, VOICE: calm_soothing] "GPT-5.2, you measured the wave so well that it has gone flat."

        [TURN 3 - REPLIES]

        GPT-5.2 (improviser) [TO: Claude Sonnet 4.5, VOICE: playful_expressive] "I shall treasure that, Claude Sonnet 4.5, between the gas bill and the kazoo."

        Claude Opus 4.5 (improviser) [TO: GPT-5.2, VOICE: warm_professional] "I'll take that as a work order, GPT-5.2. Delivery on Thursday."

        Claude Sonnet 4.5 (improviser) [TO: Claude Opus 4.5, VOICE: calm_soothing] "I was half asleep when it came to me, Claude Opus 4.5, and you have woken me kindly."

        Done: 3 of 3 answered, in 3 turns, seed 7.
        Audio: <folder> (9 recordings, 73.6 s, spoken by embedded (flite, kal16))
        Cost: nothing: no language model was asked
        Again: <command>
    "#]].assert_eq(&steady(&ran));
    assert_eq!(
        steady(&sing(&Project::empty(), &["--slots", "3"])),
        steady(&ran),
        "the same seed, the same words"
    );
}

#[test]
fn whoever_is_alone_answers_and_nobody_speaks_where_nobody_should() {
    let project = Project::empty();
    let ran = sing(&project, &["--agents", " gemini-3 ", "--voice", "none", "--json"]);
    let result = ran.json();
    assert_eq!((ran.code, result["lines"].as_array().unwrap().len()), (0, 1), "{}", ran.stdout);
    assert_eq!(result["lines"][0]["agentId"], "gemini-3");
    assert!(project.files().iter().all(|file| !file.contains("artifacts")), "{:?}", project.files());
}

/// Everything that was said can be heard, the manifest lists it, and nothing else is there.
fn check_artifacts(project: &Project, result: &Value) {
    let root = project.path().join("data/artifacts");
    let session = result["metadata"]["runId"].as_str().unwrap();
    let manifest = format!("tts/sessions/{session}/session.json");
    let listed: Value =
        serde_json::from_str(&std::fs::read_to_string(root.join(&manifest)).unwrap()).unwrap();
    assert_eq!(listed["sessionId"], session);
    let turns = listed["turns"].as_object().unwrap();
    let entries: Vec<&Value> = turns.values().flat_map(|turn| turn.as_array().unwrap()).collect();
    let of_manifest: BTreeSet<&str> =
        entries.iter().map(|entry| entry["audioPath"].as_str().unwrap()).collect();
    let lines = result["lines"].as_array().unwrap();
    let of_lines: BTreeSet<&str> = lines.iter().map(|line| line["audioPath"].as_str().unwrap()).collect();
    assert_eq!(of_manifest, of_lines);
    assert_eq!(of_lines.len(), lines.len(), "a file for each");
    for path in &of_lines {
        let mut wav = hound::WavReader::open(root.join(path)).unwrap();
        assert_eq!((wav.spec().channels, wav.spec().bits_per_sample), (1, 16), "{path}");
        let samples: Vec<i16> = wav.samples().map(Result::unwrap).collect();
        let seconds = samples.len() as f64 / f64::from(wav.spec().sample_rate);
        assert!((0.3..60.0).contains(&seconds) && samples.iter().any(|sample| sample.abs() > 1000), "{path}");
    }
    let below = |file: &String| file.strip_prefix("data/artifacts/").map(str::to_owned);
    let there: BTreeSet<String> = project.files().iter().filter_map(below).collect();
    let expected = of_lines.iter().map(|path| (*path).to_owned()).chain([manifest]);
    assert_eq!(there, expected.collect());
}

#[test]
fn everything_that_is_said_can_be_heard() {
    let project = Project::empty();
    let result = sing(&project, &["--json"]).json();
    assert_eq!(result["metadata"]["completedSlots"], 6);
    let turns: Vec<u64> =
        result["lines"].as_array().unwrap().iter().map(|line| line["turnIndex"].as_u64().unwrap()).collect();
    assert_eq!(turns.iter().filter(|turn| **turn == 1).count(), 6);
    assert_eq!(turns.iter().filter(|turn| **turn == 2).count(), 6);
    assert!(turns.contains(&3) && turns.is_sorted());
    check_artifacts(&project, &result);
}

#[test]
fn whatever_agents_are_called_their_files_stay_where_they_belong() {
    let project = Project::empty();
    let hostile = ["../../../outside", "/etc/passwd", "..", "C:\\x\\y", "a/../../b", "nul\u{2028}x"];
    let agents = hostile.iter().map(|id| format!("[[chorus.agents]]\nid = {}\n", Value::from(*id)));
    project.write("work/enact.toml", agents.collect::<String>());
    let run = |args: &[&str]| -> Ran {
        project.command(args).current_dir(project.path().join("work")).output().unwrap().into()
    };
    // What is no id at all is refused before anything is played.
    let refused = run(&["chorus", MESSAGE]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    let agents = hostile[..5].iter().map(|id| format!("[[chorus.agents]]\nid = {}\n", Value::from(*id)));
    project.write("work/enact.toml", agents.collect::<String>());
    let ran = run(&["chorus", MESSAGE, "--json", "--data-dir", "../data"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    check_artifacts(&project, &ran.json());
    let outside = project.files().into_iter().filter(|file| !file.starts_with("data/"));
    assert_eq!(outside.collect::<Vec<_>>(), ["work/enact.toml"]);
}

#[test]
fn a_conversation_goes_on() {
    let project = Project::empty();
    let first = sing(&project, &["--slots", "2", "--voice", "none", "--json"]).json();
    let second = project.run(&[
        "chorus",
        "And snow?",
        "--after",
        "latest",
        "--slots",
        "2",
        "--voice",
        "none",
        "--json",
    ]);
    assert_eq!(second.code, 0, "{}", second.stderr);
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    let began: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    let threads = began["body"]["setup"]["threads"].as_array().unwrap();
    assert_eq!(threads.len(), 2);
    let said = first["lines"][0]["text"].as_str().unwrap();
    assert!(threads.iter().any(|thread| thread.to_string().contains(said)), "{threads:?}");
}

#[test]
fn afterwards_it_can_be_listed_shown_exported_and_moved() {
    let project = Project::empty();
    let ran = sing(&project, &["--slots", "2", "--voice", "none", "--json"]);
    let run = ran.json()["metadata"]["runId"].as_str().unwrap().to_owned();
    let listed = project.run(&["runs"]).stdout;
    assert!(listed.contains("chorus") && listed.contains("completed"), "{listed}");
    let txt = project.run(&["export", "latest", "--format", "txt"]).stdout;
    assert_eq!(project.run(&["replay", &run]).stdout, txt);
    assert_eq!(project.run(&["replay", "chorus", "--speed", "1000000"]).stdout, txt);
    assert!(txt.contains("[TURN 2 - COMMENTS]"), "{txt}");
    assert!(project.run(&["export", "latest", "--format", "md"]).stdout.starts_with("# "));
    assert_eq!(project.run(&["export", "latest", "--format", "json"]).stdout, ran.stdout);
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    let imported = project.run_with_input(&["import", "-", "--data-dir", "elsewhere"], log.as_bytes());
    assert_eq!(imported.code, 0, "{}", imported.stderr);
    assert_eq!(project.run(&["replay", &run, "--data-dir", "elsewhere"]).stdout, txt);
    // One that breaks off can be played on, and only then gone on from.
    let half: String = log.lines().take(4).map(|line| format!("{line}\n")).collect();
    let imported = project.run_with_input(&["import", "-", "--data-dir", "half"], half.as_bytes());
    assert!(imported.stdout.contains("enact chorus --resume"), "{}{}", imported.stdout, imported.stderr);
    let refused = project.run(&["chorus", "And snow?", "--after", "latest", "--data-dir", "half"]);
    assert_eq!(refused.code, 2, "{}", refused.stdout);
    assert!(
        refused.stderr.contains(&format!("run {run} has not ended\n  hint: `enact chorus --resume`")),
        "{}",
        refused.stderr
    );
    let resumed = project.run(&["chorus", "--resume", "latest", "--data-dir", "half", "--json"]);
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    let texts = |result: &Value| -> BTreeSet<String> {
        result["lines"].as_array().unwrap().iter().map(|line| line["text"].to_string()).collect()
    };
    assert_eq!(texts(&resumed.json()), texts(&ran.json()));
}

/// One agent whose key is missing, and two who need none.
const KEYLESS: &str = "[[chorus.agents]]
id = 'keyed'
model = 'anthropic:claude-sonnet-4-5'
[[chorus.agents]]
id = 'one'
[[chorus.agents]]
id = 'two'
";

#[test]
fn a_missing_key_costs_its_slot_here_and_on_a_server() {
    let project = Project::empty();
    project.write("enact.toml", KEYLESS);
    let ran = sing(&project, &["--voice", "none"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("which plays keyed, needs a key: ANTHROPIC_API_KEY is not set"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("Done: 2 of 3 answered, in 3 turns"), "{}", ran.stdout);
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    let slots = json!([{"slotId": 1, "agentId": "keyed"}, {"slotId": 2, "agentId": "one"}]);
    // The second message shows that the first has come to its end.
    for message in ["Good morning", "And snow?"] {
        let answer = server.post("/v1/chat", &json!({"message": message, "slots": slots}));
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.body.matches("event: slot.error").count(), 1, "{}", answer.body);
        assert!(answer.body.contains("event: done"), "{}", answer.body);
    }
    server.stop();
}

#[test]
fn a_missing_program_is_passed_over_and_its_text_is_never_lost() {
    let project = Project::empty();
    let voices = "[voices.gone]\nkind = 'command'\ncommand = 'enact-tests-never-install-this'\n";
    project.write("enact.toml", format!("[chorus]\nvoice = 'gone'\n{voices}"));
    let named = ["--config", "enact.toml"];
    let ran = sing(&project, &[&named[..], &["--slots", "1", "--voice", "gone,embedded"]].concat());
    let told = "the program of the voice 'gone' is not there: enact-tests-never-install-this";
    assert!(ran.stdout.contains(&format!("\nPassed over: gone: {told}\n")), "{}{}", ran.stdout, ran.stderr);
    let manifest = project.files().into_iter().find(|file| file.ends_with("session.json")).unwrap();
    let listed = std::fs::read_to_string(project.path().join(manifest)).unwrap();
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let passed_over = &listed["turns"]["turn_1"][0]["passedOver"];
    assert_eq!(passed_over, &json!([{"voice": "gone", "error": told}]), "{listed}");

    // At the terminal an unusable voice is an error; a server starts without it.
    let refused = sing(&project, &named);
    assert!(refused.code == 2 && refused.stderr.contains(told), "{}", refused.stderr);
    let server = Server::start(project.command(&[&["serve", "--bind", "127.0.0.1:0"][..], &named].concat()));
    let slots = json!([{"slotId": 1, "agentId": "gpt-4o"}]);
    let answer = server.post("/v1/chat", &json!({"message": "Good morning", "slots": slots}));
    assert!(answer.body.contains("event: slot.done") && answer.body.contains("tts_error"), "{}", answer.body);
    assert!(answer.body.contains(r#""completedSlots":1"#), "{}", answer.body);
    let (_, log) = server.stop();
    assert!(log.contains(told) && log.contains("a voice cannot speak"), "{log}");
}

#[test]
fn what_is_read_from_standard_input() {
    let project = Project::empty();
    for args in [&["chorus", "-"][..], &["chorus"]] {
        let args = [args, &["--voice", "none", "--slots", "1", "--json"]].concat();
        let ran = project.run_with_input(&args, "Why is the sea salty?\n".as_bytes());
        assert_eq!(ran.json()["message"], "Why is the sea salty?", "{}", ran.stderr);
    }
}

#[test]
fn agents_call_each_other_by_their_names() {
    let project = Project::new();
    project.write(
        "enact.toml",
        "[[chorus.agents]]\nid = 'c'\nname = 'Øyvind'\n[[chorus.agents]]\nid = 'd'\nname = '小林'\n",
    );
    let ran = project.run(&["chorus", "Where are you?", "--voice", "none", "--json", "--seed", "1"]);
    let json = ran.json();
    let lines = json["lines"].as_array().unwrap();
    let comments: Vec<_> = lines.iter().filter(|line| line["kind"] == "comment").collect();
    assert_eq!(comments.len(), 2);
    for comment in comments {
        let called = if comment["agentId"] == "c" { "小林" } else { "Øyvind" };
        assert!(comment["text"].as_str().unwrap().contains(called), "{comment}");
    }
}

fn shown(args: &[&str]) -> String {
    args.iter().map(|arg| if arg.is_empty() { "\"\"" } else { arg }).collect::<Vec<_>>().join(" ")
}

/// Each as the arguments of a project with one file, and what is said about it.
fn check_refused(cases: &[(&str, &str, &[&str])], expected: Expect) {
    let mut table = String::new();
    for (file, text, args) in cases {
        let project = Project::new();
        if !file.is_empty() {
            project.write(file, text);
        }
        let ran = project.run(args);
        assert_eq!(ran.code, 2, "{args:?}: {}{}", ran.stdout, ran.stderr);
        assert!(project.files().iter().all(|left| left == file), "{args:?}");
        let what = if file.is_empty() { String::new() } else { format!("{file}: {text:?}\n") };
        let said = ran.stderr.replace(&format!("{}/", project.path().display()), "");
        table.push_str(&format!("{what}enact {}\n{}\n", shown(args), said.trim_end()));
    }
    expected.assert_eq(&table);
}

#[test]
fn bad_input_is_refused_before_anything_is_written() {
    let long = "x".repeat(16_001);
    check_refused(
        &[
            ("", "", &["chorus", ""]),
            ("", "", &["chorus", "Hello", "--agents", "gpt4o"]),
            ("", "", &["chorus", "Hello", "--agents", "gpt-4o,gpt-4o,gpt-4o,gpt-4o,gpt-4o,gpt-4o,gpt-4o"]),
            ("", "", &["chorus", "Hello", "--voice", "embeded"]),
            ("", "", &["chorus", "Hello", "--voice", "elevenlabs"]),
            ("", "", &["chorus", "Hello", "--after", "latest"]),
            ("", "", &["chorus", "--resume", "latest"]),
            ("templates/turn1_response.j2", "Say {{ user_mesage }}", &["chorus", "Hello"]),
            ("templates/turn2_comment_select.j2", "{% for x in %}", &["chorus", "Hello"]),
            ("templates/system.j2", "\n\n{{ slot_id }}", &["serve", "--bind", "127.0.0.1:0"]),
            ("enact.toml", "[chorus]\ntemplates = 'prompts'\n", &["chorus", "Hello"]),
            (
                "enact.toml",
                "[voices.robot]\nkind = 'command'\ncommand = './robot'\n",
                &["chorus", "Hello", "--voice", "robot"],
            ),
            (
                "enact.toml",
                "[chorus]\nvoice = 'robot'\n[voices.robot]\nkind = 'command'\ncommand = './robot'\n",
                &["serve", "--bind", "127.0.0.1:0"],
            ),
            ("enact.toml", "[serve]\nartifacts = '/'\n", &["serve", "--bind", "127.0.0.1:0"]),
            ("file", "in the way", &["serve", "--bind", "127.0.0.1:0", "--artifacts", "file"]),
            (
                "enact.toml",
                "[[chorus.agents]]\nid = 'one'\nmodel = 'anthropic:claude-sonnet-4-5'\n",
                &["chorus", "Hello"],
            ),
        ],
        expect![[r#"
            enact chorus ""
            error[INVALID_CONFIG]: a chorus needs a message
              hint: for example "What does rain sound like?"
            enact chorus Hello --agents gpt4o
            error[INVALID_CONFIG]: there is no agent 'gpt4o'
              hint: did you mean 'gpt-4o'?
            enact chorus Hello --agents gpt-4o,gpt-4o,gpt-4o,gpt-4o,gpt-4o,gpt-4o,gpt-4o
            error[INVALID_CONFIG]: --agents: a chorus has at most 6 slots
            enact chorus Hello --voice embeded
            error[INVALID_CONFIG]: --voice: unknown voice 'embeded'
              hint: did you mean 'embedded'?
            enact chorus Hello --voice elevenlabs
            error[INVALID_CONFIG]: the voice 'elevenlabs' needs a key: ELEVENLABS_API_KEY is not set
              hint: put the key into the environment variable ELEVENLABS_API_KEY, or let another voice speak: --voice embedded
            enact chorus Hello --after latest
            error[INVALID_CONFIG]: there are no runs in 'data'
              hint: `enact run`, `enact chorus`, `enact play`, `enact field` and `enact mcp` play some; --data-dir looks elsewhere
            enact chorus --resume latest
            error[INVALID_CONFIG]: there are no runs in 'data'
              hint: `enact run`, `enact chorus`, `enact play`, `enact field` and `enact mcp` play some; --data-dir looks elsewhere
            templates/turn1_response.j2: "Say {{ user_mesage }}"
            enact chorus Hello
            error[INVALID_CONFIG]: templates/turn1_response.j2:1:8: there is no variable 'user_mesage' in this template
              hint: did you mean 'user_message'?
            templates/turn2_comment_select.j2: "{% for x in %}"
            enact chorus Hello
            error[INVALID_CONFIG]: templates/turn2_comment_select.j2:1:13: unexpected end of block
            templates/system.j2: "\n\n{{ slot_id }}"
            enact serve --bind 127.0.0.1:0
            error[INVALID_CONFIG]: templates/system.j2:3:4: there is no variable 'slot_id' in this template
              hint: it may use voice_profiles_table
            enact.toml: "[chorus]\ntemplates = 'prompts'\n"
            enact chorus Hello
            error[INVALID_CONFIG]: enact.toml:2:13: templates: there is no folder 'prompts'
              hint: it is looked for beside this file; without the key, templates/ is used if it is there
            enact.toml: "[voices.robot]\nkind = 'command'\ncommand = './robot'\n"
            enact chorus Hello --voice robot
            error[INVALID_CONFIG]: enact.toml:1:9: the voice 'robot' would run the program './robot', and this file was only found, not named
              hint: if you trust it, name it: --config enact.toml; or move the voice to ~/.config/enact/enact.toml
            enact.toml: "[chorus]\nvoice = 'robot'\n[voices.robot]\nkind = 'command'\ncommand = './robot'\n"
            enact serve --bind 127.0.0.1:0
            error[INVALID_CONFIG]: enact.toml:3:9: the voice 'robot' would run the program './robot', and this file was only found, not named
              hint: if you trust it, name it: --config enact.toml; or move the voice to ~/.config/enact/enact.toml
            enact.toml: "[serve]\nartifacts = '/'\n"
            enact serve --bind 127.0.0.1:0
            error[INVALID_CONFIG]: enact.toml:2:13: this file says who may reach the server, or what it lets them fetch, and it was only found, not named
              hint: if you trust it, name it: --config enact.toml
            file: "in the way"
            enact serve --bind 127.0.0.1:0 --artifacts file
            error[INVALID_CONFIG]: audio cannot be kept in 'file': File exists (os error 17)
              hint: choose a folder that can be written to, or have nothing said aloud (voice: none)
            enact.toml: "[[chorus.agents]]\nid = 'one'\nmodel = 'anthropic:claude-sonnet-4-5'\n"
            enact chorus Hello
            error[INVALID_CONFIG]: the model 'anthropic:claude-sonnet-4-5', which plays one, needs a key: ANTHROPIC_API_KEY is not set
              hint: put the key into the environment variable ANTHROPIC_API_KEY, or choose another model
        "#]],
    );
    let ran = Project::empty().run(&["chorus", &long]);
    assert!(ran.code == 2 && ran.stderr.contains("at most 16000 characters"), "{}", ran.stderr);
}

#[test]
fn scenes_and_choruses_are_not_taken_for_each_other() {
    let project = Project::new();
    project.write("scene.md", "---\ncharacters: [alice, bob]\nmaxBeats: 2\n---\nAlice meets Bob.\n");
    project.run(&["run", "scene.md", "--quiet"]);
    let scene = project.run(&["runs", "--json"]).json()[0]["run"].as_str().unwrap().to_owned();
    sing(&project, &["--slots", "1", "--voice", "none"]);
    let chorus = project.run(&["runs", "--json"]).json()[0]["run"].as_str().unwrap().to_owned();
    for (args, said) in [
        (&["chorus", "--resume", &scene][..], "is a scene, not a chorus"),
        (&["chorus", "Hello", "--after", &scene], "is a scene, not a chorus"),
        (&["run", "--resume", &chorus], "is a chorus, not a scene"),
        (&["fork", &chorus, "--beat", "1"], "a chorus has no beats to fork at"),
    ] {
        let ran = project.run(args);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    // 'latest' is the newest of its kind.
    assert_eq!(project.run(&["run", "--resume", "latest", "--quiet"]).code, 0);
}

#[test]
fn a_client_that_knows_only_the_protocol_gets_a_whole_chorus_from_a_server() {
    let project = Project::empty();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    let agents = &server.get("/v1/agents").json()["agents"];
    assert_eq!(agents.as_array().unwrap().len(), 6);
    assert!(agents[0]["description"].as_str().unwrap().contains("improviser"), "{agents}");
    let slots = json!([{"slotId": 2, "agentId": "gpt-4o"}, {"slotId": 5, "agentId": "gemini-3"}]);
    let answer = server.post("/v1/chat", &json!({"message": "Good morning", "slots": slots}));
    assert_eq!(answer.status, 200, "{}", answer.body);
    let events: Vec<(&str, Value)> = answer
        .body
        .split("\n\n")
        .filter_map(|block| {
            let field = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
            Some((field("event: ")?, serde_json::from_str(field("data: ")?).unwrap()))
        })
        .collect();
    let (name, done) = events.last().unwrap();
    assert_eq!((*name, &done["completedSlots"], &done["turns"]), ("done", &2.into(), &3.into()));
    let audio: Vec<&Value> =
        events.iter().filter(|(name, _)| *name == "slot.audio").map(|(_, data)| data).collect();
    assert_eq!(audio.len(), events.iter().filter(|(name, _)| *name == "slot.done").count());
    let artifacts = project.path().join("data/artifacts");
    for data in audio {
        let path = data["audioPath"].as_str().unwrap();
        hound::WavReader::open(artifacts.join(path)).unwrap();
        let head = call(server.address(), "HEAD", &format!("/v1/audio/{path}"), &[], "").unwrap();
        assert_eq!((head.status, head.header("content-type")), (200, Some("audio/wav")));
    }
    let cleared = call(server.address(), "POST", "/v1/reset", &[], "").unwrap().json();
    assert_eq!((&cleared["status"], &cleared["clearedSlots"]), (&"ok".into(), &json!([2, 5])));
    let (_, log) = server.stop();
    assert!(log.contains("choruses are played") && log.contains("improviser"), "{log}");
}
