//! Another program that speaks: text on its standard input, a WAV on its standard output.

mod environment;
mod process;

use std::{env, path::PathBuf};

use async_trait::async_trait;
use enact_drama::Problem;
use enact_engine::process::find;
use tokio::{process::Command, time::Instant};

use self::{
    environment::{is_private, redact_environment},
    process::SpeechProcess,
};
use crate::{
    CommandSettings,
    audio::{ExpectedFormat, SpokenAudio},
    error::Error,
    managed_voice::{SpeechText, TtsBackend},
};

/// In arguments, where the name of a profile goes.
const PROFILE: &str = "{profile}";

/// In arguments, where the number of a variant goes.
const VARIANT: &str = "{variant}";

/// A program that speaks.
#[derive(Debug)]
pub(crate) struct CommandVoice {
    program: PathBuf,
    /// What it is called in messages: its file's name.
    name: String,
    args: Vec<String>,
    /// Environment variables that it does not see.
    private: Vec<String>,
}

impl CommandVoice {
    /// Looks for the program. It is not started yet.
    pub(crate) fn find(voice: &str, settings: CommandSettings) -> Result<CommandVoice, Problem> {
        let CommandSettings { program: asked, args, private } = settings;
        if asked.as_os_str().is_empty() {
            return Err(Problem::config(format!("the voice '{voice}' has no program to run"))
                .hint("name one as 'command'"));
        }
        let program = find(&asked, env::var_os("PATH").as_deref()).ok_or_else(|| {
            let message = format!("the program of the voice '{voice}' is not there: {}", asked.display());
            Problem::config(message).hint("is it installed, and may it be run?")
        })?;
        let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
        Ok(CommandVoice { program, name, args, private })
    }

    fn command(&self, line: &SpeechText) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.arguments(line));
        for (variable, _) in env::vars_os().filter(|(name, _)| is_private(name, &self.private)) {
            command.env_remove(variable);
        }
        command
    }

    fn arguments(&self, line: &SpeechText) -> Vec<String> {
        let (profile, variant) = (line.profile.as_str(), line.variant.to_string());
        // Nothing is added: many programs take an argument that is no option for the text to speak.
        self.args.iter().map(|arg| arg.replace(PROFILE, profile).replace(VARIANT, &variant)).collect()
    }
}

#[async_trait]
impl TtsBackend for CommandVoice {
    fn description(&self) -> String {
        format!("command, {}", self.name)
    }

    async fn say(&self, line: &SpeechText, _until: Instant) -> Result<SpokenAudio, Error> {
        let mut process = SpeechProcess::start(self.command(line), &self.name)?;
        let wav = process.run(&line.text, |stderr| redact_environment(stderr, &self.private)).await?;
        Ok(SpokenAudio::Encoded(vec![(wav, ExpectedFormat::Wav)]))
    }
}

#[cfg(test)]
mod tests;
