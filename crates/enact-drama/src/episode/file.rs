//! Episode files: markdown with front matter. The body tells the situation, or has headings for its parts.

use self::fields::{Fields, Places};
use super::{
    Choice, ChoiceOption, CompletionMode, EpisodeCondition, EpisodeCue, EpisodeKind, EpisodeTemplate,
    FlagRule, Injection, NarrativeBeat, WrittenEnding, WrittenEvaluation,
};
use crate::{Place, Problem, front_matter};

mod check;
mod fields;

pub use check::{episode_warnings, unread_conditions};

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
    let (top, mut places) = (Place { line: 1, column: 1 }, Places::default());
    let mut template = {
        let mut fields = Fields::open(document.matter, "", top, &KEYS, &SYNONYMS, &mut places)?;
        read_template(&mut fields, slug)?
    };
    read_body(&mut template, document.body);
    if template.title.is_empty() {
        template.title = crate::report::title(&template.slug);
    }
    check::check(&template, &places)?;
    Ok(template)
}

fn read_template(fields: &mut Fields<'_>, slug: &str) -> Result<EpisodeTemplate, Problem> {
    let standard = EpisodeTemplate::default();
    let criteria =
        fields.group("completion_criteria", &CRITERIA_KEYS, &[], read_criteria)?.unwrap_or_default();
    let (evaluation, own_evaluation) = read_evaluation(fields)?;
    let evaluation = evaluation.or(criteria.evaluation);
    Ok(EpisodeTemplate {
        slug: fields.text("slug")?.unwrap_or_else(|| slug.to_owned()),
        title: fields.text("title")?.unwrap_or_default(),
        kind: fields.one_of("type", &KINDS)?.unwrap_or(standard.kind),
        series: fields.text("series")?,
        number: fields.count("number")?,
        character: fields.text("character")?.unwrap_or_default(),
        situation: fields.text("situation")?.unwrap_or_default(),
        opening_line: fields.text("opening_line")?.unwrap_or_default(),
        starter_prompts: fields.texts("starter_prompts", "sentences")?,
        dramatic_question: fields.text("dramatic_question")?,
        wants: fields.text("wants")?,
        obstacle: fields.text("obstacle")?,
        tactic: fields.text("tactic")?,
        notes: fields.text("notes")?,
        completion_mode: fields.one_of("completion_mode", &MODES)?.unwrap_or(standard.completion_mode),
        turn_budget: fields.count("turn_budget")?.or(criteria.max_turns),
        required_beat: criteria.required_beat.unwrap_or(standard.required_beat),
        require_resolution: criteria.require_resolution,
        objective_key: criteria.objective_key,
        beats_visible: fields.truth("beats_visible")?,
        tension: fields.per_cent("tension")?.unwrap_or(standard.tension),
        arc: fields.per_cents("arc")?,
        cues: fields.groups("beats", &CUE_KEYS, &[], read_cue)?,
        flags: fields.groups("flags", &FLAG_KEYS, &[], read_flag)?,
        injections: fields.groups("inject", &INJECT_KEYS, &[], read_injection)?,
        endings: fields.groups("endings", &ENDING_KEYS, &[], read_ending)?,
        evaluation: evaluation.unwrap_or(standard.evaluation),
        own_evaluation,
        themes: fields.texts("themes", "words")?,
        most_sentences: fields.count("most_sentences")?.unwrap_or(standard.most_sentences),
        most_words: fields.count("most_words")?.unwrap_or(standard.most_words),
    })
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

/// What must be so for the episode to be complete.
#[derive(Debug, Default)]
struct Criteria {
    max_turns: Option<u32>,
    required_beat: Option<NarrativeBeat>,
    require_resolution: bool,
    objective_key: Option<String>,
    evaluation: Option<String>,
}

fn read_criteria(fields: &mut Fields<'_>) -> Result<Criteria, Problem> {
    let beats = NarrativeBeat::ALL.map(|beat| (beat.as_str(), beat));
    Ok(Criteria {
        max_turns: fields.count("max_turns")?,
        required_beat: fields.one_of("required_beat", &beats)?,
        require_resolution: fields.truth("require_resolution")?,
        objective_key: fields.text("objective_key")?,
        evaluation: fields.text("evaluation_type")?,
    })
}

/// The name of a built-in evaluation, or a group that says what is asked and what the answer holds.
fn read_evaluation(fields: &mut Fields<'_>) -> Result<(Option<String>, Option<WrittenEvaluation>), Problem> {
    if !fields.is_group("evaluation") {
        return Ok((fields.text("evaluation")?, None));
    }
    let synonyms = [("name", "type"), ("keys", "schema")];
    let own = fields.group("evaluation", &EVALUATION_KEYS, &synonyms, |fields| {
        let kind = fields.required("type", "a name of its own for this kind of evaluation")?;
        let prompt = fields.required("prompt", "what the model is asked at the end")?;
        let schema = fields.schema("schema", "the keys of the result, each with a 'type'")?;
        Ok((kind, WrittenEvaluation { prompt, schema }))
    })?;
    Ok(own.unzip())
}

fn read_cue(fields: &mut Fields<'_>) -> Result<EpisodeCue, Problem> {
    let turn = fields.count("turn")?.unwrap_or(1);
    let (from, to) = (fields.per_cent("tension_from")?, fields.per_cent("tension_to")?);
    Ok(EpisodeCue {
        id: fields.required("id", "a name for it, which other beats may require")?,
        instruction: fields.required("instruction", "say what the character should do in this moment")?,
        turn,
        deadline: fields.count("deadline")?.unwrap_or(turn + PATIENCE_TURNS),
        priority: fields.priority("priority")?,
        weight: fields.count("weight")?.unwrap_or(1),
        needs_cues: fields.texts("requires_beat", "ids of beats")?,
        needs_flags: fields.texts("requires_flag", "flags")?,
        tension: (from.is_some() || to.is_some()).then(|| (from.unwrap_or(0), to.unwrap_or(100))),
        moves: fields.tension_step("moves")?,
        is_key: fields.truth("key")?,
        unless: fields.condition("unless")?,
        landed: fields.condition("when")?.unwrap_or(EpisodeCondition::Automatic),
        sets: fields.text("sets")?,
        choice: fields.group("choice", &CHOICE_KEYS, &[("options", "choices")], read_choice)?,
    })
}

fn read_choice(fields: &mut Fields<'_>) -> Result<Choice, Problem> {
    let choice = Choice {
        id: fields.required("id", "a name for it")?,
        prompt: fields.text("prompt")?.unwrap_or_default(),
        options: fields.groups("choices", &OPTION_KEYS, &[("sets_flag", "sets")], read_option)?,
    };
    if choice.options.len() < 2 {
        let problem = fields.problem(format!("{} leaves nothing to choose", fields.what()));
        return Err(problem.hint("a choice has two 'choices' or more"));
    }
    Ok(choice)
}

fn read_option(fields: &mut Fields<'_>) -> Result<ChoiceOption, Problem> {
    Ok(ChoiceOption {
        id: fields.required("id", "a name for it, which clients send")?,
        label: fields.required("label", "what the user says who chooses it")?,
        sets: fields.text("sets")?,
    })
}

fn read_flag(fields: &mut Fields<'_>) -> Result<FlagRule, Problem> {
    Ok(FlagRule {
        flag: fields.required("flag", "its name: 'flag: accusation_made'")?,
        when: fields.condition("when")?.unwrap_or(EpisodeCondition::Automatic),
    })
}

fn read_injection(fields: &mut Fields<'_>) -> Result<Injection, Problem> {
    Ok(Injection {
        if_flag: fields.required("if_flag", "the flag after which the character is told")?,
        inject: fields.required("inject", "what the character is told then")?,
    })
}

fn read_ending(fields: &mut Fields<'_>) -> Result<WrittenEnding, Problem> {
    Ok(WrittenEnding {
        id: fields.required("id", "a name for it")?,
        when: fields.condition("when")?.unwrap_or(EpisodeCondition::Automatic),
        priority: fields.priority("priority")?,
        text: fields.text("text")?.unwrap_or_default(),
    })
}
