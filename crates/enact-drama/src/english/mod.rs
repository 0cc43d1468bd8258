//! English as rules read it: [`words`] takes a text apart, [`phrase`] looks for patterns in it, [`word_lists`]
//! reads the files that hold such patterns, [`word_kinds`] knows the words of its lists, and
//! [`name_letters`] compares names.

pub(crate) mod name_letters;
pub(crate) mod phrase;
pub(crate) mod word_kinds;
pub(crate) mod word_lists;
pub(crate) mod words;
