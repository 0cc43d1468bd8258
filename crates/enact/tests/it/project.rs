//! A story project in an empty folder, and the real binary to play it.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use tempfile::TempDir;

pub(crate) struct Project {
    folder: TempDir,
}

/// What a command said and how it ended.
pub(crate) struct Ran {
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) code: i32,
}

impl Project {
    pub(crate) fn empty() -> Project {
        Project { folder: tempfile::tempdir().unwrap() }
    }

    /// With sheets for Alice, Bob and Charlie.
    pub(crate) fn new() -> Project {
        let project = Project::empty();
        for (name, text) in [
            ("alice", "# Alice - Senior Project Manager\n\n## Personality\n- Direct, sometimes too blunt\n"),
            ("bob", "# Bob - Developer\n\n## Personality\n- Optimistic about time\n"),
            ("charlie", "# Charlie - Team Lead\n\n## Personality\n- Mediates\n"),
        ] {
            project.write(&format!(".claude/agents/{name}.md"), text);
        }
        project
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn write(&self, file: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    pub(crate) fn read(&self, file: &str) -> String {
        fs::read_to_string(self.path().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"))
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_enact"));
        command.args(args).current_dir(self.path()).env_remove("RUST_BACKTRACE").stdin(Stdio::null());
        // The developer's own configuration and keys must not matter.
        command.env("XDG_CONFIG_HOME", self.path().join(".config"));
        for key in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "ELEVENLABS_API_KEY"] {
            command.env_remove(key);
        }
        for key in ["OPENROUTER", "DEEPSEEK", "MISTRAL", "GROQ", "XAI"] {
            command.env_remove(format!("{key}_API_KEY"));
        }
        // Nor may the servers of their machine.
        command.env("ENACT_LOCAL_SERVERS", "off");
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.command(args).output().unwrap().into()
    }

    pub(crate) fn run_with_input(&self, args: &[&str], input: &[u8]) -> Ran {
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        child.wait_with_output().unwrap().into()
    }

    /// Everything below the folder but the sheets, to see what a command left behind.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut files = Vec::new();
        let mut folders = vec![self.path().to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push(path.strip_prefix(self.path()).unwrap().display().to_string());
                }
            }
        }
        files.retain(|file| !file.starts_with(".claude"));
        files.sort();
        files
    }
}

impl From<Output> for Ran {
    fn from(output: Output) -> Ran {
        Ran {
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
            code: output.status.code().unwrap_or(-1),
        }
    }
}

impl Ran {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {}", self.stdout))
    }

    /// The lines that were said, out of a result printed as JSON.
    pub(crate) fn lines(&self) -> Vec<String> {
        lines(self.json()["transcript"].as_str().unwrap())
    }

    /// What was printed, with what differs from run to run replaced.
    pub(crate) fn steady(&self) -> String {
        let mut text = String::new();
        for line in self.stdout.lines() {
            text.push_str(&steady(line));
            text.push('\n');
        }
        text
    }
}

/// The lines of a transcript, without header and statistics.
pub(crate) fn lines(transcript: &str) -> Vec<String> {
    let (_, from) = transcript.split_once("[SCENE START]\n").expect("a transcript");
    let (lines, _) = from.split_once("\n---\n").expect("statistics");
    let business = |line: &&str| !line.is_empty() && !line.starts_with("[Setting: ");
    lines.lines().filter(business).map(str::to_owned).collect()
}

fn steady(line: &str) -> String {
    for (start, instead) in [
        ("Again: enact replay ", "<run>"),
        ("GENERATED: ", "<date>"),
        ("- Processing time: ", "<time>"),
        ("- Run: ", "<run>"),
    ] {
        if line.starts_with(start) {
            return format!("{start}{instead}");
        }
    }
    line.to_owned()
}
