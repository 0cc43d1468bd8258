//! The web page: the document of every screen, and the files that it loads.

use axum::{
    body::Body,
    extract::State,
    http::{
        HeaderMap, HeaderValue, Method, StatusCode,
        header::{
            ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG,
            IF_NONE_MATCH, VARY,
        },
    },
    response::{IntoResponse, Response},
};
use enact_engine::run_blocking;
use enact_page::{PageFiles, SHELL, ServedFile};

use crate::{
    access::Scope,
    error::{ApiError, ErrorCode},
    extract::PathParams,
    routes::Route,
};

/// The addresses of screens. All of them are the same document, which shows what its address says; anything
/// else is 404, as it is under `/v1`.
const SCREENS: [&str; 10] = [
    "/",
    "/new",
    "/edit",
    "/runs/{id}",
    "/chorus",
    "/episodes",
    "/episodes/{slug}",
    "/series/{name}",
    "/fields",
    "/costs",
];

/// Nothing of another host, no script but the page's own files, nothing made into code. Recordings are
/// fetched with the token, and played as blobs.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; \
    media-src 'self' blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/// The rows of the route table. They need no token: the files are public, and the page asks the user for a
/// token.
pub(crate) fn routes(page: &PageFiles) -> Vec<Route> {
    let screens = SCREENS.map(|path| Route::new(Method::GET, Scope::Read, path, shell, page).open());
    let files = Route::new(Method::GET, Scope::Read, "/page/{*path}", file, page).open().quiet();
    screens.into_iter().chain([files]).collect()
}

async fn shell(State(page): State<PageFiles>, headers: HeaderMap) -> Result<Response, ApiError> {
    answer(page, SHELL.to_owned(), headers).await
}

async fn file(
    State(page): State<PageFiles>,
    PathParams(path): PathParams<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    answer(page, path, headers).await
}

async fn answer(page: PageFiles, path: String, headers: HeaderMap) -> Result<Response, ApiError> {
    // The first one compresses all of them, and a folder is read from disk.
    let found = run_blocking(move || page.get(&path)).await;
    let file = found.ok_or_else(|| ApiError::new(ErrorCode::NoSuchRoute, "the page has no such file"))?;
    Ok(respond(&file, &headers))
}

fn respond(file: &ServedFile, headers: &HeaderMap) -> Response {
    let known = headers.get(IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let is_known = known.is_some_and(|tags| {
        tags.split(',').any(|tag| tag.trim().trim_start_matches("W/") == file.etag || tag.trim() == "*")
    });
    let mut response = if is_known {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        let gzip = file.gzip.as_ref().filter(|_| accepts_gzip(headers));
        let mut response = Body::from(gzip.unwrap_or(&file.bytes).clone()).into_response();
        if gzip.is_some() {
            response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        }
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(file.content_type));
        response
    };
    let headers = response.headers_mut();
    if let Ok(etag) = HeaderValue::from_str(&file.etag) {
        headers.insert(ETAG, etag);
    }
    // Kept, and asked about each time: a new version of the program is a new page at once.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

/// Whether a browser takes gzip: it is named, and not with a weight of nothing.
fn accepts_gzip(headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    accepted.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
        let refused = weight.trim().strip_prefix("q=").is_some_and(|q| q.trim().parse() == Ok(0.0));
        ["gzip", "*"].contains(&name.trim()) && !refused
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        for (sent, takes) in [
            ("gzip, deflate, br", true),
            ("br;q=1.0, gzip;q=0.8", true),
            ("*", true),
            ("gzip;q=0", false),
            ("identity", false),
            ("", false),
        ] {
            let headers = [(ACCEPT_ENCODING, HeaderValue::from_static(sent))].into_iter().collect();
            assert_eq!(accepts_gzip(&headers), takes, "{sent:?}");
        }
    }

    #[test]
    fn a_file_that_is_known_is_not_sent_again() {
        let file = PageFiles::embedded().get(SHELL).unwrap();
        for (sent, status) in [
            (file.etag.clone(), StatusCode::NOT_MODIFIED),
            (format!("W/{}, \"x\"", file.etag), StatusCode::NOT_MODIFIED),
            ("\"other\"".to_owned(), StatusCode::OK),
        ] {
            let headers = [(IF_NONE_MATCH, HeaderValue::from_str(&sent).unwrap())].into_iter().collect();
            assert_eq!(respond(&file, &headers).status(), status, "{sent}");
        }
    }
}
