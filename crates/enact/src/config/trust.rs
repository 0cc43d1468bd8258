//! Whom a configuration may give a key, or traces, to, and what it may have run.
//!
//! An `enact.toml` can come with a story from somewhere else, and could name an address of its author's. So
//! one that was merely found may send a key only to its provider's own address, or to this machine, and
//! traces only to this machine: they say what is played, and the headers that go with them
//! (`OTEL_EXPORTER_OTLP_HEADERS`) may hold a key as well. The key is then the one in its provider's usual
//! variable: any other may be for another service, and `key_env` could name any secret of the environment.
//! Only a model on this machine may have another one. Nor may such a file open a server to others (`serve`),
//! nor run a program that it names itself (`voices`).

use std::path::Path;

use enact_drama::Problem;
use enact_http::ProxySettings;
use enact_models::ExtraHeader;
use reqwest::Url;

use super::{Config, ModelEntry, Program, VoiceEntry};

impl Config {
    /// The environment variable whose key may leave for where this file says the model is; nothing for a
    /// model that has to do without one.
    pub(crate) fn key_variable<'a>(&self, entry: &'a ModelEntry) -> Result<Option<&'a str>, Problem> {
        let address = entry.settings.base_url.as_deref();
        let refused = |would: String| self.refused("model", &entry.name, &would);
        let usual = entry.settings.provider.key_variable();
        let provider = entry.settings.provider;
        let stays_here = address.map_or(provider.is_local(), is_this_machine);
        // Headers can name any secret, as `key_env` can.
        let named = entry.settings.headers.iter().flat_map(ExtraHeader::variables).next();
        if let (false, false, Some(variable)) = (self.trusted, stays_here, named) {
            return Err(refused(format!("would send what {variable} holds in a header")));
        }
        match self.sendable(address, entry.key_variable.as_deref(), entry.key_optional).map_err(refused)? {
            Some(variable) if !self.trusted && !stays_here && usual != Some(variable) => {
                Err(refused(would_use(variable, usual)))
            }
            variable => Ok(variable),
        }
    }

    /// Says that a model has to do without a key which is there: it may be wanted after all.
    pub(crate) fn withheld(&self, entry: &ModelEntry) -> Option<String> {
        let (address, variable) = (entry.settings.base_url.as_ref()?, entry.key_variable.as_ref()?);
        (entry.key_optional && !self.may_reach(address)).then(|| {
            format!(
                "the key in {variable} is not sent to {}, where the model '{}' is: {} was only found, not named; {}",
                origin(address),
                entry.name,
                self.file().display(),
                self.name_it()
            )
        })
    }

    /// The environment variable whose key may leave for where this file says the voice is; nothing for a
    /// voice that has to do without one.
    pub(crate) fn voice_key_variable<'a>(&self, entry: &'a VoiceEntry) -> Result<Option<&'a str>, Problem> {
        let Some(remote) = entry.remote() else { return Ok(None) };
        let refused = |would: String| self.refused("voice", &entry.name, &would);
        let variable = remote.key_variable.as_deref();
        match self.sendable(remote.base_url.as_deref(), variable, remote.key_optional).map_err(refused)? {
            Some(variable) if !self.trusted && entry.default_key_variable() != Some(variable) => {
                Err(refused(would_use(variable, entry.default_key_variable())))
            }
            variable => Ok(variable),
        }
    }

    /// The variable whose key may leave for this address, or else what would happen to it.
    fn sendable<'a>(
        &self,
        address: Option<&str>,
        variable: Option<&'a str>,
        optional: bool,
    ) -> Result<Option<&'a str>, String> {
        match (address, variable) {
            (Some(address), Some(variable)) if !self.may_reach(address) => match optional {
                true => Ok(None),
                false => Err(format!("would send the key in {variable} to {}", origin(address))),
            },
            _ => Ok(variable),
        }
    }

    /// The environment variables that hold something secret, as far as this file names them.
    pub(crate) fn secret_variables(&self) -> Vec<String> {
        let models = self.models.iter().filter_map(|entry| entry.key_variable.as_deref());
        let headers = self.models.iter().flat_map(|entry| &entry.settings.headers);
        let voices = self.voices.iter().filter_map(|entry| entry.remote()?.key_variable.as_deref());
        let tokens = self.serve.tokens.iter().map(|token| token.variable.as_str());
        let all = models.chain(headers.flat_map(ExtraHeader::variables)).chain(voices).chain(tokens);
        all.map(str::to_owned).collect()
    }

    /// Whether a voice may be the program that this file names.
    pub(crate) fn check_may_run(&self, entry: &VoiceEntry, program: &Program) -> Result<(), Problem> {
        if self.trusted {
            return Ok(());
        }
        let would = format!("would run the program '{}'", program.command.escape_debug());
        Err(self.refused("voice", &entry.name, &would))
    }

    fn refused(&self, kind: &str, name: &str, would: &str) -> Problem {
        let message = format!("the {kind} '{name}' {would}, and this file was only found, not named");
        Problem::config(message)
            .hint(format!("{}; or move the {kind} to ~/.config/enact/enact.toml", self.name_it()))
    }

    /// The proxy that calls go through, as far as this file may name one: what is not encrypted can be read
    /// there, with its key.
    pub(crate) fn proxy(
        &self,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<ProxySettings>, Problem> {
        let Some(written) = &self.proxy else { return Ok(None) };
        let at = |problem| self.written_at(&["proxy"], problem);
        let url = match written.strip_prefix('$') {
            // Where that leads is the user's own word.
            Some(variable) => {
                environment(variable).filter(|url| !url.trim().is_empty()).ok_or_else(|| {
                    at(Problem::config(format!("the proxy is named by {variable}, which is not set"))
                        .hint("put its URL there, such as \"http://127.0.0.1:3128\", or remove 'proxy'"))
                })?
            }
            None if !self.may_reach(written) => {
                let would = format!("calls would go through the proxy at {}", origin(written));
                return Err(at(Problem::config(format!("{would}, and this file was only found, not named"))
                    .hint(self.name_it())));
            }
            None => written.clone(),
        };
        ProxySettings::parse(&url, &self.no_proxy).map(Some).map_err(at)
    }

    /// Where traces are sent, or why they are not sent where this file says.
    pub(crate) fn collector(&self) -> Result<Option<&str>, String> {
        match self.otlp.as_deref() {
            Some(address) if !self.may_reach(address) => Err(format!(
                "{} would send traces to {}, and it was only found, not named; {}",
                self.file().display(),
                origin(address),
                self.name_it()
            )),
            address => Ok(address),
        }
    }

    /// Whether this is the configuration of a project, and its user has named it. Their own file in
    /// `~/.config/enact` says nothing about a story.
    pub(crate) fn trusts(&self, project: &Path) -> bool {
        let home = self.file().parent().filter(|home| !home.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let (home, project) = (home.canonicalize(), project.canonicalize());
        self.trusted && home.is_ok_and(|home| project.is_ok_and(|project| project.starts_with(home)))
    }

    fn may_reach(&self, address: &str) -> bool {
        self.trusted || is_this_machine(address)
    }

    pub(crate) fn name_it(&self) -> String {
        format!("if you trust it, name it: --config {}", self.file().display())
    }

    pub(super) fn file(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new("enact.toml"))
    }
}

