//! Episode files: markdown with front matter. The body tells the situation, or has headings for its parts.

use super::{
    Choice, ChoiceOption, CompletionMode, EpisodeCondition, EpisodeCue, EpisodeKind, EpisodeTemplate,
    FlagRule, Injection, NarrativeBeat, WrittenEnding, WrittenEvaluation,
};
use crate::{
    Problem, front_matter,
    located::{Located, LocatedMap},
};

mod check;

const KEYS: [&str; 28] = [
    "title",
    "type",
    "series",
    "number",
    "character",
    "situation",
    "opening_line",
    "starter_prompts",
    "dramatic_question",
    "wants",
    "obstacle",
    "tactic",
    "notes",
    "completion_mode",
    "turn_budget",
    "completion_criteria",
    "beats_visible",
    "tension",
    "arc",
    "beats",
    "flags",
    "inject",
    "endings",
    "evaluation",
    "themes",
    "most_sentences",
    "most_words",
    "slug",
];

/// Words people try that are no misspelling of the key they mean.
const SYNONYMS: [(&str, &str); 9] = [
    ("budget", "turn_budget"),
    ("cues", "beats"),
    ("mode", "completion_mode"),
    ("name", "title"),
    ("opening", "opening_line"),
    ("question", "dramatic_question"),
    ("starters", "starter_prompts"),
    ("turns", "turn_budget"),
    ("who", "character"),
];

const CRITERIA_KEYS: [&str; 5] =
    ["max_turns", "required_beat", "require_resolution", "objective_key", "evaluation_type"];
const CUE_KEYS: [&str; 16] = [
    "id",
    "instruction",
    "turn",
    "deadline",
    "priority",
    "weight",
    "requires_beat",
    "requires_flag",
    "tension_from",
    "tension_to",
    "moves",
    "key",
    "unless",
    "when",
    "sets",
    "choice",
];
const CHOICE_KEYS: [&str; 3] = ["id", "prompt", "choices"];
const OPTION_KEYS: [&str; 3] = ["id", "label", "sets"];
const FLAG_KEYS: [&str; 2] = ["flag", "when"];
const INJECT_KEYS: [&str; 2] = ["if_flag", "inject"];
const EVALUATION_KEYS: [&str; 3] = ["type", "prompt", "schema"];
const ENDING_KEYS: [&str; 4] = ["id", "when", "priority", "text"];

const KINDS: [(&str, EpisodeKind); 4] = [
    ("entry", EpisodeKind::Entry),
    ("core", EpisodeKind::Core),
    ("expansion", EpisodeKind::Expansion),
    ("special", EpisodeKind::Special),
];
const MODES: [(&str, CompletionMode); 4] = [
    ("open", CompletionMode::Open),
    ("beat_gated", CompletionMode::BeatGated),
    ("turn_limited", CompletionMode::TurnLimited),
    ("objective", CompletionMode::Objective),
];

/// Turns between the one in which a cue should happen and the one by which it must.
const PATIENCE_TURNS: u32 = 2;

/// Reads an episode file. `slug` is the name of the file.
pub fn read_episode(text: &str, slug: &str) -> Result<EpisodeTemplate, Problem> {
    let document = front_matter::read(text)?;
    let mut template = EpisodeTemplate { slug: slug.to_owned(), ..EpisodeTemplate::default() };
    let mut max_turns = None;
    for (key, value) in document.matter.0 {
        let name = key.text.as_str();
        match name {
            "slug" => template.slug = value.text(name)?.unwrap_or_else(|| slug.to_owned()),
            "title" => template.title = value.text(name)?.unwrap_or_default(),
            "type" => template.kind = value.one_of(name, &KINDS)?.unwrap_or(EpisodeKind::Core),
            "series" => template.series = value.text(name)?,
            "number" => template.number = count(value, name)?,
            "character" => template.character = value.text(name)?.unwrap_or_default(),
            "situation" => template.situation = value.text(name)?.unwrap_or_default(),
            "opening_line" => template.opening_line = value.text(name)?.unwrap_or_default(),
            "starter_prompts" => template.starter_prompts = value.texts(name, "sentences")?,
            "dramatic_question" => template.dramatic_question = value.text(name)?,
            "wants" => template.wants = value.text(name)?,
            "obstacle" => template.obstacle = value.text(name)?,
            "tactic" => template.tactic = value.text(name)?,
            "notes" => template.notes = value.text(name)?,
            "completion_mode" => {
                template.completion_mode = value.one_of(name, &MODES)?.unwrap_or(CompletionMode::Open);
            }
            "turn_budget" => template.turn_budget = count(value, name)?,
            "completion_criteria" => max_turns = read_criteria(&mut template, value.group(name)?)?,
            "beats_visible" => template.beats_visible = value.truth(name)?.unwrap_or_default(),
            "tension" => template.tension = per_cent(value, name)?,
            "arc" => template.arc = each(value, name, per_cent)?,
            "beats" => template.cues = each(value, name, read_cue)?,
            "flags" => template.flags = each(value, name, read_flag)?,
            "inject" => template.injections = each(value, name, read_injection)?,
            "endings" => template.endings = each(value, name, read_ending)?,
            "evaluation" => read_evaluation(&mut template, value)?,
            "themes" => template.themes = value.texts(name, "words")?,
            "most_sentences" => template.most_sentences = count(value, name)?.unwrap_or(3),
            "most_words" => template.most_words = count(value, name)?.unwrap_or(80),
            _ => return Err(key.unknown(&KEYS, &SYNONYMS)),
        }
    }
    template.turn_budget = template.turn_budget.or(max_turns);
    read_body(&mut template, document.body);
    if template.title.is_empty() {
        template.title = crate::report::title(&template.slug);
    }
    check::check(&template)?;
    Ok(template)
}

