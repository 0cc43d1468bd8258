//! The reply parser, from the outside.

mod forms;
