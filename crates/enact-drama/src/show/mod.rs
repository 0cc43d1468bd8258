//! What is derived from a log: nothing here is stored, everything can be made again.
