use std::fmt::Write;

use expect_test::{Expect, expect};

use super::{FactKind, GoalWords, Saying, SceneStory, StoryPeople, contracted};
use crate::sheet::Sheet;

/// Writes down what the first of the cast says to the second: own facts, then those that all know, and what is asked.
fn check(cast: &[&str], prompt: &str, sheet: &str, expected: Expect) {
    let sheet = Sheet::read(&cast[0].to_lowercase().replace(' ', "-"), sheet).unwrap();
    let story = SceneStory::read(cast, prompt, None, &[], 0, &sheet);
    let saying = Saying { people: &story.people, speaker: 0, listener: Some(1) };
    let mut text = String::new();
    for fact in story.own.facts.iter().chain(&story.public) {
        let secret = if fact.kind == FactKind::Hides { " (hidden)" } else { "" };
        let asked = fact.asked(saying).map_or(String::new(), |asked| format!(" / {asked}?"));
        let _ = writeln!(text, "{}{secret}{asked}", contracted(&fact.said(saying)));
    }
    for line in &story.own.says {
        let _ = writeln!(text, "says: {line}");
    }
    let _ = writeln!(text, "things: {}", story.things.join(", "));
    expected.assert_eq(&text);
}

const BOB: &str = include_str!("../../../../examples/the-apology/.claude/agents/bob.md");
const ALICE: &str = include_str!("../../../../examples/the-apology/.claude/agents/alice.md");
const PROMPT: &str = "Bob missed an important project deadline, causing the team to lose a client.
Alice, his manager, confronts him. Charlie is present as a team lead.

Scene goal: Bob gives sincere apology, Alice accepts, they agree on
accountability measures.";

