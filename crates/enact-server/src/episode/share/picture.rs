//! `/r/{id}/card.png`: the picture of a shared result, 1200 × 630, for those who show links with a picture.

use std::{
    collections::VecDeque,
    sync::{Arc, LazyLock, Mutex, PoisonError},
};

use axum::{
    extract::State,
    http::header,
    response::{IntoResponse, Response},
};
use bytes::Bytes;
use enact_drama::{RunId, episode::report::ResultCard};
use enact_engine::run_blocking;
use minijinja::{Value, context, value::Serde};
use resvg::{tiny_skia, usvg};
use tokio::sync::Semaphore;

use super::{SharedResult, page};
use crate::{episode::EpisodeState, error::ApiError, extract::PathParams};

const TEMPLATE: &str = include_str!("card.svg.j2");
const WIDTH: u32 = 1200;
const HEIGHT: u32 = 630;

/// How many pictures are kept, each of some 150 KiB: a link is looked at by many at once, and then no more.
const KEPT: usize = 64;
/// How many are drawn at once: anybody may ask for one, and it takes some 60 ms of a processor.
const DRAWN_AT_ONCE: usize = 2;

/// The text must not come nearer to what stands at the bottom.
const BOTTOM: usize = 490;

/// Where the lines of a title have to break: a bold letter of its size is about this wide.
const TITLE_LETTERS: usize = 24;
const TAGLINE_LETTERS: usize = 54;
const TEXT_LETTERS: usize = 66;
/// Beyond that there is no room.
const TITLE_LINES: usize = 2;
const TAGLINE_LINES: usize = 2;
const TEXT_LINES: usize = 4;

/// Pictures that were drawn, the newest last.
#[derive(Debug, Clone)]
pub(in crate::episode) struct Pictures {
    kept: Arc<Mutex<VecDeque<(RunId, Bytes)>>>,
    drawing: Arc<Semaphore>,
}

impl Default for Pictures {
    fn default() -> Pictures {
        Pictures { kept: Arc::default(), drawing: Arc::new(Semaphore::new(DRAWN_AT_ONCE)) }
    }
}

impl Pictures {
    fn find(&self, run: RunId) -> Option<Bytes> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.iter().find(|(of, _)| *of == run).map(|(_, picture)| picture.clone())
    }

    fn keep(&self, run: RunId, picture: Bytes) {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() == KEPT {
            kept.pop_front();
        }
        kept.push_back((run, picture));
    }

    /// The result of this session is not shared any more.
    pub(in crate::episode) fn forget(&self, run: RunId) {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).retain(|(of, _)| *of != run);
    }

    async fn of(&self, run: RunId, card: ResultCard) -> Result<Bytes, ApiError> {
        if let Some(picture) = self.find(run) {
            return Ok(picture);
        }
        let _turn = self.drawing.acquire().await;
        if let Some(picture) = self.find(run) {
            return Ok(picture);
        }
        let picture = run_blocking(move || draw(&card)).await?;
        self.keep(run, picture.clone());
        Ok(picture)
    }
}

/// Show the picture of a shared result
///
/// A PNG of 1200 × 630, for previews of links. It is not counted as a view.
#[utoipa::path(
    get, path = "/r/{id}/card.png", operation_id = "showSharedPicture", tag = "episodes",
    params(("id" = String, Path, description = "The `share_id`.")),
    responses((status = 200, description = "The picture.", body = Vec<u8>, content_type = "image/png")),
)]
pub(in crate::episode) async fn picture(
    State(state): State<EpisodeState>,
    PathParams(id): PathParams<String>,
) -> Result<Response, ApiError> {
    let shared = SharedResult::existing(&state.api, &id).await?;
    let picture = state.pictures.of(shared.run, shared.card()).await?;
    let headers = [
        (header::CONTENT_TYPE.as_str(), "image/png"),
        (header::CACHE_CONTROL.as_str(), "public, max-age=3600"),
        ("x-robots-tag", "noindex"),
        // Pages that show links may show it.
        ("cross-origin-resource-policy", "cross-origin"),
    ];
    Ok((headers, picture).into_response())
}

