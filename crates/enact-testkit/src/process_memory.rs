//! What a process holds in memory, as Linux counts it.

use std::fs;

/// A line of `/proc/PROCESS/status`, in KiB. The process is a number, or `self`; lines are `VmRSS` (all that is
/// really there), `RssAnon` (the same without mapped files) and `VmHWM` (the peak). Nothing on other systems.
pub fn memory_kib(process: &str, line: &str) -> Option<usize> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let rest = status.lines().find_map(|found| found.strip_prefix(line)?.strip_prefix(':'))?;
    rest.split_whitespace().next()?.parse().ok()
}
