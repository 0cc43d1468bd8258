//! What only SQLite promises: how it lives with the disk it is on.

mod full_disk;
mod lost_file;
