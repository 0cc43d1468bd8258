//! `enact judge`: does a transcript reach a scene's goals?
