//! What is carried from session to session and from scene to scene, who may see what a character thinks, and why an answer came.

use enact_testkit::waiting::blocking;
use serde_json::{Value, json};

use crate::{
    project::Project,
    server::{Server, client::call},
};

const FIRST: &str = "---\ntitle: The Bar\ncharacter: mina\nseries: nights\ncompletion_mode: turn_limited\nturn_budget: 2\n---\nA bar, late.\n";
const SECOND: &str = "---\ntitle: The Pier\ncharacter: mina\nseries: nights\ncompletion_mode: turn_limited\nturn_budget: 2\n---\nA pier at dawn.\n";
const THIRD: &str = "---\ntitle: The Quay\ncharacter: ada\nseries: nights\ncompletion_mode: turn_limited\nturn_budget: 2\n---\nA quay.\n";
const SERIES: &str = "---\ntitle: Nights\ntype: serial\nepisodes: [bar, pier, quay]\n---\nTwo nights.\n";
const SCRIPT: &str = r#"turn 1
mina: {"action": "", "dialogue": "Is that so?", "mood": "calm", "tension_shift": 0.1, "internal": "Never trust a sailor."}
turn 2
mina: {"action": "", "dialogue": "Good to know.", "mood": "calm", "tension_shift": 0.1, "internal": "A sailor indeed."}
"#;

fn story() -> Project {
    let project = Project::empty();
    project.write(".claude/agents/mina.md", "# Mina\nRuns the night bar.\n");
    project.write("episodes/bar.md", FIRST);
    project.write("episodes/pier.md", SECOND);
    project.write("episodes/quay.md", THIRD);
    project.write(".claude/agents/ada.md", "# Ada\nSells tickets.\n");
    project.write("series/nights.md", SERIES);
    project.write("mina.txt", SCRIPT);
    project
}

const SAID: &str = "I work at the harbour. I love rain.\nMy sister lives in Bergen. I have an exam.\n";