/// The parts of the body, by their headings. Text above the first heading is the situation.
fn read_body(template: &mut EpisodeTemplate, body: &str) {
    let body = body.replace("\r\n", "\n");
    let mut part = "situation".to_owned();
    let mut texts: Vec<(String, String)> = Vec::new();
    for line in body.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            part = heading.trim_start_matches('#').trim().to_lowercase();
            continue;
        }
        match texts.last_mut().filter(|(last, _)| *last == part) {
            Some((_, text)) => *text = format!("{text}\n{line}"),
            None => texts.push((part.clone(), line.to_owned())),
        }
    }
    for (part, text) in texts {
        let text = text.trim();
        let place = match part.as_str() {
            _ if text.is_empty() => continue,
            "opening" | "opening line" => &mut template.opening_line,
            "notes" | "for the character" => template.notes.get_or_insert_default(),
            _ => &mut template.situation,
        };
        if !place.is_empty() {
            place.push_str("\n\n");
        }
        place.push_str(text);
    }
}

/// What must be so for the episode to be complete. Gives the number of turns, where it stands here.
fn read_criteria(template: &mut EpisodeTemplate, group: LocatedMap) -> Result<Option<u32>, Problem> {
    let mut max_turns = None;
    for (key, value) in group.0 {
        match key.text.as_str() {
            "max_turns" => max_turns = count(value, "max_turns")?,
            "required_beat" => {
                let beats = NarrativeBeat::ALL.map(|beat| (beat.as_str(), beat));
                template.required_beat =
                    value.one_of("required_beat", &beats)?.unwrap_or(NarrativeBeat::Pivot);
            }
            "require_resolution" => {
                template.require_resolution = value.truth("require_resolution")?.unwrap_or_default();
            }
            "objective_key" => template.objective_key = value.text("objective_key")?,
            "evaluation_type" => {
                template.evaluation = value.text("evaluation_type")?.unwrap_or_default();
            }
            _ => return Err(key.unknown(&CRITERIA_KEYS, &[])),
        }
    }
    Ok(max_turns)
}

/// The name of a built-in evaluation, or a group that says what is asked and what the answer holds.
fn read_evaluation(template: &mut EpisodeTemplate, value: Located) -> Result<(), Problem> {
    if !matches!(value.value, crate::located::Value::Group(_)) {
        template.evaluation = value.text("evaluation")?.unwrap_or_default();
        return Ok(());
    }
    let place = value.place;
    let mut own = WrittenEvaluation { prompt: String::new(), schema: serde_json::Map::new() };
    template.evaluation.clear();
    for (key, value) in value.group("evaluation")?.0 {
        match key.text.as_str() {
            "type" => template.evaluation = value.text("evaluation.type")?.unwrap_or_default(),
            "prompt" => own.prompt = value.text("evaluation.prompt")?.unwrap_or_default(),
            "schema" => {
                let wrong = value.wrong("evaluation.schema", "keys, each with a 'type'");
                let serde_json::Value::Object(schema) = value.into_json() else { return Err(wrong) };
                own.schema = schema;
            }
            _ => return Err(key.unknown(&EVALUATION_KEYS, &[("name", "type"), ("keys", "schema")])),
        }
    }
    for (name, is_missing) in [
        ("type", template.evaluation.is_empty()),
        ("prompt", own.prompt.trim().is_empty()),
        ("schema", own.schema.is_empty()),
    ] {
        if is_missing {
            let problem = Problem::config(format!("the evaluation has no '{name}'"));
            return Err(problem.at(place.line, place.column).hint(
                "an evaluation of your own has a 'type', a 'prompt' and a 'schema' of the keys of its result",
            ));
        }
    }
    template.own_evaluation = Some(own);
    Ok(())
}

