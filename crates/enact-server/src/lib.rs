//! Runs over HTTP.
