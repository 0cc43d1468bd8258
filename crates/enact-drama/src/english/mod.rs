//! English as rules read it: [`words`] takes a text apart, [`phrase`] looks for patterns in it, and [`word_lists`]
//! reads the files that hold such patterns.

pub(crate) mod phrase;
pub(crate) mod word_lists;
pub(crate) mod words;
