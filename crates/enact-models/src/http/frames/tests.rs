use proptest::prelude::*;

use super::*;

/// The frames of a body that comes in these chunks, with `!` before those of error events.
fn split<'a>(in_lines: bool, chunks: impl IntoIterator<Item = &'a [u8]>) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut each = |frame: JsonFrame<'_>| {
        let mark = if frame.is_error_event { "!" } else { "" };
        found.push(format!("{mark}{}", String::from_utf8_lossy(frame.json)));
        Ok(())
    };
    let mut splitter = FrameSplitter::new(in_lines);
    for chunk in chunks {
        splitter.push(chunk, &mut each)?;
    }
    splitter.finish(&mut each)?;
    Ok(found)
}

fn whole(body: &str) -> Vec<String> {
    split(false, [body.as_bytes()]).unwrap()
}

#[test]
fn events_are_read_however_they_are_written() {
    for (body, frames) in [
        ("data: 1\n\ndata: 2\n\n", vec!["1", "2"]),
        ("data: 1\r\n\r\ndata: 2\r\n\r\n", vec!["1", "2"]),
        ("data: 1\r\rdata: 2\r\r", vec!["1", "2"]),
        ("data:1\n\ndata:  2 \n\n", vec!["1", "2"]),
        ("\u{feff}data: 1\n\n", vec!["1"]),
        ("\n\n: hello\n\ndata: 1\n: ping\n\n", vec!["1"]),
        ("data: {\ndata: \"a\": 1\ndata: }\n\n", vec!["{\n\"a\": 1\n}"]),
        ("event: error\ndata: 1\n\nevent: ping\ndata: 2\n\ndata: 3\n\n", vec!["!1", "2", "3"]),
        ("id: 7\nretry: 10\ndata\nunknown: x\ndata: 1\n\n", vec!["1"]),
        ("data:\n\ndata: \n\ndata: 1\n\n", vec!["1"]),
        ("data: 1\n\ndata: 2\n", vec!["1", "2"]),
        ("data: 1\n\ndata: 2", vec!["1", "2"]),
        ("data: é\n\ndata: 🎭", vec!["é", "🎭"]),
        ("retry: 10", vec![]),
        ("", vec![]),
        (" \n ", vec![]),
    ] {
        assert_eq!(whole(body), frames, "{body:?}");
    }
}

#[test]
fn what_begins_like_json_is_json_whatever_it_is_called() {
    for (body, frames) in [
        ("{\"a\": 1}", vec!["{\"a\": 1}"]),
        ("\u{feff}\r\n {\n  \"a\": 1\n}\n", vec!["{\n  \"a\": 1\n}"]),
        ("[{\"a\": 1},\r\n{\"b\": 2}\n]", vec!["{\"a\": 1}", "{\"b\": 2}"]),
        ("{\"a\": 1}\n{\"b\": 2}\n", vec!["{\"a\": 1}", "{\"b\": 2}"]),
    ] {
        assert_eq!(whole(body), frames, "{body:?}");
    }
    let lines = b"{\"a\": 1}\r\n\n {\"b\": 2} \n{\"c\": 3}";
    assert_eq!(split(true, [&lines[..]]).unwrap(), ["{\"a\": 1}", "{\"b\": 2}", "{\"c\": 3}"]);
}

#[test]
fn what_is_no_answer_is_said() {
    let error = |body: &str| split(false, [body.as_bytes()]).unwrap_err();
    assert_eq!(error("<!doctype html><html>data: 1\n\n</html>"), Error::Garbled);
    assert_eq!(error("{\"a\": 1"), Error::Truncated);
    assert_eq!(error("{\"a\": 1} and more"), Error::Garbled);
}

/// None of them ever ends, and neither does what is kept of them.
#[test]
fn what_does_not_end_is_an_error() {
    let too_long = Err(Error::TooLong { limit: LONGEST_FRAME });
    for (begins, in_lines) in [("data: ", false), ("{\"a\": \"", false), ("{\"a\": \"", true), (" ", false)] {
        let endless = std::iter::once(begins.as_bytes()).chain(std::iter::repeat(&[b' '; 64 * 1024][..]));
        assert_eq!(split(in_lines, endless), too_long, "{begins}");
    }
    let event = std::iter::repeat(&b"data: more and more\n"[..]);
    assert_eq!(split(false, event), too_long);
}

/// Bodies of events, with everything that makes them hard to split.
fn body() -> impl Strategy<Value = String> {
    let part = prop_oneof![
        Just("\n"),
        Just("\r\n"),
        Just("\r"),
        Just("\n\n"),
        Just("\r\n\r\n"),
        Just("\u{feff}"),
        Just("data:"),
        Just("data: {\"a\": \"é 🎭\"}"),
        Just("data: "),
        Just("event: error"),
        Just(": x"),
        Just("[DONE]"),
        Just(" "),
    ];
    prop::collection::vec(part, 0..20).prop_map(|parts| parts.concat())
}

proptest! {
    #[test]
    fn chunks_make_no_difference(body in body(), lines in any::<bool>(), sizes in prop::collection::vec(1_usize..7, 1..9)) {
        let body = body.as_bytes();
        let mut rest = body;
        let mut chunks = Vec::new();
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (chunk, later) = rest.split_at((*size).min(rest.len()));
            chunks.push(chunk);
            rest = later;
        }
        prop_assert_eq!(split(lines, chunks), split(lines, [body]));
        prop_assert_eq!(split(lines, body.chunks(1)), split(lines, [body]));
    }
}
