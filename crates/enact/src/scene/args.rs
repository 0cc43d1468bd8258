//! What can be said of scenes on the command line.

use std::{
    convert::Infallible,
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::Args as Arguments;
use enact_drama::{Name, RunId, model_card::Context, usage::NanoUsd};

use super::{comparison::Entrant, seed_table::SeedRange};
use crate::{
    args::values::{VoiceFlag, jobs, runs, seconds, tokens, usd},
    demos::Demo,
    reader::TextForm,
};

#[derive(Debug, Default, Arguments)]
pub(crate) struct RunArgs {
    /// The scene: markdown with front matter, or JSON
    #[arg(value_name = "SCENE", conflicts_with_all = ["prompt", "resume"])]
    pub(crate) scene: Option<PathBuf>,

    /// More scenes: each is played, and a table shows what came of it
    #[arg(value_name = "SCENES", conflicts_with_all = ["prompt", "resume"])]
    pub(crate) more: Vec<PathBuf>,

    /// The situation and its goal, instead of a scene file
    #[arg(long, value_name = "TEXT", conflicts_with = "resume")]
    pub(crate) prompt: Option<String>,

    /// Who plays, with --prompt or instead of the scene's characters
    #[arg(long, value_name = "NAME,NAME", value_delimiter = ',', conflicts_with = "resume")]
    pub(crate) cast: Vec<String>,

    /// Who begins, instead of the scene's initialSpeaker
    #[arg(long, value_name = "NAME")]
    pub(crate) first: Option<String>,

    /// What the scene is called, instead of its own name
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Play on from where a run was interrupted: its id, the start of it, or 'latest'
    #[arg(long, value_name = "RUN", conflicts_with_all = ["first", "name", "seed", "max_beats", "cast_dir", "models", "judge", "events", "context", "budget", "budget_tokens"])]
    pub(crate) resume: Option<String>,

    /// Where the character sheets are, instead of the nearest .claude/agents above the scene file
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cast_dir: Option<PathBuf>,

    /// Who answers for everyone, or for one character: a model of enact.toml, 'improviser', 'PROVIDER:MODEL',
    /// 'script:FILE' or 'recorded:RUN'; may be given again for other characters
    #[arg(long = "model", value_name = "[CHARACTER=]MODEL")]
    pub(crate) models: Vec<ModelFlag>,

    #[command(flatten)]
    pub(crate) options: ModelOptions,

    /// The same seed gives the same lines (built-in models only)
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// Play with each of these seeds, the last one included, and show a table of what came of it
    #[arg(long, value_name = "FIRST..LAST", conflicts_with_all = ["seed", "prompt", "resume"])]
    pub(crate) seeds: Option<SeedRange>,

    /// How many runs of a table are played at once [default: 1]
    #[arg(long, value_name = "NUMBER", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: Option<usize>,

    /// Print a table as comma-separated values
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub(crate) csv: bool,

    /// At most so many beats, instead of the scene's maxBeats
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) max_beats: Option<i64>,

    /// Seconds between lines, so that a person can read along [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) pace: Option<f64>,

    /// Record the scene once it is over, beside its transcript; the first voice that can speaks: 'embedded',
    /// 'elevenlabs', 'openai' or those of enact.toml [default: enact.toml's, else 'embedded']
    #[arg(long, value_name = "VOICE,VOICE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) voice: Option<VoiceFlag>,

    /// Also show what each model is sent, as it is sent; 'enact export --format prompts' shows it later
    #[arg(long, conflicts_with_all = ["json", "quiet"])]
    pub(crate) show_prompts: bool,

    /// Exit with 3 if the scene ends without reaching its goal
    #[arg(long)]
    pub(crate) require_goal: bool,

    /// In which form lines are shown: 'reader', or 'wire' as in transcripts [default: reader on a terminal,
    /// else wire]
    #[arg(long, value_name = "reader|wire")]
    pub(crate) format: Option<TextForm>,

    /// Print nothing but the result, as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,

    // The scene that comes with the program and is played instead of a file.
    #[arg(skip)]
    pub(crate) demo: Option<&'static Demo>,
}

impl RunArgs {
    /// Whether nothing is shown as it happens.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet || self.json
    }

    /// Plays a run on, with everything else as it is when nothing is said.
    pub(super) fn resuming(run: RunId) -> RunArgs {
        RunArgs { resume: Some(run.to_string()), ..RunArgs::default() }
    }

    /// Whether several runs are wanted.
    pub(super) fn wants_table(&self) -> bool {
        !self.more.is_empty() || self.seeds.is_some()
    }

    /// Whether nothing says what to play, nor how.
    pub(super) fn names_nothing(&self) -> bool {
        let named = [&self.prompt, &self.resume, &self.first, &self.name];
        self.scene.is_none()
            && self.demo.is_none()
            && named.iter().all(|flag| flag.is_none())
            && self.cast.is_empty()
            && self.models.is_empty()
            && self.seed.is_none()
            && self.seeds.is_none()
            && self.max_beats.is_none()
            && self.voice.is_none()
    }

    /// The folder from which the cast and the configuration are looked for.
    pub(crate) fn home(&self) -> &Path {
        self.scene.as_deref().map_or(Path::new("."), folder_of)
    }
}

/// Who works beside the actors, and what all of them may use.
#[derive(Debug, Default, Arguments)]
pub(crate) struct ModelOptions {
    /// Which model is asked beside the rules whether the goal is reached, instead of enact.toml's judge or the
    /// cheapest of the language models that play; 'none' for none
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,

