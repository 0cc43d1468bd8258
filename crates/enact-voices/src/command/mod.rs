//! Another program that speaks: text on its standard input, a WAV on its standard output.

mod call;
mod surroundings;

use std::{env, path::PathBuf};

use async_trait::async_trait;
use enact_drama::Problem;
use enact_engine::process;
use tokio::{process as tokio_process, time::Instant};

use self::{
    call::Call,
    surroundings::{is_private, without_secrets},
};
use crate::{
    booth::{Line, Speaker},
    error::Error,
    settings,
    sound::{Promise, Sound},
};

/// In arguments, where the name of a profile goes.
const PROFILE: &str = "{profile}";

/// In arguments, where the number of a shade goes.
const SHADE: &str = "{shade}";

/// A program that speaks.
#[derive(Debug)]
pub(crate) struct Command {
    /// Where it is.
    program: PathBuf,
    /// What it is called in messages: its file's name.
    name: String,
    args: Vec<String>,
    /// Environment variables that it does not see.
    private: Vec<String>,
}

impl Command {
    /// Looks for the program. It is not started yet.
    pub(crate) fn find(voice: &str, settings: settings::Command) -> Result<Command, Problem> {
        let settings::Command { program: asked, args, private } = settings;
        if asked.as_os_str().is_empty() {
            return Err(Problem::config(format!("the voice '{voice}' has no program to run"))
                .hint("name one as 'command'"));
        }
        let program = process::find(&asked, env::var_os("PATH").as_deref()).ok_or_else(|| {
            let message = format!("the program of the voice '{voice}' is not there: {}", asked.display());
            Problem::config(message).hint("is it installed, and may it be run?")
        })?;
        let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
        Ok(Command { program, name, args, private })
    }

    fn command(&self, line: &Line) -> tokio_process::Command {
        let mut command = tokio_process::Command::new(&self.program);
        command.args(self.arguments(line));
        for (variable, _) in env::vars_os().filter(|(name, _)| is_private(name, &self.private)) {
            command.env_remove(variable);
        }
        command
    }

    fn arguments(&self, line: &Line) -> Vec<String> {
        let (profile, shade) = (line.profile.as_str(), line.shade.to_string());
        let filled = self.args.iter().map(|arg| arg.replace(PROFILE, profile).replace(SHADE, &shade));
        let named = self.args.iter().any(|arg| arg.contains(PROFILE));
        filled.chain((!named).then(|| profile.to_owned())).collect()
    }
}

#[async_trait]
impl Speaker for Command {
    fn description(&self) -> String {
        format!("command, {}", self.name)
    }

    async fn say(&self, line: &Line, _until: Instant) -> Result<Sound, Error> {
        let mut call = Call::start(self.command(line), &self.name)?;
        let sound = call.converse(&line.text, |said| without_secrets(said, &self.private)).await?;
        Ok(Sound::Sent(vec![(sound, Promise::Wav)]))
    }
}

#[cfg(test)]
mod tests;
