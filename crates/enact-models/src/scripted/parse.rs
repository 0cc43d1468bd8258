//! Reading scripts.

use std::collections::BTreeMap;

use enact_drama::{Name, Problem, chorus::Turn};

use super::{ScriptedAction, ScriptedReply, When};

/// Beyond any deadline a scene can have, so that a longer time is a mistake.
const LONGEST_THOUGHT_MS: u64 = 24 * 60 * 60 * 1000;

/// All replies of a script by when they are due.
pub(super) fn replies(text: &str) -> Result<BTreeMap<When, ScriptedReply>, Problem> {
    let mut reader = ScriptReader::default();
    for (number, line) in (1..).zip(text.lines()) {
        reader.read(number, line.trim_end())?;
    }
    reader.finish_entry()?;
    Ok(reader.replies)
}

#[derive(Default)]
struct ScriptReader {
    replies: BTreeMap<When, ScriptedReply>,
    beat: Option<u32>,
    unit: Unit,
    /// When the last reply of this beat arrives; the next comes after it unless it says otherwise.
    last_ms: Option<u64>,
    entry: Option<OpenReply>,
}

/// What a script counts by.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Unit {
    #[default]
    Beat,
    /// Of a chorus.
    Turn,
}

/// A reply that may go on in the next line.
struct OpenReply {
    line: usize,
    actor: String,
    took_ms: Option<u64>,
    text: String,
    /// Blank lines that belong to the reply only if it goes on after them.
    blank: usize,
}

impl ScriptReader {
    fn read(&mut self, number: usize, line: &str) -> Result<(), Problem> {
        if line.is_empty() {
            if let Some(entry) = &mut self.entry {
                entry.blank += 1;
            }
            return Ok(());
        }
        if line.starts_with([' ', '\t']) {
            return self.go_on(number, line);
        }
        if line.starts_with('#') {
            return Ok(());
        }
        self.finish_entry()?;
        match (line.strip_prefix("beat "), line.strip_prefix("turn ")) {
            (Some(which), _) => self.open_beat(number, which),
            (_, Some(which)) => self.open_turn(number, which),
            (None, None) => self.open_entry(number, line),
        }
    }

    fn go_on(&mut self, number: usize, line: &str) -> Result<(), Problem> {
        let Some(entry) = &mut self.entry else {
            let problem =
                Problem::config("an indented line goes on with a reply, but there is none above it");
            return Err(problem
                .at(number, 1)
                .hint("start the line at the margin, or write 'name:' above it"));
        };
        if !entry.text.is_empty() {
            entry.text.extend(std::iter::repeat_n('\n', 1 + entry.blank));
        }
        entry.blank = 0;
        entry.text.push_str(line.trim_start());
        Ok(())
    }

    fn open_beat(&mut self, number: usize, which: &str) -> Result<(), Problem> {
        let which = which.trim().trim_end_matches(':');
        let beat = which.parse().map_err(|_| {
            Problem::config(format!("'{which}' is not a beat"))
                .at(number, 6)
                .hint("beats are numbers: 'beat 0'")
        })?;
        self.open(Unit::Beat, beat);
        Ok(())
    }

    fn open_turn(&mut self, number: usize, which: &str) -> Result<(), Problem> {
        let which = which.trim().trim_end_matches(':');
        let turn = which.parse().ok().and_then(|turn: u8| Turn::try_from(turn).ok()).ok_or_else(|| {
            Problem::config(format!("'{which}' is not a turn"))
                .at(number, 6)
                .hint("a chorus has three: 'turn 1', 'turn 2' and 'turn 3'")
        })?;
        self.open(Unit::Turn, u32::from(turn.index()));
        Ok(())
    }

    fn open(&mut self, unit: Unit, beat: u32) {
        (self.unit, self.beat, self.last_ms) = (unit, Some(beat), None);
    }

    fn open_entry(&mut self, number: usize, line: &str) -> Result<(), Problem> {
        let Some((head, text)) = line.split_once(':') else {
            let problem =
                Problem::config(format!("'{line}' is neither a beat, a turn nor a reply")).at(number, 1);
            return Err(problem.hint(
                "write 'beat 3', 'turn 1', 'alice: [TONE: calm] \"Hello.\"', or '#' before a comment",
            ));
        };
        let (name, took_ms) = match head.split_once('(') {
            Some((name, time)) => (name, Some(thinking_time(number, name.len() + 2, time)?)),
            None => (head, None),
        };
        let actor = Name::new(name.trim()).map_err(|e| Problem::config(e.to_string()).at(number, 1))?;
        self.entry = Some(OpenReply {
            line: number,
            actor: actor.as_str().to_lowercase(),
            took_ms,
            text: text.trim_start().to_owned(),
            blank: 0,
        });
        Ok(())
    }

