//! An answer on a terminal while it is still coming: word by word, wrapped at the edge.

use std::{
    fmt,
    io::Write,
    sync::{Mutex, MutexGuard, PoisonError},
};

use enact_drama::{CallId, episode::DisplayDecoder, production::Delta};
use enact_engine::run_loop::DeltaSink;

/// Shows answers as their words arrive.
pub(super) struct LiveAnswer {
    columns: usize,
    state: Mutex<LiveState>,
}

struct LiveState {
    out: Box<dyn Write + Send>,
    call: Option<CallId>,
    decoder: DisplayDecoder,
    /// All that was to be shown so far, as it is known when the answer is whole.
    shown: String,
    /// A word that may still grow.
    word: String,
    column: usize,
}

impl fmt::Debug for LiveAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LiveAnswer").finish_non_exhaustive()
    }
}

impl DeltaSink for LiveAnswer {
    fn has_listeners(&self) -> bool {
        true
    }

    fn send(&self, delta: Delta) {
        let mut state = self.state();
        if state.call != Some(delta.call) {
            state.end();
            state.call = Some(delta.call);
        }
        let piece = state.decoder.push(&delta.text);
        state.shown.push_str(&piece);
        for next in piece.chars() {
            state.push(next, self.columns);
        }
        let _ = state.out.flush();
    }
}

impl LiveAnswer {
    pub(super) fn new(out: Box<dyn Write + Send>, columns: usize) -> LiveAnswer {
        let state = LiveState {
            out,
            call: None,
            decoder: DisplayDecoder::default(),
            shown: String::new(),
            word: String::new(),
            column: 0,
        };
        LiveAnswer { columns, state: Mutex::new(state) }
    }

    /// The answer is whole, or will not come. Whether it stands on the screen as it is: if not, it is to be
    /// shown again.
    pub(super) fn finish(&self, content: &str) -> bool {
        let mut state = self.state();
        state.write_word(self.columns);
        // Words that a model says before its answer do no harm.
        let stands = !content.is_empty() && state.shown.ends_with(content);
        state.end();
        stands
    }

    fn state(&self) -> MutexGuard<'_, LiveState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl LiveState {
    fn push(&mut self, next: char, columns: usize) {
        if !next.is_whitespace() {
            return self.word.push(next);
        }
        self.write_word(columns);
        if next == '\n' {
            self.column = 0;
            let _ = self.out.write_all(b"\n");
        } else if self.column > 0 {
            self.column += 1;
            let _ = self.out.write_all(b" ");
        }
    }

    fn write_word(&mut self, columns: usize) {
        let word = std::mem::take(&mut self.word);
        let width = textwrap::core::display_width(&word);
        if self.column > 0 && self.column + width > columns {
            self.column = 0;
            let _ = self.out.write_all(b"\n");
        }
        self.column += width;
        // A screen that is gone is no reason to stop a session.
        let _ = self.out.write_all(word.as_bytes());
    }

    fn end(&mut self) {
        if !self.shown.is_empty() {
            let _ = self.out.write_all(b"\n\n").and_then(|()| self.out.flush());
        }
        (self.call, self.decoder, self.column) = (None, DisplayDecoder::default(), 0);
        self.shown.clear();
        self.word.clear();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use enact_drama::Name;

    use super::*;

    #[derive(Clone, Default)]
    struct SharedScreen(Arc<Mutex<Vec<u8>>>);

    impl Write for SharedScreen {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl SharedScreen {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    fn send(live: &LiveAnswer, call: u64, text: &str) {
        let (call, actor, text) = (CallId(call), Name::new("mina").unwrap(), text.to_owned());
        live.send(Delta { call, actor, text, at: 0 });
    }

    #[test]
    fn words_are_shown_as_they_come_and_wrapped() {
        let screen = SharedScreen::default();
        let live = LiveAnswer::new(Box::new(screen.clone()), 20);
        send(&live, 1, r#"{"action": "She looks up", "dialogue": "Depends who is as"#);
        assert_eq!(screen.text(), "*She looks up*\n\"Depends who is ", "the last word may still grow");
        send(&live, 1, r#"king.", "internal": "Nice coat."}"#);
        assert!(live.finish("*She looks up*\n\"Depends who is asking.\""));
        assert_eq!(screen.text(), "*She looks up*\n\"Depends who is \nasking.\"\n\n");
    }

    #[test]
    fn what_is_read_differently_in_the_end_is_to_be_shown_again() {
        let screen = SharedScreen::default();
        let live = LiveAnswer::new(Box::new(screen.clone()), 80);
        assert!(!live.finish("Nothing came word by word."));
        assert_eq!(screen.text(), "");
        send(&live, 1, r#"Sure! {"dialogue": "Hi."}"#);
        assert!(live.finish("\"Hi.\""), "words before it do no harm");
        screen.0.lock().unwrap().clear();
        send(&live, 1, "Half of an ans");
        send(&live, 2, "Another model says this.");
        assert!(!live.finish("\"Another model says this.\""));
        assert_eq!(screen.text(), "Half of an \n\nAnother model says this.\n\n");
    }
}