fn play(project: &Project, episode: &str, said: &str) {
    let args = ["play", episode, "--model", "script:mina.txt", "-q"];
    let ran = project.run_with_input(&args, said.as_bytes());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

/// The first fact of the newest run.
fn setup(project: &Project) -> Value {
    let log = project.run(&["export", "latest", "--format", "jsonl"]).stdout;
    let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
    first["body"]["setup"].clone()
}

#[test]
fn a_character_remembers_in_the_next_session() {
    let project = story();
    play(&project, "bar", SAID);
    play(&project, "pier", "Back to the harbour?\nYes.\n");
    let setup = setup(&project);
    let remembered: Vec<&str> =
        setup["memories"].as_array().unwrap().iter().map(|one| one["text"].as_str().unwrap()).collect();
    for text in ["I work at the harbour.", "I love rain.", "My sister lives in Bergen."] {
        assert!(remembered.contains(&text), "{text}: {remembered:?}");
    }
    assert!(setup["soFar"][0].as_str().unwrap().starts_with("The Bar: 2 exchanges with Mina."), "{setup}");
    assert_eq!(setup["context"]["hooks"][0]["text"], "I have an exam.");
    let insight = project.run(&["insight", "latest", "--turn", "1", "--json"]).json();
    assert_eq!(insight["turns"][0]["memories_used"], json!(["I work at the harbour."]));
    assert_eq!(insight["turns"][0]["internal"], "Never trust a sailor.");
    // Derived anew, the rows are the same.
    let before = project.run(&["memory", "mina", "--json"]).stdout;
    assert_eq!(project.run(&["reindex"]).code, 0);
    assert_eq!(project.run(&["memory", "mina", "--json"]).stdout, before);
}

#[test]
fn a_serial_goes_on_with_another_character_who_remembers_nothing() {
    let project = story();
    play(&project, "bar", SAID);
    play(&project, "pier", "Hello.\nYes.\n");
    let ran = project.run_with_input(&["play", "quay", "-q"], b"Hello.\n");
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let setup = setup(&project);
    let so_far: Vec<&str> =
        setup["soFar"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    assert!(so_far[0].starts_with("The Bar:") && so_far[1].starts_with("The Pier:"), "{so_far:?}");
    assert!(setup.get("memories").is_none(), "{setup}");
    assert!(setup["context"].get("relationship").is_none(), "{setup}");
}

#[test]
fn memories_are_shown_corrected_and_forgotten() {
    let project = story();
    assert!(project.run(&["memory", "mina"]).code != 0, "nothing is kept here yet");
    play(&project, "bar", SAID);
    let shown = project.run(&["memory", "mina"]).stdout;
    assert!(shown.contains("I work at the harbour.") && shown.contains(", turn 1"), "{shown}");
    let numbered = |text: &str| {
        let memories = project.run(&["memory", "mina", "--json"]).json();
        let all = memories["memories"].as_array().unwrap().clone();
        all.iter().find(|one| one["text"] == text).map(|one| one["number"].to_string())
    };
    let edit = format!("{}=I work at the market.", numbered("I work at the harbour.").unwrap());
    let forget = numbered("I love rain.").unwrap();
    let ran = project.run(&["memory", "mina", "--edit", &edit, "--forget", &forget]);
    assert_eq!(ran.stdout, "1 forgotten, 1 corrected\n", "{}", ran.stderr);
    assert!(numbered("I work at the market.").is_some());
    assert!(numbered("I love rain.").is_none() && numbered("I work at the harbour.").is_none());
    assert_eq!(project.run(&["reindex"]).code, 0);
    play(&project, "pier", "Hello\nBye\n");
    let memories = setup(&project)["memories"].to_string();
    assert!(memories.contains("I work at the market.") && !memories.contains("rain"), "{memories}");
    // Bad input, and what is said of it.
    let cases: [(&[&str], &str); 4] = [
        (&["--forget", "99"], "there is no memory 99"),
        (&["--edit", "1"], "expected NUMBER=TEXT"),
        (&["--edit", "x=y"], "expected NUMBER=TEXT"),
        (&["--edit", "1="], "expected NUMBER=TEXT"),
    ];
    for (args, said) in cases {
        let ran = project.run(&[&["memory", "mina"], args].concat());
        assert!(ran.code != 0 && ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
    assert_eq!(project.run(&["memory", "mina", "--clear"]).code, 0);
    assert_eq!(project.run(&["memory", "mina"]).stdout, "mina remembers nothing yet.\n");
}

#[test]
fn what_is_thought_leaves_with_nothing_but_insight() {
    let project = story();
    play(&project, "bar", SAID);
    for format in ["jsonl", "debug", "prompts", "txt", "json", "md", "metadata"] {
        let exported = project.run(&["export", "latest", "--format", format]);
        assert_eq!(exported.code, 0, "{format}: {}", exported.stderr);
        assert!(!exported.stdout.contains("sailor"), "{format}: {}", exported.stdout);
    }
    let shown = project.run(&["insight", "latest"]).stdout;
    assert!(shown.contains("thought    Never trust a sailor.") && shown.contains("tension"), "{shown}");
    let ran = project.run(&["insight", "latest", "--turn", "7"]);
    assert!(ran.code != 0 && ran.stderr.contains("turns 1 to 2 have"), "{}", ran.stderr);
    let fork = project.run_with_input(&["fork", "latest", "--at", "1"], b"Hm.\n");
    assert!(!fork.stdout.contains("sailor"), "{}", fork.stdout);
    let branch = project.run(&["insight", "latest", "--turn", "1", "--json"]).stdout;
    assert!(!branch.contains("Never trust"), "a branch does not know what was thought: {branch}");
}

#[test]
fn a_session_over_http_is_carried_on_and_tells_its_owner_why() {
    let project = story();
    let server = Server::start(project.command(&["serve", "--bind", "127.0.0.1:0"]));
    let begin = |episode: &str| {
        let begun = server.post("/v1/sessions", &json!({ "episode": episode }));
        assert_eq!(begun.status, 201, "{}", begun.body);
        begun.json()["sessionId"].as_str().unwrap().to_owned()
    };
    let bar = begin("bar");
    for (at, text) in SAID.lines().enumerate() {
        let sent = server
            .post(&format!("/v1/sessions/{bar}/messages"), &json!({"id": at.to_string(), "text": text}));
        assert_eq!(sent.status, 200, "{}", sent.body);
    }
    let thought = server.get(&format!("/v1/sessions/{bar}/insight")).json();
    assert_eq!(thought["turns"].as_array().unwrap().len(), 2, "{thought}");
    let internal = thought["turns"][0]["internal"].as_str().unwrap_or_default().to_owned();
    assert!(!internal.is_empty(), "the improviser thinks: {thought}");
    assert!(thought["turns"][1]["tension"]["after"].is_number());
    for path in ["log", "transcript?format=debug", "transcript?format=json", "events"] {
        let shown = server.get(&format!("/v1/runs/{bar}/{path}"));
        assert_eq!(shown.status, 200, "{path}");
        assert!(!shown.body.contains(&internal), "{path}: {}", shown.body);
    }
    assert_eq!(server.get(&format!("/v1/sessions/{bar}/insight?turn=9")).status, 404);
    let pier = begin("pier");
    let log = server.get(&format!("/v1/runs/{pier}/log")).body;
    assert!(log.contains("My sister lives in Bergen.") && log.contains("The Bar: 2 exchanges"), "{log}");
}

const QUARREL: &str =
    "---\ncharacters: [mina, ada]\ninitialSpeaker: ada\nremember: true\nmaxBeats: 3\n---\nA quay at dusk.\n";
const QUARREL_SCRIPT: &str = r#"beat 0
ada: [TO: Mina, TONE: furious] "I work at the ticket office. I hate this town!"
beat 1
mina: [TO: Ada, TONE: weary] "My sister lives in Bergen."
"#;

/// A project with a scene that remembers, and one that does not.
fn quay() -> Project {
    let project = story();
    project.write("scenes/quarrel.md", QUARREL);
    project.write("scenes/again.md", QUARREL.replace("dusk", "dawn"));
    project.write("scenes/alone.md", QUARREL.replace("remember: true\n", ""));
    project.write("quarrel.txt", QUARREL_SCRIPT);
    project
}

fn play_scene(project: &Project, scene: &str) -> Value {
    let file = format!("scenes/{scene}.md");
    let ran = project.run(&["run", &file, "--model", "script:quarrel.txt", "--quiet"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    setup(project)
}

#[test]
fn characters_bring_into_a_scene_what_they_kept_of_earlier_ones() {
    let project = quay();
    let first = play_scene(&project, "quarrel");
    assert!(first.get("remembered").is_none(), "nothing was before: {first}");
    let second = play_scene(&project, "again");
    let texts = |who: &str| -> Vec<String> {
        let memories = second["remembered"][who]["memories"].as_array().unwrap();
        memories.iter().map(|one| format!("{}: {}", one["by"], one["text"])).collect()
    };
    assert_eq!(texts("ada"), [r#""Mina": "My sister lives in Bergen.""#]);
    assert!(
        texts("mina").contains(&r#""Ada": "I work at the ticket office.""#.to_owned()),
        "{:?}",
        texts("mina")
    );
    assert_eq!(second["remembered"]["ada"]["mood"], "furious");
    let between = |who: &str, with: &str| second["remembered"][who]["relationships"][with]["tone"].clone();
    assert_eq!((between("ada", "mina"), between("mina", "ada")), (json!("at odds"), json!("at odds")));
    // What stands in the first fact is told, and a branch needs nothing else.
    let prompts = project.run(&["export", "latest", "--format", "prompts"]).stdout;
    assert!(
        prompts.contains("Mina: \\\"My sister lives") || prompts.contains("- Mina: \"My sister"),
        "{prompts}"
    );
    let forked = project.run(&["fork", "latest", "--at", "0"]);
    assert_eq!(forked.code, 0, "{}", forked.stderr);
    assert_eq!(setup(&project)["remembered"], second["remembered"]);
    // Neither takes part who is not asked to.
    let alone = play_scene(&project, "alone");
    assert!(alone.get("remembered").is_none(), "{alone}");
    let kept = project.run(&["memory", "mina", "--json"]).stdout;
    let table =
        project.run(&["run", "scenes/quarrel.md", "--model", "script:quarrel.txt", "--seeds", "1..2"]);
    assert_eq!(table.code, 0, "{}", table.stderr);
    assert_eq!(project.run(&["memory", "mina", "--json"]).stdout, kept, "tables leave nothing");
    assert_eq!(project.run(&["reindex"]).code, 0);
    assert_eq!(project.run(&["memory", "mina", "--json"]).stdout, kept, "derived from the logs alone");
}

#[test]
fn an_episode_knows_of_scenes_and_a_scene_nothing_of_sessions() {
    let project = quay();
    play_scene(&project, "quarrel");
    play(&project, "bar", "I love rain.\nGood night.\n");
    let session = setup(&project);
    let heard = &session["memories"].as_array().unwrap()[0];
    assert_eq!((&heard["by"], &session["context"]["mood"]), (&json!("Ada"), &json!("weary")), "{session}");
    assert_eq!(session["context"]["others"]["ada"]["tone"], "at odds");
    assert!(session["context"].get("relationship").is_none(), "not with the user: {session}");
    let scene = play_scene(&project, "again")["remembered"].to_string();
    assert!(scene.contains("ticket office") && !scene.contains("rain") && !scene.contains("calm"), "{scene}");
}

/// An account has one list of memories for all its characters: that of the chatty does not push out the others.
#[test]
fn many_crowded_scenes_leave_an_episode_what_its_user_said() {
    let project = story();
    play(&project, "bar", SAID);
    let cast: Vec<String> = (b'a'..b'm').map(|letter| format!("{}na", char::from(letter))).collect();
    let mut script = "beat 0\n".to_owned();
    for (at, who) in cast.iter().enumerate() {
        project.write(&format!(".claude/agents/{who}.md"), format!("# {who}\nTalks much.\n"));
        let told = format!(
            "I work at mill {at}. I love road {at}. I want to see lake {at}. I feel weary of hill {at}. I lost \
             coin {at}. My sister has farm {at}."
        );
        script += &format!("{who}: [TO: ALL, TONE: calm] \"{told}\"\n");
    }
    let scene = "remember: true\nmaxBeats: 2\n---\nA market.\n";
    project.write("scenes/market.md", format!("---\ncharacters: [{}]\n{scene}", cast.join(", ")));
    project.write("market.txt", script);
    for _ in 0..5 {
        let ran = project.run(&["run", "scenes/market.md", "--model", "script:market.txt", "--quiet"]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
    let kept = project.run(&["memory", "lna", "--json"]).json();
    assert_eq!(kept["memories"].as_array().unwrap().iter().filter(|one| one["type"] == "fact").count(), 15);
    play(&project, "pier", "Hello.\nYes.\n");
    let remembered = setup(&project)["memories"].to_string();
    assert!(remembered.contains("I work at the harbour."), "{remembered}");
}

#[test]
fn what_is_kept_of_scenes_is_shown_corrected_and_cleared() {
    let project = quay();
    play_scene(&project, "quarrel");
    play_scene(&project, "again");
    let shown = || project.run(&["memory", "mina"]).stdout;
    for part in
        ["fact         Ada: I work at the ticket office.", ", scene quarrel, beat 0", "mood         weary"]
    {
        assert!(shown().contains(part), "{part}: {}", shown());
    }
    assert!(shown().contains("stands with  ada: at odds"), "{}", shown());
    let number = |text: &str| {
        let shown = shown();
        let line =
            shown.lines().find(|line| line.contains(text)).unwrap_or_else(|| panic!("{text}: {shown}"));
        line.split(')').next().unwrap().trim().to_owned()
    };
    let edit = format!("{}=friends again", number("at odds"));
    assert_eq!(project.run(&["memory", "mina", "--edit", &edit, "--forget", &number("weary")]).code, 0);
    assert!(
        shown().contains("ada: friends again  (said: at odds)") && !shown().contains("mood"),
        "{}",
        shown()
    );
    let again = play_scene(&project, "quarrel");
    assert_eq!(again["remembered"]["mina"]["relationships"]["ada"]["tone"], "friends again");
    assert!(again["remembered"]["mina"].get("mood").is_none(), "the older mood stays forgotten: {again}");
    assert_eq!(project.run(&["memory", "mina", "--clear"]).code, 0);
    assert_eq!(shown(), "mina remembers nothing yet.\n");
    assert!(play_scene(&project, "again")["remembered"].get("mina").is_none());
}

#[test]
fn each_account_of_a_server_has_its_own_memories() {
    let project = quay();
    project.write(
        "enact.toml",
        "[tokens.one]\nvariable = \"ONE\"\nscopes = [\"read\", \"run\"]\n\
         [tokens.two]\nvariable = \"TWO\"\nscopes = [\"read\", \"run\"]\n",
    );
    let mut command = project.command(&["serve", "--bind", "127.0.0.1:0", "--config", "enact.toml"]);
    command.env("ONE", "token-of-one-token-of-one").env("TWO", "token-of-two-token-of-two");
    let server = Server::start(command);
    let play = |who: &str| -> Value {
        let bearer = format!("Bearer token-of-{who}-token-of-{who}");
        let headers = [("Authorization", bearer.as_str()), ("Content-Type", "application/json")];
        let config = json!({
            "name": "quay", "characters": ["mina", "ada"], "initialSpeaker": "ada", "remember": true,
            "maxBeats": 6, "seed": 1,
            "prompt": "Ada tells Mina where she works. Scene goal: Mina thanks Ada.",
        });
        let body = json!({ "config": config }).to_string();
        let made = call(server.address(), "POST", "/v1/scenes", &headers, &body).unwrap();
        assert_eq!(made.status, 202, "{}", made.body);
        let run = made.json()["runId"].as_str().unwrap().to_owned();
        let get = |path: &str| call(server.address(), "GET", path, &headers[..1], "").unwrap();
        blocking::until(|| get(&format!("/v1/runs/{run}")).json()["status"] == "finished");
        let log = get(&format!("/v1/runs/{run}/log")).body;
        let first: Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        let metadata = get(&format!("/v1/runs/{run}")).json()["metadata"].clone();
        assert!(metadata["tension"][0]["tension"].is_number(), "the director watches: {metadata}");
        first["body"]["setup"].clone()
    };
    assert!(play("one").get("remembered").is_none());
    assert!(play("two").get("remembered").is_none(), "what one did is not two's");
    assert!(play("one")["remembered"]["mina"]["mood"].is_string());
}
