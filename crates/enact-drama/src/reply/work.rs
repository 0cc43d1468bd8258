//! Counts how many bytes were looked at, in tests only, so that linear time is tested without a clock.

#[cfg(test)]
thread_local! {
    static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Says that a scan went over this many bytes. Costs nothing outside tests.
#[inline(always)]
pub(super) fn looked_at(_bytes: usize) {
    #[cfg(test)]
    LOOKED_AT.with(|count| count.set(count.get() + _bytes));
}

/// How many bytes were looked at while `f` ran.
#[cfg(test)]
pub(super) fn count(f: impl FnOnce()) -> usize {
    LOOKED_AT.with(|count| count.set(0));
    f();
    LOOKED_AT.with(std::cell::Cell::get)
}