    /// Which model writes world events, instead of enact.toml's events or the one that judges; 'none' for none
    #[arg(long, value_name = "MODEL")]
    pub(crate) events: Option<String>,

    /// What language models are told each beat: what is new in a growing thread, or a window of the last
    /// lines
    #[arg(long, value_name = "thread|window", value_parser = context)]
    pub(crate) context: Option<Context>,

    /// End the scene before the beat that would cost more, in USD
    #[arg(long, value_name = "USD", value_parser = usd, allow_negative_numbers = true)]
    pub(crate) budget: Option<NanoUsd>,

    /// End the scene before the beat that would use more tokens
    #[arg(long, value_name = "NUMBER", value_parser = tokens, allow_negative_numbers = true)]
    pub(crate) budget_tokens: Option<u64>,
}

/// A model for one character, or for everyone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelFlag {
    pub(crate) character: Option<String>,
    pub(crate) model: String,
}

impl FromStr for ModelFlag {
    type Err = Infallible;

    /// What stands before a '=' is a character if it could be one: `script:a=b.txt` is a script.
    fn from_str(text: &str) -> Result<ModelFlag, Infallible> {
        let (character, model) = match text.split_once('=') {
            Some((character, model)) if Name::new(character).is_ok() => (Some(character.to_owned()), model),
            _ => (None, text),
        };
        Ok(ModelFlag { character, model: model.to_owned() })
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct NewArgs {
    /// Where the project is to be: a folder that is not there yet, or an empty one
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Arguments)]
pub(crate) struct DemoArgs {
    /// Which one; without a name they are listed
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,

    /// Seconds between lines, so that a person can read along [default: 0.5 on a terminal, else 0]
    #[arg(long, value_name = "SECONDS", value_parser = seconds, allow_negative_numbers = true)]
    pub(crate) pace: Option<f64>,

    /// Also record it: as for 'run --voice'
    #[arg(long, value_name = "VOICE,VOICE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) voice: Option<VoiceFlag>,

    /// In which form lines are shown: 'reader', or 'wire' as in transcripts [default: reader on a terminal,
    /// else wire]
    #[arg(long, value_name = "reader|wire")]
    pub(crate) format: Option<TextForm>,

    /// Print nothing but the result, as JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

#[derive(Debug, Arguments)]
pub(crate) struct CheckArgs {
    /// Scenes, episodes, series, sheets, enact.toml, or folders with any of them [default: all there is in
    /// and below this folder]
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Where the character sheets are, instead of the nearest .claude/agents above the scene file
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cast_dir: Option<PathBuf>,

    /// Who answers, as for 'run --model'
    #[arg(long = "model", value_name = "[CHARACTER=]MODEL")]
    pub(crate) models: Vec<ModelFlag>,

    #[command(flatten)]
    pub(crate) options: ModelOptions,
}

#[derive(Debug, Arguments)]
pub(crate) struct JudgeArgs {
    /// A run that was played here: its id, the start of one, a scene's name, or 'latest'
    #[arg(value_name = "RUN", required_unless_present = "transcript", conflicts_with_all = ["scene", "transcript"])]
    pub(crate) run: Option<String>,

    /// The scene whose goals are asked about: markdown or JSON; needs no sheets
    #[arg(long, value_name = "FILE", requires = "transcript")]
    pub(crate) scene: Option<PathBuf>,

    /// A transcript.txt, or JSON [{"speaker": …, "content": …}]; '-' reads standard input
    #[arg(long, value_name = "FILE", requires = "scene")]
    pub(crate) transcript: Option<PathBuf>,

    /// Ask this model too, and say where it differs from the rules
    #[arg(long, value_name = "MODEL")]
    pub(crate) judge: Option<String>,
}

impl JudgeArgs {
    /// The folder from which the configuration is looked for.
    pub(crate) fn home(&self) -> &Path {
        self.scene.as_deref().map_or(Path::new("."), folder_of)
    }
}

#[derive(Debug, Arguments)]
pub(crate) struct CompareArgs {
    /// The scene: markdown with front matter, or JSON
    #[arg(value_name = "SCENE")]
    pub(crate) scene: PathBuf,

    /// Who plays everyone, as for 'run --model'; with 'window:' or 'thread:' before it, told so much each
    /// beat. Given once for each contender
    #[arg(long, value_name = "[window:|thread:]MODEL", required = true)]
    pub(crate) with: Vec<Entrant>,

    /// How often each contender plays
    #[arg(long, value_name = "NUMBER", default_value = "5", value_parser = runs, allow_negative_numbers = true)]
    pub(crate) runs: usize,

    /// How many runs are played at once; more take less time, but may slow each other down
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = jobs, allow_negative_numbers = true)]
    pub(crate) jobs: usize,

    /// Also write a page with plots
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Where the character sheets are, instead of the nearest .claude/agents above the scene file
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cast_dir: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) options: ModelOptions,

    /// The seed of each model's first run; the next has the next
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    /// At most so many beats, instead of the scene's maxBeats
    #[arg(long, value_name = "NUMBER", allow_negative_numbers = true)]
    pub(crate) max_beats: Option<i64>,

    /// Print the comparison as JSON, every run included
    #[arg(long)]
    pub(crate) json: bool,
}

impl CompareArgs {
    /// The folder from which the cast and the configuration are looked for.
    pub(crate) fn home(&self) -> &Path {
        folder_of(&self.scene)
    }
}

pub(super) fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

fn context(text: &str) -> Result<Context, String> {
    match text {
        "thread" => Ok(Context::Thread),
        "window" => Ok(Context::Window),
        _ => Err("expected 'thread' or 'window'".to_owned()),
    }
}
