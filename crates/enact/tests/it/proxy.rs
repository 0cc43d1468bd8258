//! Calls through a proxy that the operator names.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{Shutdown, TcpListener, TcpStream},
    sync::{Arc, Mutex},
    thread,
};

use fake_provider::{FakeProvider, PlannedResponse};

use crate::project::{Project, Ran};

const PASSWORD: &str = "proxy-pass-word-4711";

/// A proxy that sends every plain request on to one server, and refuses tunnels.
struct Proxy {
    address: String,
    /// The heads of all requests.
    heads: Arc<Mutex<Vec<String>>>,
}

impl Proxy {
    fn start(behind: String) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let (address, heads) = (listener.local_addr().unwrap().to_string(), Arc::new(Mutex::new(Vec::new())));
        let log = heads.clone();
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, behind, log) = (client.unwrap(), behind.clone(), log.clone());
                thread::spawn(move || pass_on(client, &behind, &log));
            }
        });
        Proxy { address, heads }
    }

    fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

/// One request for each connection.
fn pass_on(mut client: TcpStream, behind: &str, log: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(client.try_clone().unwrap());
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).unwrap_or(0) == 0 {
            return;
        }
    }
    log.lock().unwrap().push(head.clone());
    if head.starts_with("CONNECT ") {
        let _ = client.write_all(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
        return;
    }
    let length = head
        .lines()
        .find_map(|line| line.to_lowercase().strip_prefix("content-length:")?.trim().parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    let head = head.replace("http://models.example/", "/").replacen("\r\n", "\r\nconnection: close\r\n", 1);
    let mut server = TcpStream::connect(behind).unwrap();
    server.write_all(head.as_bytes()).unwrap();
    server.write_all(&body).unwrap();
    let mut answer = Vec::new();
    server.read_to_end(&mut answer).unwrap();
    let _ = client.write_all(&answer);
    let _ = client.shutdown(Shutdown::Both);
}

fn project(base_url: &str, proxy: &str) -> Project {
    let project = Project::new();
    project.write(
        "scene.md",
        "---\nname: late-again\ncharacters: [alice, bob]\n---\nBob apologizes to Alice for being late.\n",
    );
    project.write(
        "enact.toml",
        format!(
            "default = \"lead\"\nproxy = \"{proxy}\"\nno_proxy = [\"intern.example\"]\n[models.lead]\n\
             provider = \"openai-compatible\"\nmodel = \"m\"\nbase_url = \"{base_url}\"\nretries = 0\n"
        ),
    );
    project
}

fn run(project: &Project, proxy: &Proxy, named: bool) -> Ran {
    let args: &[&str] = if named { &["--config", "enact.toml"] } else { &[] };
    let args = [&["run", "scene.md", "--max-beats", "1", "--json"], args].concat();
    let url = format!("http://me:{PASSWORD}@{}", proxy.address);
    let ran: Ran = project.command(&args).env("STAGE_PROXY", url).output().unwrap().into();
    assert!(!format!("{}{}", ran.stdout, ran.stderr).contains(PASSWORD), "the password was told");
    for file in project.files() {
        let bytes = std::fs::read(project.path().join(&file)).unwrap();
        assert!(!String::from_utf8_lossy(&bytes).contains(PASSWORD), "the password is in {file}");
    }
    ran
}

fn server() -> FakeProvider {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    runtime.block_on(FakeProvider::builder().script(|_| PlannedResponse::text("[SILENT]")).start())
}

#[test]
fn calls_go_through_the_proxy_with_its_password() {
    let server = server();
    let proxy = Proxy::start(server.address().to_string());
    let played = run(&project("http://models.example/v1/", "$STAGE_PROXY"), &proxy, true);
    assert_eq!(played.code, 0, "{}{}", played.stdout, played.stderr);
    let heads = proxy.heads();
    assert!(
        heads.iter().any(|head| head.starts_with("POST http://models.example/v1/chat/completions ")),
        "{heads:?}"
    );
    // `me:proxy-pass-word-4711`
    let login = "basic bwu6chjvehktcgfzcy13b3jkltq3mte=";
    assert!(heads.iter().all(|head| head.to_lowercase().contains(login)), "{heads:?}");
    assert!(!server.seen().is_empty());
}

#[test]
fn what_is_encrypted_goes_through_a_tunnel_and_a_refusal_names_the_proxy() {
    let proxy = Proxy::start(String::new());
    let played = run(&project("https://models.example/v1/", "$STAGE_PROXY"), &proxy, true);
    assert!(
        proxy.heads().iter().all(|head| head.starts_with("CONNECT models.example:443 ")),
        "{:?}",
        proxy.heads()
    );
    let told = format!("{}{}", played.stdout, played.stderr);
    assert!(told.contains(&format!("through the proxy at http://{}", proxy.address)), "{told}");
}

#[test]
fn this_machine_and_exceptions_are_called_directly() {
    let server = server();
    let proxy = Proxy::start(String::new());
    let here = format!("http://{}/v1/", server.address());
    let played = run(&project(&here, "$STAGE_PROXY"), &proxy, true);
    assert_eq!((played.code, proxy.heads().len()), (0, 0), "{}", played.stderr);
    let played = run(&project("http://models.intern.example/v1/", "$STAGE_PROXY"), &proxy, true);
    assert_eq!(proxy.heads().len(), 0);
    assert!(
        !format!("{}{}", played.stdout, played.stderr).contains("through the proxy"),
        "{}",
        played.stdout
    );
}

#[test]
fn a_file_that_was_only_found_names_no_proxy_elsewhere() {
    let proxy = Proxy::start(String::new());
    let refused = run(&project("http://models.example/v1/", "http://proxy.example:3128"), &proxy, false);
    let told = |ran: &Ran| format!("{}{}", ran.stdout, ran.stderr);
    assert_eq!(refused.code, 2);
    assert!(
        told(&refused).contains("calls would go through the proxy at http://proxy.example:3128"),
        "{}",
        refused.stdout
    );
    let written =
        run(&project("http://models.example/v1/", &format!("http://me:{PASSWORD}@h")), &proxy, true);
    assert!(told(&written).contains("proxy must not hold a name or a password"), "{}", written.stdout);
    let missing = run(&project("http://models.example/v1/", "$STAGE_PROXY_OF_NOBODY"), &proxy, true);
    assert!(told(&missing).contains("STAGE_PROXY_OF_NOBODY, which is not set"), "{}", missing.stdout);
}
