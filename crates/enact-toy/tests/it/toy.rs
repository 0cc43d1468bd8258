//! The toy's program as processes: its commands, and servers that can be killed.

use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use reqwest::{Client, RequestBuilder, Response, StatusCode};
use serde_json::Value;
use tempfile::TempDir;

/// A place where echoes are kept, and the program that plays them.
pub(crate) struct Toy {
    folder: TempDir,
    database: Option<String>,
}

impl Toy {
    pub(crate) fn in_sqlite() -> Toy {
        Toy { folder: TempDir::new().unwrap(), database: None }
    }

    #[cfg(feature = "postgres-tests")]
    pub(crate) async fn in_postgres() -> Toy {
        Toy { folder: TempDir::new().unwrap(), database: Some(fresh_schema().await) }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_enact-toy"));
        command.current_dir(self.folder()).args(arguments).env_remove("ENACT_LOG");
        if let Some(database) = &self.database {
            command.args(["--database", database]);
        }
        command
    }

    /// What a command prints, which has to succeed.
    pub(crate) fn print(&self, arguments: &[&str]) -> String {
        checked(arguments, self.command(arguments).output().unwrap())
    }

    /// The same with something to read.
    pub(crate) fn print_reading(&self, arguments: &[&str], input: &str) -> String {
        let mut command = self.command(arguments);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        checked(arguments, child.wait_with_output().unwrap())
    }

    /// A server that knows an administrator and two accounts.
    pub(crate) fn serve(&self) -> Server {
        let config = self.folder().join("enact.toml");
        std::fs::write(&config, CONFIG).unwrap();
        let mut command = self.command(&["serve", "--bind", "127.0.0.1:0", "--config", "enact.toml"]);
        let command = command.envs([("ANN", ANN), ("BEN", BEN), ("ENACT_TOKEN", ADMIN)]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut said = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut said).unwrap();
        let address = said.split_whitespace().find(|word| word.starts_with("http://")).unwrap_or_else(|| {
            panic!("the server did not say where it is: {said}");
        });
        Server { address: address.to_owned(), child, client: enact_http::client().unwrap() }
    }
}

const CONFIG: &str = r#"
[tokens.ann]
variable = "ANN"
scopes = ["run"]

[tokens.ben]
variable = "BEN"
scopes = ["run"]
"#;

pub(crate) const ANN: &str = "ann-0123456789abcdef0123456789abcdef";
pub(crate) const BEN: &str = "ben-0123456789abcdef0123456789abcdef";
pub(crate) const ADMIN: &str = "admin-0123456789abcdef0123456789abcdef";

fn checked(arguments: &[&str], output: Output) -> String {
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{arguments:?} failed: {err}\n{out}");
    out.into_owned()
}

pub(crate) struct Server {
    address: String,
    child: Child,
    client: Client,
}

impl Server {
    pub(crate) fn get(&self, token: &str, path: &str) -> RequestBuilder {
        self.client.get(format!("{}{path}", self.address)).bearer_auth(token)
    }

    pub(crate) fn post(&self, token: &str, path: &str, body: &Value) -> RequestBuilder {
        self.client.post(format!("{}{path}", self.address)).bearer_auth(token).json(body)
    }

    pub(crate) fn delete(&self, token: &str, path: &str) -> RequestBuilder {
        self.client.delete(format!("{}{path}", self.address)).bearer_auth(token)
    }

    /// `kill -9`.
    pub(crate) fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The JSON of an answer that has to have this status.
pub(crate) async fn json(request: RequestBuilder, status: u16) -> Value {
    let text = text(request, status).await;
    serde_json::from_str(&text).unwrap_or_else(|_| panic!("no JSON: {text}"))
}

pub(crate) async fn text(request: RequestBuilder, status: u16) -> String {
    let response: Response = request.send().await.unwrap();
    let (answered, url) = (response.status(), response.url().clone());
    let text = response.text().await.unwrap();
    assert_eq!(answered, StatusCode::from_u16(status).unwrap(), "{url}: {text}");
    text
}

#[cfg(feature = "postgres-tests")]
async fn fresh_schema() -> String {
    use sqlx::{AssertSqlSafe, Connection, PgConnection};
    let server = std::env::var("ENACT_TEST_POSTGRES")
        .expect("run `scripts/postgres cargo test --features postgres-tests`");
    let schema = format!("toy_{}", uuid::Uuid::now_v7().simple());
    let mut connection = PgConnection::connect(&server).await.unwrap();
    sqlx::raw_sql(AssertSqlSafe(format!("CREATE SCHEMA {schema}"))).execute(&mut connection).await.unwrap();
    format!("{server}?options[search_path]={schema}")
}
