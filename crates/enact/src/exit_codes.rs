//! What a run's end means to whoever started the program.

/// What shells expect of a program that Ctrl-C ended.
pub(crate) const INTERRUPTED: u8 = 130;

/// The exit code for each reason that is not simply an end. Productions share these names.
const BY_REASON: [(&str, u8); 2] = [("cancelled", INTERRUPTED), ("failed", 1)];

/// The code for a run that ended for this reason, or has not ended.
pub(crate) fn of(reason: Option<&str>) -> u8 {
    let code = BY_REASON.iter().find(|(named, _)| Some(*named) == reason);
    code.map_or(0, |(_, code)| *code)
}
