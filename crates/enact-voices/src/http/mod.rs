//! Services behind HTTP: where they are, what they are sent, what comes back, what is tried again, and what went wrong.

mod blame;
mod client;
mod retry;

use enact_drama::Problem;
use enact_engine::Key;
use reqwest::{
    Url,
    header::{CONTENT_TYPE, HeaderMap, HeaderValue},
};
use serde_json::Value;

use self::blame::Blame;
pub(crate) use self::retry::persistently;
use crate::error::Error;

/// All that one answer may be: what is said at one time is half of it in the format that is asked for. Who sends more
/// may go on for ever.
const LONGEST_BODY: usize = 64 * 1024 * 1024;

/// Explanations of errors are short, and what is wrong with a long one is told at its beginning.
const LONGEST_ERROR: usize = 64 * 1024;

/// A service as the operator describes it.
pub(crate) struct About<'a> {
    /// What the operator calls the voice.
    pub(crate) name: &'a str,
    pub(crate) base_url: Option<&'a str>,
    /// Where it is where nobody says. Only there a key must be.
    pub(crate) usual_url: &'static str,
    pub(crate) key: Option<Key>,
    pub(crate) key_variable: &'static str,
    /// The header that carries the key.
    pub(crate) key_header: KeyHeader,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyHeader {
    /// `authorization: Bearer …`
    Bearer,
    /// A header of its own, with nothing but the key.
    Named(&'static str),
}

/// A service that can be asked.
#[derive(Debug)]
pub(crate) struct Server {
    http: reqwest::Client,
    /// Without a slash at its end, and without `v1`.
    base: Url,
    headers: HeaderMap,
    blame: Blame,
}

/// What a service sent.
#[derive(Debug)]
pub(crate) struct Body {
    pub(crate) bytes: Vec<u8>,
    /// What it says it is, without parameters and in lower case.
    pub(crate) media_type: String,
}

impl Server {
    pub(crate) fn connect(about: About<'_>) -> Result<Server, Problem> {
        let base = base_url(&about)?;
        let headers = headers(&about)?;
        let origin = base.origin().ascii_serialization();
        let blame = Blame { origin, key: about.key, key_variable: about.key_variable };
        Ok(Server { http: client::http()?, base, headers, blame })
    }

    /// Where something is below `v1`. The parts of the path arrive as they are, whatever is in them.
    pub(crate) fn at(&self, path: &[&str]) -> Url {
        let mut url = self.base.clone();
        // Only addresses without a host have no path, and those are refused at the beginning.
        if let Ok(mut parts) = url.path_segments_mut() {
            parts.pop_if_empty().push("v1").extend(path);
        }
        url
    }

    /// Asks once.
    pub(crate) async fn post(&self, url: Url, body: &Value, voice: &str) -> Result<Body, Error> {
        let request = self.http.post(url).headers(self.headers.clone()).body(body.to_string());
        let response = request.send().await.map_err(|error| self.blame.network(&error))?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        if (200..300).contains(&status) {
            let bytes = match self.read(response, LONGEST_BODY).await? {
                Read::All(bytes) => bytes,
                Read::More(_) => return Err(Error::TooLongToHear { limit_mb: LONGEST_BODY / 1024 / 1024 }),
            };
            let body = Body { bytes, media_type: media_type(&headers) };
            return self.blame.unless_text(body);
        }
        let (Read::All(body) | Read::More(body)) = self.read(response, LONGEST_ERROR).await?;
        Err(self.blame.status(status, &body, &headers, voice))
    }

    async fn read(&self, mut response: reqwest::Response, longest: usize) -> Result<Read, Error> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|_| Error::Dropped)? {
            if bytes.len() + chunk.len() > longest {
                return Ok(Read::More(bytes));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(Read::All(bytes))
    }
}

/// What was read of a body.
enum Read {
    All(Vec<u8>),
    /// There would have been more than wanted.
    More(Vec<u8>),
}

fn media_type(headers: &HeaderMap) -> String {
    let whole = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    whole.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

fn base_url(about: &About<'_>) -> Result<Url, Problem> {
    let name = about.name;
    // The address is not repeated: somebody may have put a password into it.
    let bad = |what: &str| Problem::config(format!("the base_url of the voice '{name}' {what}"));
    let mut url = Url::parse(about.base_url.unwrap_or(about.usual_url).trim()).map_err(|error| {
        bad(&format!("is not an address: {error}")).hint("write it like \"https://example.com/v1\"")
    })?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(
            bad(&format!("begins with {}:", url.scheme())).hint("only http:// and https:// are spoken")
        );
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(bad("contains a user name or password").hint("name an environment variable as 'key_env'"));
    }
    url.set_fragment(None);
    let path = url.path().trim_end_matches('/');
    let path = path.strip_suffix("/v1").unwrap_or(path).to_owned();
    url.set_path(&path);
    Ok(url)
}

fn headers(about: &About<'_>) -> Result<HeaderMap, Problem> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    let Some(key) = &about.key else {
        // Behind another address there may be a gateway that has the key, or a server that wants none.
        return match about.base_url {
            Some(_) => Ok(headers),
            None => Err(Problem::config(format!("the voice '{}' needs a key", about.name))
                .hint(format!("put it into the environment as {}", about.key_variable))),
        };
    };
    let (header, value) = match about.key_header {
        KeyHeader::Bearer => ("authorization", format!("Bearer {}", key.reveal())),
        KeyHeader::Named(header) => (header, key.reveal().to_owned()),
    };
    let mut value = HeaderValue::from_str(&value).map_err(|_| {
        Problem::config(format!("the key for the voice '{}' cannot be sent as it is", about.name))
            .hint("is there a line break in it?")
    })?;
    value.set_sensitive(true);
    headers.insert(header, value);
    Ok(headers)
}

#[cfg(test)]
mod tests;