fn read_cue(value: Located, what: &str) -> Result<EpisodeCue, Problem> {
    let place = value.place;
    let (mut id, mut instruction, mut landed) = (String::new(), String::new(), None);
    let (mut turn, mut deadline, mut priority, mut weight) = (1, None, 0, 1);
    let (mut needs_cues, mut needs_flags) = (Vec::new(), Vec::new());
    let (mut from, mut to, mut unless, mut sets, mut choice) = (None, None, None, None, None);
    let (mut moves, mut is_key) = (0, false);
    for (key, value) in value.group(what)?.0 {
        let name = format!("{what}.{}", key.text.escape_debug());
        match key.text.as_str() {
            "id" => id = value.text(&name)?.unwrap_or_default(),
            "instruction" => instruction = value.text(&name)?.unwrap_or_default(),
            "turn" => turn = count(value, &name)?.unwrap_or(1),
            "deadline" => deadline = count(value, &name)?,
            "priority" => priority = value.whole(&name)?.unwrap_or_default() as i32,
            "weight" => weight = count(value, &name)?.unwrap_or(1),
            "requires_beat" => needs_cues = value.texts(&name, "ids of beats")?,
            "requires_flag" => needs_flags = value.texts(&name, "flags")?,
            "tension_from" => from = Some(per_cent(value, &name)?),
            "tension_to" => to = Some(per_cent(value, &name)?),
            "moves" => moves = tension_step(value, &name)?,
            "key" => is_key = value.truth(&name)?.unwrap_or_default(),
            "unless" => unless = Some(condition(value, &name)?),
            "when" => landed = Some(condition(value, &name)?),
            "sets" => sets = value.text(&name)?,
            "choice" => choice = Some(read_choice(value, &name)?),
            _ => return Err(key.unknown(&CUE_KEYS, &[])),
        }
    }
    let missing = |key: &str| Problem::config(format!("{what} has no '{key}'")).at(place.line, place.column);
    if id.is_empty() {
        return Err(missing("id"));
    }
    if instruction.is_empty() {
        return Err(missing("instruction").hint("say what the character should do in this moment"));
    }
    let tension = (from.is_some() || to.is_some()).then(|| (from.unwrap_or(0), to.unwrap_or(100)));
    Ok(EpisodeCue {
        id,
        instruction,
        turn,
        deadline: deadline.unwrap_or(turn + PATIENCE_TURNS),
        priority,
        weight,
        needs_cues,
        needs_flags,
        tension,
        moves,
        is_key,
        unless,
        landed: landed.unwrap_or(EpisodeCondition::Automatic),
        sets,
        choice,
    })
}

fn read_choice(value: Located, what: &str) -> Result<Choice, Problem> {
    let place = value.place;
    let mut choice = Choice { id: String::new(), prompt: String::new(), options: Vec::new() };
    for (key, value) in value.group(what)?.0 {
        let name = format!("{what}.{}", key.text.escape_debug());
        match key.text.as_str() {
            "id" => choice.id = value.text(&name)?.unwrap_or_default(),
            "prompt" => choice.prompt = value.text(&name)?.unwrap_or_default(),
            "choices" => choice.options = each(value, &name, read_option)?,
            _ => return Err(key.unknown(&CHOICE_KEYS, &[("options", "choices")])),
        }
    }
    match choice {
        _ if choice.id.is_empty() => {
            Err(Problem::config(format!("{what} has no 'id'")).at(place.line, place.column))
        }
        _ if choice.options.len() < 2 => {
            let problem = Problem::config(format!("{what} leaves nothing to choose"));
            Err(problem.at(place.line, place.column).hint("a choice has two 'choices' or more"))
        }
        _ => Ok(choice),
    }
}

fn read_option(value: Located, what: &str) -> Result<ChoiceOption, Problem> {
    let mut option = ChoiceOption { id: String::new(), label: String::new(), sets: None };
    for (key, value) in value.group(what)?.0 {
        let name = format!("{what}.{}", key.text.escape_debug());
        match key.text.as_str() {
            "id" => option.id = value.text(&name)?.unwrap_or_default(),
            "label" => option.label = value.text(&name)?.unwrap_or_default(),
            "sets" => option.sets = value.text(&name)?,
            _ => return Err(key.unknown(&OPTION_KEYS, &[("sets_flag", "sets")])),
        }
    }
    Ok(option)
}