    fn finish_entry(&mut self) -> Result<(), Problem> {
        let Some(OpenReply { line, actor, took_ms, text, .. }) = self.entry.take() else { return Ok(()) };
        let Some(beat) = self.beat else {
            let problem =
                Problem::config(format!("it is not said in which beat {actor} replies")).at(line, 1);
            return Err(problem.hint("put a line 'beat 0' above it; in a chorus, 'turn 1'"));
        };
        let action = action(line, &actor, text)?;
        let took_ms = took_ms.unwrap_or_else(|| self.last_ms.map_or(0, |last| last + 1));
        self.last_ms = Some(took_ms);
        let mut when = When { beat, actor, again: false };
        let is_comment = self.unit == Unit::Turn && beat == u32::from(Turn::Comment.index());
        when.again = is_comment && self.replies.contains_key(&when);
        if let Some(earlier) = self.replies.get(&when) {
            return Err(twice(self.unit, &when, earlier.line).at(line, 1));
        }
        self.replies.insert(when, ScriptedReply { line, took_ms, action });
        Ok(())
    }
}

/// An actor replies more often than it is asked.
fn twice(unit: Unit, When { beat, actor, .. }: &When, earlier: usize) -> Problem {
    match unit {
        Unit::Beat => Problem::config(format!("{actor} already replies in beat {beat}, in line {earlier}"))
            .hint("an actor replies once in a beat"),
        Unit::Turn => Problem::config(format!("{actor} already answers in turn {beat}, in line {earlier}"))
            .hint("a slot answers once in a turn, and in turn 2 once more if its comment is refused"),
    }
}

fn action(line: usize, actor: &str, text: String) -> Result<ScriptedAction, Problem> {
    if text.is_empty() {
        let problem = Problem::config(format!("{actor}'s reply is empty")).at(line, 1);
        return Err(problem.hint("write '[SILENT]', or leave the actor out of the beat"));
    }
    let Some(command) = text.strip_prefix('!') else { return Ok(ScriptedAction::Reply(text)) };
    let (word, rest) = command.split_once(char::is_whitespace).unwrap_or((command, ""));
    // An error is one line wherever it is shown.
    let rest = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    match (word, rest.as_str()) {
        ("fail", "") => Err(Problem::config("'!fail' needs an error to fail with")
            .at(line, 1)
            .hint(format!("for example '{actor}: !fail rate limited'"))),
        ("fail", _) => Ok(ScriptedAction::Fail(rest)),
        ("hang", "") => Ok(ScriptedAction::Hang),
        ("panic", "") => Ok(ScriptedAction::Panic),
        ("hang" | "panic", _) => {
            Err(Problem::config(format!("'!{word}' stands alone, without '{rest}'")).at(line, 1))
        }
        _ => Err(Problem::config(format!("'!{word}' is nothing an actor can do"))
            .at(line, 1)
            .hint("there are '!fail <error>', '!hang' and '!panic'; a reply begins with '[' or a quote")),
    }
}

/// Reads what follows the opening parenthesis: `120ms)` or `1.2s)`.
fn thinking_time(line: usize, column: usize, text: &str) -> Result<u64, Problem> {
    let time = text.trim_end().trim_end_matches(')').trim();
    let ms = match (time.strip_suffix("ms"), time.strip_suffix('s')) {
        (Some(ms), _) => ms.trim().parse().ok(),
        // Rounded: 1.2s is 1200 ms, not what a float makes of it.
        (None, Some(s)) => {
            s.trim().parse::<f64>().ok().filter(|s| *s >= 0.0).map(|s| (s * 1000.0).round() as u64)
        }
        (None, None) => None,
    };
    ms.filter(|ms| *ms <= LONGEST_THOUGHT_MS).ok_or_else(|| {
        let problem = Problem::config(format!("'{time}' is not a thinking time")).at(line, column);
        problem.hint("write it as '120ms' or '1.2s', at most a day")
    })
}
