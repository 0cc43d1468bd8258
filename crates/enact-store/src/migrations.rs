//! How databases come to the format of this version: files in `migrations/`, which are never edited once a
//! release has shipped them.
//!
//! They are named here one by one. sqlx has a macro that finds them, but for its sake both databases' drivers
//! are built a second time, as parts of the compiler.

use std::sync::LazyLock;

use sqlx::{
    SqlSafeStr,
    migrate::{Migration, MigrationType, Migrator},
};

pub(crate) static SQLITE: LazyLock<Migrator> = LazyLock::new(|| migrator(&SQLITE_FILES));

#[cfg(feature = "postgres")]
pub(crate) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| migrator(&POSTGRES_FILES));

/// The path and the text of a file.
type Named = (&'static str, &'static str);

macro_rules! named {
    ($path:literal) => {
        ($path, include_str!(concat!("../migrations/", $path)))
    };
}

const SQLITE_FILES: [Named; 7] = [
    named!("sqlite/0001_runs_and_events.sql"),
    named!("sqlite/0002_queue_and_inbox.sql"),
    named!("sqlite/0003_conversations.sql"),
    named!("sqlite/0004_resting_runs_and_derived_rows.sql"),
    named!("sqlite/0005_numbered_runs.sql"),
    named!("sqlite/0006_paused_runs.sql"),
    named!("sqlite/0007_counters.sql"),
];

#[cfg(feature = "postgres")]
const POSTGRES_FILES: [Named; 5] = [
    named!("postgres/0001_runs_and_what_stands_beside_them.sql"),
    named!("postgres/0002_conversations.sql"),
    named!("postgres/0003_resting_runs_and_derived_rows.sql"),
    named!("postgres/0004_paused_runs.sql"),
    named!("postgres/0005_counters.sql"),
];

/// Each is numbered by its place; the number in its name says the same to people.
fn migrator(files: &[Named]) -> Migrator {
    let migration = |(version, (path, sql)): (i64, &Named)| {
        let description = path.to_owned().into();
        Migration::new(version, description, MigrationType::Simple, sql.into_sql_str(), false)
    };
    Migrator::with_migrations((1..).zip(files).map(migration).collect())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    #[test]
    fn every_file_is_named_and_numbered_by_its_place() {
        for (folder, files) in [("sqlite", &SQLITE_FILES[..]), ("postgres", &POSTGRES_FILES[..])] {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations").join(folder);
            let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
            let mut there: Vec<String> =
                entries.map(|entry| format!("{folder}/{}", entry.file_name().display())).collect();
            there.sort();
            assert_eq!(files.iter().map(|(path, _)| *path).collect::<Vec<_>>(), there);
            for (number, path) in (1..).zip(&there) {
                assert!(path.starts_with(&format!("{folder}/{number:04}_")), "{path} is number {number}");
            }
        }
    }
}
