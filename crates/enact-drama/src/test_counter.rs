//! Counts, in tests only, how much was looked at, so that linear time is tested without a clock.

#[cfg(test)]
thread_local! {
    static LOOKED_AT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Says that so many bytes of a reply, or lines of a scene, were looked at. Costs nothing outside tests.
#[inline(always)]
pub(crate) fn looked_at(_count: usize) {
    #[cfg(test)]
    LOOKED_AT.with(|count| count.set(count.get() + _count));
}

/// How much was looked at while `f` ran.
#[cfg(test)]
pub(crate) fn count(f: impl FnOnce()) -> usize {
    LOOKED_AT.with(|count| count.set(0));
    f();
    LOOKED_AT.with(std::cell::Cell::get)
}
