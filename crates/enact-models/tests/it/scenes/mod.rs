//! Whole scenes over real HTTP, against a server that behaves and misbehaves like the real ones.

mod budgets;
mod caching;
mod counsel;
mod fallbacks;
mod faults;
mod office;
mod parallel;