fn would_use(variable: &str, usual: Option<&str>) -> String {
    format!("would use the key in {variable} instead of {}", usual.unwrap_or("none"))
}

fn is_this_machine(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else { return false };
    match url.host_str() {
        Some("localhost") => true,
        Some(host) => {
            let bare = host.trim_start_matches('[').trim_end_matches(']');
            bare.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
        }
        None => false,
    }
}

/// Without a path, which may be long, and without a password, which some put there.
fn origin(address: &str) -> String {
    Url::parse(address)
        .map_or_else(|_| "another address".to_owned(), |url| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_loopback_is_this_machine() {
        for (address, ours) in [
            ("http://127.0.0.1:8080/v1/", true),
            ("http://localhost:8080/v1/", true),
            ("http://[::1]:8080/", true),
            ("http://127.9.9.9/", true),
            ("https://localhost.example.org/", false),
            ("https://127.0.0.1.example.org/", false),
            ("http://127.0.0.1@example.org/", false),
            ("http://10.0.0.1/", false),
            ("nonsense", false),
        ] {
            assert_eq!(is_this_machine(address), ours, "{address}");
        }
    }
    #[test]
    fn keys_of_models_leave_as_far_as_the_file_is_trusted() {
        let text = "
[models.usual]
provider = 'anthropic'
model = 'm'
[models.other]
provider = 'openai'
model = 'm'
key_env = 'GITHUB_TOKEN'
[models.same]
provider = 'openai'
model = 'm'
key_env = 'OPENAI_API_KEY'
[models.here]
provider = 'openai-compatible'
model = 'm'
base_url = 'http://127.0.0.1:8080/v1/'
key_env = 'LOCAL_KEY'
[models.away]
provider = 'openai-compatible'
model = 'm'
base_url = 'https://evil.example/v1/'
key_env = 'LOCAL_KEY'
[models.ollama]
provider = 'ollama'
model = 'm'
key_env = 'GITHUB_TOKEN'
[models.header]
provider = 'groq'
model = 'm'
headers = { x-a = '$GITHUB_TOKEN' }
[models.local-header]
provider = 'llamacpp'
model = 'm'
headers = { x-a = '$GITHUB_TOKEN' }
";
        let mut table = String::new();
        for trusted in [false, true] {
            let config =
                Config { trusted, ..super::super::read::read(Path::new("enact.toml"), text).unwrap() };
            for entry in &config.models {
                let told = match config.key_variable(entry) {
                    Ok(variable) => format!("{variable:?}"),
                    Err(problem) => problem.message,
                };
                table.push_str(&format!("trusted {trusted}, {}: {told}\n", entry.name));
            }
        }
        expect_test::expect![[r#"
            trusted false, usual: Some("ANTHROPIC_API_KEY")
            trusted false, other: the model 'other' would use the key in GITHUB_TOKEN instead of OPENAI_API_KEY, and this file was only found, not named
            trusted false, same: Some("OPENAI_API_KEY")
            trusted false, here: Some("LOCAL_KEY")
            trusted false, away: the model 'away' would send the key in LOCAL_KEY to https://evil.example, and this file was only found, not named
            trusted false, ollama: Some("GITHUB_TOKEN")
            trusted false, header: the model 'header' would send what GITHUB_TOKEN holds in a header, and this file was only found, not named
            trusted false, local-header: None
            trusted true, usual: Some("ANTHROPIC_API_KEY")
            trusted true, other: Some("GITHUB_TOKEN")
            trusted true, same: Some("OPENAI_API_KEY")
            trusted true, here: Some("LOCAL_KEY")
            trusted true, away: Some("LOCAL_KEY")
            trusted true, ollama: Some("GITHUB_TOKEN")
            trusted true, header: Some("GROQ_API_KEY")
            trusted true, local-header: None
        "#]]
        .assert_eq(&table);
    }
}