#[test]
fn a_sheet_of_bullets_becomes_what_its_owner_says() {
    check(
        &["Bob", "Alice", "Charlie"],
        PROMPT,
        BOB,
        expect![[r#"
            you have mentored me since I joined / have you mentored me since I joined?
            I knew two weeks early that the date wouldn't hold, and told nobody (hidden) / did I know two weeks early that the date would not hold?
            there were reasons, and I want them heard
            I know that staying silent was worse than being late / do I know that staying silent was worse than being late?
            I missed an important project deadline, causing the team to lose a client / did I miss an important project deadline?
            things: an important project deadline, the team, a client
        "#]],
    );
    check(
        &["Alice", "Bob", "Charlie"],
        PROMPT,
        ALICE,
        expect![[r#"
            I was promoted to senior PM two years ago / was I promoted to senior PM two years ago?
            I have mentored you since you joined / have I mentored you since you joined?
            I value your potential but feel let down by this mistake / do I value your potential?
            I'm under pressure from my own boss about the Henderson loss / am I under pressure from my own boss about the Henderson loss?
            I want resolution but also accountability / do I want resolution?
            I'm open to reconciliation if you show genuine understanding / am I open to reconciliation if you show genuine understanding?
            you missed an important project deadline, causing the team to lose a client / did you miss an important project deadline?
            things: an important project deadline, the team, a client
        "#]],
    );
}

#[test]
fn prose_in_the_third_person_becomes_the_first() {
    check(
        &["Marta", "Tom Reyes"],
        "Marta found the ring in Tom's coat. He says that he bought it for his sister. They have been married for ten years.",
        "# Marta - Nurse\nMarta works nights at St. Luke's. She lost her brother in the fire and blames Tom for it. \
         Her mother is ill. She wants to know where he was that night.\n\n## Secret\nShe has already packed her bag.\n\n\
         ## Says\n- \"Don't you dare lie to me again.\"\n",
        expect![[r#"
            I work nights at St. Luke's / do I work nights at St. Luke's?
            I lost my brother in the fire and blame you for it / did I lose my brother in the fire?
            my mother is ill
            I want to know where you were that night / do I want to know where you were that night?
            I have already packed my bag (hidden) / have I already packed my bag?
            I found the ring in your coat / did I find the ring in your coat?
            we have been married for ten years
            says: Don't you dare lie to me again.
            things: the ring
        "#]],
    );
}

#[test]
fn the_second_person_becomes_the_first_too() {
    check(
        &["Sir Pell", "Odile"],
        "The dragon has eaten eleven sheep since Easter.",
        "# Sir Pell - Knight\nYou were not told about the contract. You promised the king the dragon's head. Odile told you \
         nothing.\n\n## Wants\n- To bring home the head\n- A song about yourself\n\n## Instructions\n- You start by boasting\n\
         - If Odile insists, you'll have to listen to her\n- Hides that he is afraid of heights\n- You've never killed anything.",
        expect![[r#"
            I wasn't told about the contract / was I not told about the contract?
            I promised the king the dragon's head / did I promise the king the dragon's head?
            you told me nothing / did you tell me nothing?
            I want to bring home the head / do I want to bring home the head?
            I want a song about myself / do I want a song about myself?
            I'm afraid of heights (hidden) / am I afraid of heights?
            I've never killed anything / have I never killed anything?
            the dragon has eaten eleven sheep since Easter
            things: the dragon
        "#]],
    );
}

/// What the first of the cast says to the second of what all know.
fn public(cast: &[&str], prompt: &str) -> Vec<String> {
    let sheet = Sheet::read("somebody", "# Somebody\n").unwrap();
    let story = SceneStory::read(cast, prompt, None, &[], 0, &sheet);
    let saying = Saying { people: &story.people, speaker: 0, listener: Some(1) };
    story
        .public
        .iter()
        .map(|fact| contracted(&fact.said(saying)))
        .filter(|said| super::reads_well(said))
        .collect()
}

#[test]
fn who_is_introduced_by_more_than_a_name_still_says_i_and_you() {
    for (cast, prompt, said) in [
        // Kin before a name.
        (
            ["Nora", "Elias"],
            "In June Nora lent her rowing boat to her brother Elias.",
            "in June I lent my rowing boat to you",
        ),
        (
            ["Elias", "Nora"],
            "In June Nora lent her rowing boat to her brother Elias.",
            "in June you lent your rowing boat to me",
        ),
        (["Greta", "Elias"], "Nora lent the boat to her younger brother Elias.", "Nora lent the boat to you"),
        (
            ["Greta", "Nora"],
            "Nora lent the boat to her brother Tom.",
            "you lent the boat to your brother Tom",
        ),
        // Any noun, a rank, a role between commas.
        (
            ["Skarn", "Odile"],
            "The dragon Skarn has eaten eleven sheep since Easter.",
            "I have eaten eleven sheep since Easter",
        ),
        (
            ["Odile", "Skarn"],
            "The dragon Skarn has eaten eleven sheep since Easter.",
            "you have eaten eleven sheep since Easter",
        ),
        (["Lenz", "Paul"], "Inspector Lenz has come down from the city.", "I have come down from the city"),
        (
            ["Ada", "Brandt"],
            "The archivist, Ada, has decoded it alone, and has told nobody.",
            "I have decoded it alone",
        ),
        (["Brandt", "Ada"], "The archivist, Ada, has decoded it alone.", "you have decoded it alone"),
        // A name that two share, and a name that is a house's.
        (
            ["Ilves", "Anton Brod"],
            "Ilves has a statement by Helve Brod that Anton was in bed.",
            "I have a statement by Helve Brod that you were in bed",
        ),
        (
            ["Edda", "Mr Crane"],
            "Edda came to Crane House as a governess.",
            "I came to Crane House as a governess",
        ),
        // Verbs that go on with the sentence's own subject.
        (
            ["Mira", "Jonas"],
            "Mira runs what was her father's bakery, and has run to the station.",
            "I run what was my father's bakery, and have run to the station",
        ),
        (
            ["Pell", "Skarn"],
            "The parish has sent Pell, who wasn't told of the contract.",
            "the parish has sent me, who wasn't told of the contract",
        ),
    ] {
        assert_eq!(public(&cast, prompt), [said], "{prompt}");
    }
}

#[test]
fn what_may_be_meant_of_others_is_not_said() {
    for prompt in [
        "Greta built the boat with their father.",
        "Ari is afraid of his father's silence more than of his shouting.",
    ] {
        assert_eq!(public(&["Ari", "Greta", "Nora"], prompt), [""; 0], "{prompt}");
    }
}

#[test]
fn what_is_kept_from_others_in_the_situation_is_known_to_one() {
    const SITUATION: &str = "Last night the lamp went out. Tobias sold half of the lamp oil to a smuggler, and has told \
                             nobody. Inga lost a client and her secretary.";
    let public = |me: usize| {
        let sheet = Sheet::read("somebody", "# Somebody").unwrap();
        let story = SceneStory::read(&["Inga", "Tobias"], SITUATION, None, &[], me, &sheet);
        let facts = story.public.iter().map(|fact| (fact.who, fact.kind == FactKind::Hides));
        facts.collect::<Vec<_>>()
    };
    assert_eq!(public(0), [(None, false), (Some(0), false)]);
    assert_eq!(public(1), [(None, false), (Some(1), true), (Some(0), false)]);
}

#[test]
fn what_is_taken_from_somebody_is_that_ones() {
    let cast = ["Captain Ahearn", "Tobias"];
    let people = StoryPeople::read(&cast, &["Tobias keeps his log. Captain Ahearn lost his hat."]);
    let saying = Saying { people: &people, speaker: 0, listener: Some(1) };
    let goal = "Captain Ahearn relieves Tobias of his post";
    let words = GoalWords::read(goal, "of his post", &people, 0, Some(1), saying);
    assert_eq!(words.whole.as_deref(), Some("I relieve you of your post"));
}

#[test]
fn what_somebody_is_to_own_up_to_is_asked_and_denied_without_its_reason() {
    let people = StoryPeople::read(&["Dorothea", "Hask"], &["Dorothea is a widow and she runs the mill."]);
    let of = |speaker: usize| {
        let saying = Saying { people: &people, speaker, listener: Some(1 - speaker) };
        GoalWords::read("", "that she sold the powder to feed the town", &people, 0, Some(1), saying)
    };
    assert_eq!(of(0).denied.as_deref(), Some("I never sold the powder"));
    assert_eq!(of(1).asked.as_deref(), Some("did you sell the powder"));
    assert_eq!(of(0).fact.as_deref(), Some("I sold the powder to feed the town"));
}

#[test]
fn a_sentence_of_its_own_says_what_it_is_about() {
    let told = |prompt: &str| public(&["Hask", "Dorothea Pell", "Silas"], prompt);
    assert_eq!(
        told("Hask has found the receipt. Dorothea Pell, the miller, signed it."),
        ["I have found the receipt", "you signed the receipt"]
    );
    assert_eq!(
        told("Hask saw Silas asleep that night and has told nobody."),
        ["I saw Silas asleep that night"]
    );
    let people =
        StoryPeople::read(&["Ada", "Tobias Crane"], &["Ada suspects that the mate, Tobias Crane, slept."]);
    assert!(people.is_role("mate"));
    let people = StoryPeople::read(&["The Fox", "The Witch"], &[]);
    let saying = Saying { people: &people, speaker: 0, listener: Some(1) };
    let words = GoalWords::read("", "that he is the witch's son", &people, 0, Some(1), saying);
    assert_eq!(words.fact.as_deref(), Some("I am your son"));
}