fn read_flag(value: Located, what: &str) -> Result<FlagRule, Problem> {
    let (mut flag, mut when) = (String::new(), EpisodeCondition::Automatic);
    for (key, value) in value.group(what)?.0 {
        let name = format!("{what}.{}", key.text.escape_debug());
        match key.text.as_str() {
            "flag" => flag = value.text(&name)?.unwrap_or_default(),
            "when" => when = condition(value, &name)?,
            _ => return Err(key.unknown(&FLAG_KEYS, &[])),
        }
    }
    Ok(FlagRule { flag, when })
}

fn read_injection(value: Located, what: &str) -> Result<Injection, Problem> {
    let mut injection = Injection { if_flag: String::new(), inject: String::new() };
    for (key, value) in value.group(what)?.0 {
        let name = format!("{what}.{}", key.text.escape_debug());
        match key.text.as_str() {
            "if_flag" => injection.if_flag = value.text(&name)?.unwrap_or_default(),
            "inject" => injection.inject = value.text(&name)?.unwrap_or_default(),
            _ => return Err(key.unknown(&INJECT_KEYS, &[])),
        }
    }
    Ok(injection)
}

fn read_ending(value: Located, what: &str) -> Result<WrittenEnding, Problem> {
    let mut ending = WrittenEnding {
        id: String::new(),
        when: EpisodeCondition::Automatic,
        priority: 0,
        text: String::new(),
    };
    for (key, value) in value.group(what)?.0 {
        let name = format!("{what}.{}", key.text.escape_debug());
        match key.text.as_str() {
            "id" => ending.id = value.text(&name)?.unwrap_or_default(),
            "when" => ending.when = condition(value, &name)?,
            "priority" => ending.priority = value.whole(&name)?.unwrap_or_default() as i32,
            "text" => ending.text = value.text(&name)?.unwrap_or_default(),
            _ => return Err(key.unknown(&ENDING_KEYS, &[])),
        }
    }
    Ok(ending)
}

/// `keyword: a, b` · `said: a, b` · `turn: 3` · `flag: name` · `semantic: a sentence` · `automatic`
fn condition(value: Located, what: &str) -> Result<EpisodeCondition, Problem> {
    const EXPECTED: &str =
        "'automatic', or 'keyword:', 'said:', 'turn:', 'flag:' or 'semantic:' and what it looks for";
    let wrong = value.wrong(what, EXPECTED);
    let Some(text) = value.text(what)? else { return Err(wrong) };
    let (kind, rest) = text.split_once(':').unwrap_or((text.as_str(), ""));
    let rest = rest.trim();
    let phrases = || -> Vec<String> {
        let phrases = rest.split(',').map(|phrase| phrase.trim().to_lowercase());
        phrases.filter(|phrase| !phrase.is_empty()).collect()
    };
    match kind.trim() {
        "automatic" if rest.is_empty() => Ok(EpisodeCondition::Automatic),
        "keyword" if !rest.is_empty() => Ok(EpisodeCondition::Keyword(phrases())),
        "said" if !rest.is_empty() => Ok(EpisodeCondition::Said(phrases())),
        "turn" => rest.parse().map(EpisodeCondition::Turn).map_err(|_| wrong),
        "flag" if !rest.is_empty() => Ok(EpisodeCondition::Flag(rest.to_owned())),
        "semantic" if !rest.is_empty() => Ok(EpisodeCondition::Semantic(rest.to_owned())),
        _ => Err(wrong),
    }
}

/// Every item of a list, each named by its place.
fn each<T>(
    value: Located,
    what: &str,
    read: impl Fn(Located, &str) -> Result<T, Problem>,
) -> Result<Vec<T>, Problem> {
    let items = value.list(what, "groups of keys")?;
    items.into_iter().enumerate().map(|(index, item)| read(item, &format!("{what}[{index}]"))).collect()
}

fn count(value: Located, what: &str) -> Result<Option<u32>, Problem> {
    let wrong = value.wrong(what, "a whole number of at least 1");
    match value.whole(what)? {
        None => Ok(None),
        Some(number) => u32::try_from(number).ok().filter(|number| *number > 0).map(Some).ok_or(wrong),
    }
}

fn tension_step(value: Located, what: &str) -> Result<i32, Problem> {
    let wrong = value.wrong(what, "a whole number from -100 to 100");
    let number = value.whole(what)?.and_then(|number| i32::try_from(number).ok());
    number.filter(|number| (-100..=100).contains(number)).ok_or(wrong)
}

fn per_cent(value: Located, what: &str) -> Result<u8, Problem> {
    let wrong = value.wrong(what, "a whole number from 0 to 100");
    let number = value.whole(what)?.and_then(|number| u8::try_from(number).ok());
    number.filter(|number| *number <= 100).ok_or(wrong)
}