/// The picture of a card as PNG.
fn draw(card: &ResultCard) -> Result<Bytes, ApiError> {
    let failed = |why: String| ApiError::internal("the picture could not be drawn", why);
    let svg = svg(card)?;
    let tree = usvg::Tree::from_str(&svg, &OPTIONS).map_err(|error| failed(error.to_string()))?;
    let mut pixels = tiny_skia::Pixmap::new(WIDTH, HEIGHT).ok_or_else(|| failed("no pixels".to_owned()))?;
    resvg::render(&tree, tiny_skia::Transform::default(), &mut pixels.as_mut());
    pixels.encode_png().map(Bytes::from).map_err(|error| failed(error.to_string()))
}

/// The fonts of the program alone: a picture looks the same on every machine.
static OPTIONS: LazyLock<usvg::Options<'static>> = LazyLock::new(|| {
    let mut options = usvg::Options { font_family: "Noto Sans".to_owned(), ..usvg::Options::default() };
    for font in [notosans::REGULAR_TTF, notosans::BOLD_TTF] {
        options.fontdb_mut().load_font_data(font.to_vec());
    }
    options
});

fn svg(card: &ResultCard) -> Result<String, ApiError> {
    let (_, theme) = page::theme(&card.theme);
    let title = lines(&card.title, TITLE_LETTERS, TITLE_LINES);
    let (title_size, title_step) = if title.len() > 1 { (68, 80) } else { (84, 96) };
    let title_top = 222;
    let tagline = lines(card.tagline.as_deref().unwrap_or_default(), TAGLINE_LETTERS, TAGLINE_LINES);
    let tagline_top = title_top + 76 + title_step * title.len().saturating_sub(1);
    let text_top = tagline_top + 10 + 48 * tagline.len();
    let room = TEXT_LINES.min(BOTTOM.saturating_sub(text_top) / 41 + 1);
    let text = lines(card.text.as_deref().unwrap_or_default(), TEXT_LETTERS, room);
    let values = context! {
        theme => Value::from(Serde(theme)),
        title, title_size, title_step, title_top, tagline, tagline_top, text, text_top,
        // Where the title is that of the episode, it need not stand there twice.
        test => if card.test == card.title { String::new() } else { card.test.to_uppercase() },
        character => &card.character,
        confidence => card.confidence,
    };
    page::rendered(TEMPLATE, values)
}

/// A text broken into lines of at most so many letters, and no more than there is room for.
fn lines(text: &str, letters: usize, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        // A word that fits in no line is cut.
        let word: String = word.chars().filter(|next| !next.is_control()).take(letters).collect();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= letters => {
                line.push(' ');
                line.push_str(&word);
            }
            _ => lines.push(word),
        }
    }
    if lines.len() > most {
        lines.truncate(most);
        if let Some(last) = lines.last_mut() {
            last.push('…');
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_broken_where_there_is_room() {
        for (text, most, expected) in [
            ("", 2, &[][..]),
            ("one two three", 2, &["one two", "three"]),
            ("one two three four five", 2, &["one two", "three…"]),
            ("immeasurable", 2, &["immeasur"]),
        ] {
            assert_eq!(lines(text, 8, most), expected, "{text}");
        }
    }

    /// A picture whose letters are missing is as large, and much emptier.
    #[test]
    fn a_picture_is_drawn_whatever_stands_on_the_card() {
        let mut sizes = Vec::new();
        for title in ["The Slow Burn", "", "</text><script>alert(1)</script>", "Ürsüla & “Ω” Ёлка 夜"]
        {
            let text = Some("You listen, you remember, you come back to it later.".to_owned());
            let card = ResultCard { title: title.to_owned(), text, ..ResultCard::default() };
            let png = draw(&card).unwrap();
            assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
            assert_eq!(png[16..24], [WIDTH.to_be_bytes(), HEIGHT.to_be_bytes()].concat());
            assert!(!svg(&card).unwrap().contains("<script"));
            sizes.push(png.len());
        }
        assert!(sizes[0] > sizes[1] + 2_000, "{sizes:?}");
    }
}
