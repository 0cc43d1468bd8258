//! How many connections fit into the files that this process may open.

use std::fs;

/// What is kept for everything that is no caller: the database, models, logs, sheets.
const RESERVE: usize = 256;
/// Fewer connections serve nobody, whatever is left for the rest.
const FEWEST: usize = 64;

/// How many files this process may open, where the system says so: Linux does.
pub(super) fn open_files() -> Option<usize> {
    soft_limit(&fs::read_to_string("/proc/self/limits").ok()?)
}

/// So many connections as there are descriptors for, and no more than are wanted.
pub(super) fn fitting(wanted: usize, open_files: Option<usize>) -> usize {
    match open_files {
        Some(open_files) => wanted.min(open_files.saturating_sub(RESERVE).max(FEWEST)),
        None => wanted,
    }
}

/// `unlimited` is no number, and no limit.
fn soft_limit(limits: &str) -> Option<usize> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_is_the_first_number() {
        let table = "Limit                     Soft Limit           Hard Limit           Units     \n\
                     Max processes             63304                63304                processes \n\
                     Max open files            1024                 524288               files     \n";
        assert_eq!(soft_limit(table), Some(1024));
        assert_eq!(soft_limit(&table.replace("1024", "unlimited")), None);
        assert_eq!(soft_limit(""), None);
    }

    #[test]
    fn connections_leave_room_for_the_rest() {
        for (wanted, open_files, fitting_in) in [
            (8_192, None, 8_192),
            (8_192, Some(1_048_576), 8_192),
            (8_192, Some(1_024), 768),
            (100, Some(1_024), 100),
            (8_192, Some(300), 64),
            (8_192, Some(20), 64),
            (10, Some(20), 10),
        ] {
            assert_eq!(fitting(wanted, open_files), fitting_in, "{wanted} {open_files:?}");
        }
    }
}
