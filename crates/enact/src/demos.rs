//! Written performances that come with the program: story projects whose every line stands in a script.
//!
//! They are played by the engine as anything else is, and called what they are wherever they are shown.

use enact_drama::{Problem, did_you_mean};
use enact_models::Scripted;

/// A story project, and the script that is played in it.
#[derive(Debug, PartialEq)]
pub(crate) struct Demo {
    pub(crate) name: &'static str,
    /// `scene.md`
    pub(crate) scene: &'static str,
    /// Each character's name and sheet.
    pub(crate) sheets: &'static [(&'static str, &'static str)],
    performance: &'static str,
}

macro_rules! demo {
    ($name:literal: $($character:literal)+) => {
        Demo {
            name: $name,
            scene: include_str!(concat!("../demos/", $name, "/scene.md")),
            sheets: &[$((
                $character,
                include_str!(concat!("../demos/", $name, "/.claude/agents/", $character, ".md")),
            )),+],
            performance: include_str!(concat!("../demos/", $name, "/performance.txt")),
        }
    };
}

/// In the order in which they are listed.
pub(crate) static DEMOS: [Demo; 6] = [
    demo!("the-lamp": "magnus" "iver"),
    demo!("clause-nine": "odile" "skarn" "pell"),
    demo!("platform-two": "mira" "jonas"),
    demo!("eleven-hours": "okoro" "tamsin" "wick"),
    demo!("the-letters": "lenz" "adler" "paul"),
    demo!("mothers-piano": "ruth" "tom" "bea"),
];

impl Demo {
    pub(crate) fn named(name: &str) -> Result<&'static Demo, Problem> {
        let found = DEMOS.iter().find(|demo| demo.name.eq_ignore_ascii_case(name));
        found.ok_or_else(|| {
            let names: Vec<&str> = DEMOS.iter().map(|demo| demo.name).collect();
            let problem = Problem::config(format!("there is no demo '{}'", name.escape_debug()));
            match did_you_mean(name, names.iter().copied()) {
                Some(near) => problem.hint(format!("did you mean '{near}'?")),
                None => problem.hint(format!("there are: {}", names.join(", "))),
            }
        })
    }

    /// What its model is called in setups, and can be called on the command line.
    pub(crate) fn model(&self) -> String {
        format!("demo:{}", self.name)
    }

    /// The model that plays it. It says of itself that what it gives was written beforehand.
    pub(crate) fn script(&self) -> Result<Scripted, Problem> {
        let script = Scripted::parse(self.performance).map_err(|problem| problem.in_file(self.name))?;
        Ok(script.titled(format!("the demo {}: every line was written beforehand", self.name)))
    }
}
