//! The prices themselves, in nano-USD per token: 3_000 is $3 per million tokens.
//!
//! Sources, as they stood on [`DATE`](super::DATE): `platform.claude.com/docs/en/about-claude/pricing`,
//! `developers.openai.com/api/docs/pricing`, `ai.google.dev/gemini-api/docs/pricing`; for some older models
//! of OpenAI and Google, listings that quote them. Models that can no longer be called stay, so that runs
//! recorded with them can still be compared. What is in none of these has no row.

use enact_drama::usage::Price;

use crate::PromptCache;

/// What one model's tokens cost.
pub(super) struct PriceRow {
    pub(super) model: &'static str,
    input: u64,
    cache_read: u64,
    cache_write: u64,
    /// Writing to a cache that is kept for an hour.
    hour_write: u64,
    output: u64,
}

impl PriceRow {
    pub(super) fn price(&self, cache: PromptCache) -> Price {
        let cache_write = match cache {
            PromptCache::Off | PromptCache::FiveMinutes => self.cache_write,
            PromptCache::OneHour => self.hour_write,
        };
        Price { uncached: self.input, cache_read: self.cache_read, cache_write, output: self.output }
    }
}

#[rustfmt::skip]
pub(super) const ANTHROPIC: &[PriceRow] = &[
    //                        input     read  write 5m  write 1h  output
    claude("claude-opus-5-5",   4_000,    200,   5_000,    8_000,  20_000),
    claude("claude-opus-5",     5_000,    500,   6_250,   10_000,  25_000),
    claude("claude-opus-4-8",   5_000,    500,   6_250,   10_000,  25_000),
    claude("claude-opus-4-7",   5_000,    500,   6_250,   10_000,  25_000),
    claude("claude-opus-4-6",   5_000,    500,   6_250,   10_000,  25_000),
    claude("claude-opus-4-5",   5_000,    500,   6_250,   10_000,  25_000),
    claude("claude-opus-4-1",  15_000,  1_500,  18_750,   30_000,  75_000),
    claude("claude-opus-4-0",  15_000,  1_500,  18_750,   30_000,  75_000),
    claude("claude-opus-4",    15_000,  1_500,  18_750,   30_000,  75_000),
    claude("claude-3-opus",    15_000,  1_500,  18_750,   30_000,  75_000),
    claude("claude-sonnet-5-5", 2_000,    100,   2_500,    4_000,  10_000),
    claude("claude-sonnet-5",   2_000,    200,   2_500,    4_000,  10_000),
    claude("claude-sonnet-4-6", 3_000,    300,   3_750,    6_000,  15_000),
    claude("claude-sonnet-4-5", 3_000,    300,   3_750,    6_000,  15_000),
    claude("claude-sonnet-4-0", 3_000,    300,   3_750,    6_000,  15_000),
    claude("claude-sonnet-4",   3_000,    300,   3_750,    6_000,  15_000),
    claude("claude-3-7-sonnet", 3_000,    300,   3_750,    6_000,  15_000),
    claude("claude-3-5-sonnet", 3_000,    300,   3_750,    6_000,  15_000),
    claude("claude-haiku-5-5",    100,     10,     125,      200,     500),
    claude("claude-haiku-4-5",  1_000,    100,   1_250,    2_000,   5_000),
    claude("claude-3-5-haiku",    800,     80,   1_000,    1_600,   4_000),
    claude("claude-3-haiku",      250,     30,     300,      500,   1_250),
];

#[rustfmt::skip]
pub(super) const OPENAI: &[PriceRow] = &[
    //                              input   cached    write   output
    gpt_writing("gpt-6.1-sol",      2_000,     100,   2_500,  10_000),
    gpt_writing("gpt-6-astra",     10_000,   1_000,  12_500,  50_000),
    gpt_writing("gpt-6-sol",        2_000,     200,   2_500,  10_000),
    gpt_writing("gpt-6-luna",         100,      10,     125,     500),
    gpt_writing("gpt-5.6-luna",       200,      20,     250,   1_200),
    plain("gpt-5.5",                5_000,     500,           30_000),
    plain("gpt-5.4",                2_500,     250,           15_000),
    plain("gpt-5.4-mini",             750,      75,            4_500),
    plain("gpt-5.4-nano",             200,      20,            1_250),
    plain("gpt-5.2",                1_750,     175,           14_000),
    plain("gpt-5.1",                1_250,     125,           10_000),
    plain("gpt-5",                  1_250,     125,           10_000),
    plain("gpt-5-mini",               250,      25,            2_000),
    plain("gpt-5-nano",                50,       5,              400),
    plain("gpt-4.1",                2_000,     500,            8_000),
    plain("gpt-4.1-mini",             400,     100,            1_600),
    plain("gpt-4.1-nano",             100,      25,              400),
    // The first of the family cost twice as much and knew no cache.
    plain("gpt-4o-2024-05-13",      5_000,   5_000,           15_000),
    plain("gpt-4o",                 2_500,   1_250,           10_000),
    plain("gpt-4o-mini",              150,      75,              600),
    plain("o4-mini",                1_100,     275,            4_400),
    plain("o3",                     2_000,     500,            8_000),
    plain("o3-mini",                1_100,     550,            4_400),
    plain("o1",                    15_000,   7_500,           60_000),
];

#[rustfmt::skip]
pub(super) const GEMINI: &[PriceRow] = &[
    //                              input   cached            output
    plain("gemini-3-pro-preview",   2_000,     200,           12_000),
    plain("gemini-3-flash-preview",   500,      50,            3_000),
    plain("gemini-2.5-pro",         1_250,     125,           10_000),
    plain("gemini-2.5-flash",         300,      30,            2_500),
    plain("gemini-2.5-flash-lite",    100,      10,              400),
    plain("gemini-2.0-flash",         100,      25,              400),
    // Knows no cache.
    plain("gemini-2.0-flash-lite",     75,      75,              300),
];

const fn claude(
    model: &'static str,
    input: u64,
    cache_read: u64,
    cache_write: u64,
    hour_write: u64,
    output: u64,
) -> PriceRow {
    PriceRow { model, input, cache_read, cache_write, hour_write, output }
}

/// A model whose cache costs something to fill, for however long it is kept.
const fn gpt_writing(model: &'static str, input: u64, cached: u64, write: u64, output: u64) -> PriceRow {
    PriceRow { model, input, cache_read: cached, cache_write: write, hour_write: write, output }
}

/// A model whose cache fills itself: what is written to it costs what any input does.
const fn plain(model: &'static str, input: u64, cached: u64, output: u64) -> PriceRow {
    gpt_writing(model, input, cached, input, output)
}
