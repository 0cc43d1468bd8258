//! Episodes through the real binary: in the terminal, over HTTP, and after a kill.

use serde_json::{Value, json};

use crate::{
    project::{Project, Ran},
    server::Server,
};

const EPISODE: &str = r#"---
title: The Last Train
character: mina
completion_mode: turn_limited
turn_budget: 3
evaluation: flirt_archetype
starter_prompts: ["Is this seat taken?", "You missed it too?"]
beats:
  - id: phone
    instruction: Your phone rings.
    turn: 1
    choice:
      id: phone
      prompt: What do you do?
      choices:
        - {id: go, label: "I should go.", sets: left}
        - {id: stay, label: "I'm not leaving.", sets: stayed}
---
A platform at night.

## Opening
The next one is at six.
"#;

const SCRIPT: &str = r#"turn 1
mina: {"action": "She looks up", "dialogue": "Depends who is asking.", "mood": "amused", "tension_shift": 0.2, "internal": "Nice coat."}
turn 2
mina: {"action": "", "dialogue": "Then don't.", "mood": "warm", "tension_shift": 0.4, "internal": ""}
turn 3
mina: {"action": "She laughs", "dialogue": "Deal.", "mood": "warm", "tension_shift": 0.1, "internal": ""}
"#;

pub(crate) fn story() -> Project {
    let project = Project::empty();
    project.write(".claude/agents/mina.md", "# Mina\nRuns the night bar. Quick, amused, never in a hurry.\n");
    project.write("episodes/last-train.md", EPISODE);
    project.write("mina.txt", SCRIPT);
    project
}

fn play(project: &Project, args: &[&str], said: &str) -> Ran {
    project.run_with_input(&[&["play"], args].concat(), said.as_bytes())
}

#[test]
fn an_episode_is_played_to_its_result() {
    let project = story();
    let ran = play(&project, &["last-train", "--model", "script:mina.txt"], "1\n2\nhaha, deal then\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let shown = [
        "> Is this seat taken?\n\n*She looks up*\n\"Depends who is asking.\"\n\nWhat do you do?\n  1) I should go.",
        "> I'm not leaving.\n\n\"Then don't.\"\n",
        "The Playful Tease\n",
        "You said: \"haha, deal then\"\n",
        "Mina enjoyed that. Keep going?\n",
    ];
    for text in shown {
        assert!(ran.stdout.contains(text), "{text}\n---\n{}", ran.stdout);
    }
    assert!(!ran.stdout.contains("Nice coat"), "what is thought is not shown");
    let exported = project.run(&["export", "latest", "--format", "txt"]);
    assert!(exported.stdout.contains("[EPISODE END - All turns were played]"), "{}", exported.stdout);
    assert!(!exported.stdout.contains("Nice coat"));
}

