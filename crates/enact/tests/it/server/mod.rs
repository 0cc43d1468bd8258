//! The real server as a process, and a client that knows no more of HTTP than it must.

pub(crate) mod client;

use std::{
    io::{BufRead, BufReader},
    net::SocketAddr,
    process::{Child, Command, ExitStatus, Stdio},
    sync::{Arc, Mutex},
    thread::JoinHandle,
};

use enact_testkit::waiting::blocking;
use serde_json::Value;

use self::client::{Answer, Events, Following, call};

/// A server. Dropping it kills the process.
pub(crate) struct Server {
    child: Child,
    address: SocketAddr,
    /// The line it begins with.
    pub(crate) greeting: String,
    logging: Option<JoinHandle<()>>,
    /// What it has logged so far.
    log: Arc<Mutex<String>>,
}

impl Server {
    /// Starts `enact serve` with these arguments on any free port, and waits until it listens.
    pub(crate) fn start(mut command: Command) -> Server {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let stderr = BufReader::new(child.stderr.take().unwrap());
        let log = Arc::new(Mutex::new(String::new()));
        let logging = std::thread::spawn({
            let log = log.clone();
            move || {
                for line in stderr.lines().map_while(Result::ok) {
                    *log.lock().unwrap() += &(line + "\n");
                }
            }
        });
        let mut greeting = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut greeting).unwrap();
        let Some(address) = address_in(&greeting) else {
            let _ = child.kill();
            logging.join().unwrap();
            panic!("no server: {greeting}{}", log.lock().unwrap());
        };
        Server { child, address, greeting: greeting.trim_end().to_owned(), logging: Some(logging), log }
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.address
    }

    /// As `kill -9` does it.
    pub(crate) fn kill(mut self) -> String {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        self.whole_log()
    }

    /// Asks it to stop, waits until it has, and gives what it logged.
    pub(crate) fn stop(mut self) -> (ExitStatus, String) {
        self.signal("TERM");
        let status = self.wait();
        (status, self.whole_log())
    }

    /// Waits until it has logged this.
    pub(crate) fn wait_for_log(&self, text: &str) {
        blocking::until(|| self.log.lock().unwrap().contains(text));
    }

    /// All that it logged before it ended.
    fn whole_log(&mut self) -> String {
        self.logging.take().unwrap().join().unwrap();
        self.log.lock().unwrap().clone()
    }

    pub(crate) fn signal(&self, signal: &str) {
        let command = format!("kill -{signal} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success(), "{command}");
    }

    pub(crate) fn wait(&mut self) -> ExitStatus {
        blocking::until_some(|| self.child.try_wait().unwrap())
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        call(self.address, "GET", path, &[], "").unwrap()
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> Answer {
        let json = [("Content-Type", "application/json")];
        call(self.address, "POST", path, &json, &body.to_string()).unwrap()
    }

    /// Begins a scene and gives the run's id.
    pub(crate) fn begin(&self, config: &Value) -> String {
        let answer = self.post("/v1/scenes", &serde_json::json!({ "config": config }));
        assert_eq!(answer.status, 202, "{}", answer.body);
        answer.json()["runId"].as_str().unwrap().to_owned()
    }

    /// Follows a run, after an event that was seen already.
    pub(crate) fn follow(&self, run: &str, after: Option<u64>) -> Events {
        Events::open(self.address, run, after).unwrap()
    }

    /// All events of a run, to its end.
    pub(crate) fn events(&self, run: &str) -> Vec<client::Event> {
        let mut following = Following::default();
        following.read(self.follow(run, None)).unwrap();
        assert!(following.ended);
        following.events
    }

    /// The lines of a finished run's transcript.
    pub(crate) fn transcript(&self, run: &str) -> String {
        let answer = self.get(&format!("/v1/runs/{run}/transcript?format=txt"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }

    pub(crate) fn status(&self, run: &str) -> String {
        let answer = self.get(&format!("/v1/runs/{run}"));
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["status"].as_str().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended long ago.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn address_in(greeting: &str) -> Option<SocketAddr> {
    greeting.strip_prefix("enact serves on http://")?.split(' ').next()?.trim().parse().ok()
}