#[test]
fn a_session_is_talked_on_and_branched() {
    let project = story();
    let ran = play(&project, &["last-train", "--model", "script:mina.txt"], "hi\n");
    assert!(ran.stdout.contains("Talk on: enact play --resume "), "{}", ran.stdout);
    let ran = play(&project, &["--resume", "latest", "--json"], "well\nlol ok\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let metadata = &ran.json()["metadata"];
    assert_eq!((&metadata["turn_count"], &metadata["completion_trigger"]), (&json!(3), &json!("turn_limit")));
    let fork = project.run_with_input(&["fork", "latest", "--at", "1"], b"I want you\n");
    assert!(fork.stdout.contains("I want you"), "{}\n{}", fork.stdout, fork.stderr);
    assert!(fork.stdout.contains("Talk on:"), "a branch goes on where its run was then: {}", fork.stdout);
}

/// A number that stands beside nothing costs no turn.
#[test]
fn a_number_beyond_what_is_offered_is_asked_for_again() {
    let project = story();
    let ran = play(&project, &["last-train", "--model", "script:mina.txt"], "hi\n9\n2\n");
    assert!(ran.stderr.contains("There are 2: a number from 1 to 2, or your own words."), "{}", ran.stderr);
    assert!(ran.stdout.contains("> I'm not leaving."), "{}", ran.stdout);
    let json = project.run(&["export", "latest", "--format", "json"]).json();
    assert_eq!(json["metadata"]["turn_count"], 2, "{json:#}");
}

/// Only its rules end a session: who interrupts it can talk on.
#[cfg(unix)]
#[test]
fn ctrl_c_lets_a_session_rest() {
    use std::{io::Read, process::Stdio};
    let project = story();
    let mut command = project.command(&["play", "last-train"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut shown = Vec::new();
    let mut stdout = child.stdout.take().unwrap();
    while !String::from_utf8_lossy(&shown).contains("The next one is at six.") {
        let mut some = [0; 64];
        let read = stdout.read(&mut some).unwrap();
        assert!(read > 0, "it ended too early");
        shown.extend_from_slice(&some[..read]);
    }
    crate::killed::interrupt(&child);
    stdout.read_to_end(&mut shown).unwrap();
    assert!(child.wait().unwrap().success());
    let shown = String::from_utf8(shown).unwrap();
    assert!(shown.contains("Talk on: enact play --resume "), "{shown}");
    let ran = play(&project, &["--resume", "latest", "--json"], "hi\n");
    assert_eq!(ran.json()["metadata"]["turn_count"], 1, "{}", ran.stdout);
}

#[test]
fn what_cannot_be_played_is_said() {
    let project = story();
    project.write("episodes/broken.md", "---\ncharacter: mina\nturns: 7\n---\nA bar.\n");
    // The arguments, and what is said.
    let cases: [(&[&str], &str); 4] = [
        (&["last-trian"], "did you mean 'last-train'?"),
        (&["broken"], "did you mean 'turn_budget'?"),
        (&["nowhere/episodes/x.md"], "there is no episode 'x'"),
        (&["last-train", "--model", "human"], "is for scenes"),
    ];
    for (args, said) in cases {
        let ran = play(&project, args, "");
        assert_ne!(ran.code, 0);
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    let listed = play(&project, &[], "").stdout;
    assert!(listed.contains("last-train  The Last Train") && listed.contains("cannot be played"), "{listed}");
    let ran = play(&Project::empty(), &["last-train"], "");
    assert!(ran.stderr.contains("no 'episodes' folder"), "{}", ran.stderr);
}

#[test]
fn sheets_and_links_reach_nothing_outside_the_project() {
    let project = story();
    let sheet = |model: &str| format!("---\nname: Mina\nmodel: {model}\n---\nRuns the night bar.\n");
    for own in ["inherit", "sonnet"] {
        project.write(".claude/agents/mina.md", sheet(own));
        let ran = play(&project, &["last-train", "-q"], "hi\n");
        assert_eq!(ran.code, 0, "{own}: the default plays: {}", ran.stderr);
    }
    project.write(".claude/agents/mina.md", sheet("script:mina.txt"));
    let ran = play(&project, &["last-train"], "hi\n");
    assert!(ran.stderr.contains("only for the command line"), "{}", ran.stderr);
    let outside = Project::empty();
    let secret = outside.write("secret.md", "---\ncharacter: mina\n---\nA secret.\n");
    std::os::unix::fs::symlink(secret, project.path().join("episodes/linked.md")).unwrap();
    let ran = play(&project, &["linked"], "hi\n");
    assert!(ran.stderr.contains("a link leads out of the project"), "{}", ran.stderr);
}

fn serve(project: &Project) -> Server {
    Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]))
}

/// The names of the events of a stream, and the data of the last of each name.
pub(crate) fn events(body: &str) -> (Vec<String>, impl Fn(&str) -> Value + use<>) {
    let lines = || body.lines().filter_map(|line| line.strip_prefix("data: "));
    let all: Vec<Value> = lines().map(|data| serde_json::from_str(data).unwrap()).collect();
    let names = all.iter().map(|data| data["type"].as_str().unwrap().to_owned());
    let names = names.filter(|name| name != "chunk").collect();
    (names, move |name: &str| all.iter().rfind(|data| data["type"] == name).cloned().unwrap_or_default())
}

#[test]
fn a_session_over_http_survives_a_kill() {
    let project = story();
    let server = serve(&project);
    let begun = server.post("/v1/sessions", &json!({"episode": "last-train"}));
    assert_eq!(begun.status, 201, "{}", begun.body);
    let begun = begun.json();
    assert_eq!(begun["openingMessage"], "The next one is at six.");
    let session = begun["sessionId"].as_str().unwrap().to_owned();
    let messages = format!("/v1/sessions/{session}/messages");

    let first = server.post(&messages, &json!({"id": "m1", "text": "Is this seat taken?"}));
    let (names, last) = events(&first.body);
    assert_eq!(names, ["message_complete", "choice_prompt", "done"]);
    assert_eq!(last("message_complete")["director"]["turn_count"], 1);
    let again = server.post(&messages, &json!({"id": "m1", "text": "Is this seat taken?"}));
    assert_eq!(events(&again.body).0, names, "the same message is told again, not said again");
    assert_eq!(server.get(&format!("/v1/sessions/{session}/result")).status, 404);

    server.kill();
    let server = serve(&project);
    let (names, _) = events(&server.post(&messages, &json!({"id": "m2", "choiceId": "stay"})).body);
    assert_eq!(names, ["message_complete", "done"]);
    let shown = server.get(&format!("/v1/sessions/{session}")).json();
    assert_eq!(shown["turn_count"], 2);
    assert_eq!(shown["director_state"]["flags"], json!({"stayed": true}));

    let third = server.post(&messages, &json!({"id": "m3", "text": "haha, deal"}));
    let (names, last) = events(&third.body);
    assert_eq!(names[names.len() - 3..], ["message_complete", "episode_complete", "done"]);
    let complete = last("episode_complete");
    assert_eq!(complete["trigger"], "turn_limit");
    let share = complete["share_id"].as_str().unwrap();
    assert!(share.len() >= 32);
    let shared = server.get(&format!("/v1/share/{share}"));
    assert_eq!(shared.status, 200);
    assert!(!shared.body.contains(&session), "a result does not tell whose it is: {}", shared.body);
    let late = server.post(&messages, &json!({"id": "m4", "text": "More?"}));
    assert_eq!(late.status, 409, "{}", late.body);
    assert!(late.body.contains("SESSION_COMPLETE") && late.body.contains("next_suggestion"), "{}", late.body);
    let listed = server.get("/v1/sessions").json();
    assert_eq!(listed["sessions"][0]["session_state"], "complete");
    let told = server.get(&messages).json();
    assert_eq!(told["messages"].as_array().unwrap().len(), 6);
    assert_eq!(server.post("/v1/sessions", &json!({"episode": "nothing"})).status, 422);
    assert_eq!(server.post(&messages, &json!({"text": ""})).status, 409, "it is over");
}

#[test]
fn a_character_plays_the_user() {
    let project = story();
    project.write(
        ".claude/agents/jonas.md",
        "# Jonas\nRepairs clocks. You never hurry. You missed the train on purpose.\n",
    );
    let ran = play(&project, &["last-train", "--as", "jonas", "--seed", "3"], "");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("\n> ").count(), 3, "{}", ran.stdout);
    assert!(ran.stdout.contains("Match") || ran.stdout.contains("────"), "{}", ran.stdout);
    let again = play(&project, &["last-train", "--as", "jonas", "--seed", "3"], "");
    let said = |ran: &Ran| {
        ran.stdout.lines().filter(|line| line.starts_with("> ")).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(said(&again), said(&ran), "the same seed gives the same lines");
    let nobody = play(&project, &["last-train", "--as", "nobody"], "");
    assert!(nobody.stderr.contains("nobody"), "{}", nobody.stderr);
}

#[test]
fn episodes_and_series_are_checked() {
    let project = story();
    project.write("series/night.md", "---\nepisodes: [last-train]\n---\nNights.\n");
    let good = project.run(&["check"]);
    assert_eq!(good.code, 0, "{}", good.stderr);
    for told in [
        "episodes/last-train.md is an episode: The Last Train with mina, 3 turns; 1 beats, 0 endings",
        "warning: turn_budget is 3: what people finish has other lengths (a flirt test 6 to 8)",
        "series/night.md is a series: Night, 1 episodes",
    ] {
        assert!(good.stdout.contains(told), "{told}\n---\n{}", good.stdout);
    }
    project.write("series/night.md", "---\nepisodes:\n  - last-trian\n---\nNights.\n");
    project.write("episodes/lost.md", "---\ncharacter: nina\n---\nA bar.\n");
    project.write("episodes/stuck.md", "---\ncharacter: mina\ncompletion_mode: objective\ncompletion_criteria:\n  objective_key: done\n---\nA bar.\n");
    project.write("episodes/tied.md", "---\ncharacter: mina\nseries: nigth\n---\nA bar.\n");
    let bad = project.run(&["check"]);
    assert_eq!(bad.code, 2);
    for told in [
        "series/night.md:3:5",
        "did you mean 'last-train'?",
        "episodes/lost.md:2:1",
        "episodes/stuck.md:5:3",
        "nothing in the episode can set 'done'",
        "episodes/tied.md:3:1",
        "did you mean 'night'?",
    ] {
        assert!(bad.stderr.contains(told), "{told}\n---\n{}", bad.stderr);
    }
}

#[test]
fn an_episode_is_rehearsed() {
    let project = story();
    let ran = project.run(&["rehearse", "last-train", "--seeds", "3", "--plot", "plot.svg"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("30 sessions (10 players, 3 seeds)"), "{}", ran.stdout);
    assert!(ran.stdout.contains("phone 100 %"), "{}", ran.stdout);
    let plot = project.read("plot.svg");
    assert_eq!(plot.matches("<polyline").count(), 10);
    let told = project.run(&["rehearse", "--seeds", "3", "--json"]).json();
    assert_eq!((&told[0]["sessions"], &told[0]["dead_beats"]), (&json!(30), &json!([])));
    assert_eq!(told[0]["players"].as_array().unwrap().len(), 10);
    let dead = EPISODE.replace("turn: 1", "turn: 9");
    project.write("episodes/dead.md", dead);
    let ran = project.run(&["rehearse", "dead", "--seeds", "2"]);
    assert_eq!(ran.code, 3);
    assert!(ran.stdout.contains("DEAD       nobody reaches the beat 'phone'"), "{}", ran.stdout);
}

/// What the shipped episodes tell in the end, and before it.
#[test]
fn a_mystery_ends_with_what_was_found_out_and_an_open_evening_with_a_suggestion() {
    let project = Project::empty();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/episodes");
    let play = |episode: &str, said: &str| -> String {
        let script = project.write("said.txt", said);
        let mut command = project.command(&["play", episode, "--script", script.to_str().unwrap()]);
        let data = project.path().join("data");
        let ran: Ran = command
            .args(["--data-dir".as_ref(), data.as_os_str()])
            .current_dir(&examples)
            .output()
            .unwrap()
            .into();
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran.stdout
    };
    let told = play("hollis-4-the-accusation", "Who are you?\nI accuse Dr. Vale. He poisoned him.\n");
    for text in [
        "\nThe Accusation\nI accuse Dr. Vale.\n",
        // Who accuses is answered at once, before other beats that are due.
        "Put the bag down.",
        "\nVale looks at the stopped clock",
    ] {
        assert!(told.contains(text), "{text}\n---\n{told}");
    }
    let told = play("the-late-shop", "Hello.\nWhat is good here?\nThanks.\nWell, good night then.\n");
    assert!(told.contains("(Next: enact play two-truths)") && told.contains("Talk on:"), "{told}");
}

/// Every part of the shipped episodes is reached by some persona. A few seeds are enough to see it; `enact rehearse`
/// in their folder plays twenty.
#[test]
fn nothing_in_the_shipped_episodes_is_dead() {
    let project = Project::empty();
    let examples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/episodes");
    let run =
        |args: &[&str]| -> Ran { project.command(args).current_dir(&examples).output().unwrap().into() };
    let ran = run(&["rehearse", "--seeds", "3"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ran.stdout.matches("30 sessions").count(), 9, "{}", ran.stdout);
    let checked = run(&["check"]);
    assert_eq!(checked.code, 0, "{}", checked.stderr);
    assert!(!checked.stdout.contains("warning"), "{}", checked.stdout);
}
