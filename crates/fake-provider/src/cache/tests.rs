//! Scripts of requests, one a line, and what each is billed.
//!
//! `m: S1200* U100` sends model `m` a system block of 1200 tokens with a breakpoint and a message of 100. `*`
//! is a breakpoint of five minutes, `!` one of an hour; `U100b` has other words than `U100`. With `?` instead
//! of `:` the answer begins only at a line `begin`, in which all that wait begin. `+6m` lets six minutes
//! pass.

use std::{
    borrow::Cow,
    fmt::Write,
    time::{Duration, Instant},
};

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::prompt::PromptRole;

fn check(api: Api, script: &str, expected: Expect) {
    let mut cache = PrefixCache::new(DEFAULT_MINIMUM_TOKENS);
    let mut now = Instant::now();
    let mut waiting = Vec::new();
    let mut bills = String::new();
    for line in script.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some(minutes) = line.strip_prefix('+') {
            let minutes: u64 = minutes.trim_end_matches('m').parse().expect("minutes");
            now += Duration::from_secs(60 * minutes);
        } else if line == "begin" {
            for account in waiting.drain(..) {
                cache.publish(&account, now);
            }
        } else {
            let at = line.find([':', '?']).expect("a model");
            let prompt = prompt(&line[at + 1..]);
            let account = cache.look_up(api, &line[..at], &prompt, now);
            let BilledUsage { uncached, cache_read, cache_write, cache_write_1h, .. } = account.usage;
            let _ = write!(bills, "{line:30} -> read {cache_read}, written {cache_write}");
            if cache_write_1h > 0 {
                let _ = write!(bills, " + {cache_write_1h} for an hour");
            }
            let _ = writeln!(bills, ", uncached {uncached}");
            if line[at..].starts_with(':') {
                cache.publish(&account, now);
            } else {
                waiting.push(account);
            }
        }
    }
    expected.assert_eq(&bills);
}

fn prompt(blocks: &str) -> Prompt<'static> {
    let block = |word: &str| {
        let (role, rest) = word.split_at(1);
        let role = match role {
            "S" => PromptRole::System,
            "A" => PromptRole::Assistant,
            _ => PromptRole::User,
        };
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let tokens: usize = rest[..digits].parse().expect("tokens");
        let name = rest[digits..].trim_end_matches(['*', '!']);
        let text = if name.is_empty() { "x" } else { name }.repeat(tokens * BYTES_PER_TOKEN);
        let breakpoint = match word.as_bytes().last() {
            Some(b'*') => Some(Ttl::FiveMinutes),
            Some(b'!') => Some(Ttl::OneHour),
            _ => None,
        };
        PromptBlock { role, text: Cow::Owned(text), breakpoint }
    };
    Prompt { blocks: blocks.split_whitespace().map(block).collect(), ..Prompt::default() }
}

#[test]
fn without_a_breakpoint_nothing_is_cached() {
    check(
        Api::Anthropic,
        "m: S2000 U100\nm: S2000 U100",
        expect![[r#"
        m: S2000 U100                  -> read 0, written 0, uncached 2100
        m: S2000 U100                  -> read 0, written 0, uncached 2100
    "#]],
    );
}

#[test]
fn written_then_read() {
    check(
        Api::Anthropic,
        "m: S2000* U100\nm: S2000* U100\nm: S2000* U300b",
        expect![[r#"
        m: S2000* U100                 -> read 0, written 2000, uncached 100
        m: S2000* U100                 -> read 2000, written 0, uncached 100
        m: S2000* U300b                -> read 2000, written 0, uncached 300
    "#]],
    );
}

#[test]
fn a_thread_that_grows_pays_for_what_is_new() {
    check(
        Api::Anthropic,
        "m: S1500* U100*
         m: S1500* U100 A50 U100b*
         m: S1500* U100 A50 U100b A50 U100c*",
        expect![[r#"
            m: S1500* U100*                -> read 0, written 1600, uncached 0
            m: S1500* U100 A50 U100b*      -> read 1600, written 150, uncached 0
            m: S1500* U100 A50 U100b A50 U100c* -> read 1750, written 150, uncached 0
        "#]],
    );
}

#[test]
fn a_rewritten_message_is_read_up_to_the_breakpoint_before_it() {
    check(
        Api::Anthropic,
        "m: S1500* U100*
         m: S1500* U100z A50 U100b*",
        expect![[r#"
            m: S1500* U100*                -> read 0, written 1600, uncached 0
            m: S1500* U100z A50 U100b*     -> read 1500, written 250, uncached 0
        "#]],
    );
}

#[test]
fn short_prefixes_are_not_cached() {
    check(
        Api::Anthropic,
        "m: S1023* U1
         m: S1023* U1
         m: S1024* U1
         m: S1024* U1
         m: S500* U500* U500*
         m: S500* U500* U500*
         m: S500* U500*",
        expect![[r#"
            m: S1023* U1                   -> read 0, written 0, uncached 1024
            m: S1023* U1                   -> read 0, written 0, uncached 1024
            m: S1024* U1                   -> read 0, written 1024, uncached 1
            m: S1024* U1                   -> read 1024, written 0, uncached 1
            m: S500* U500* U500*           -> read 0, written 1500, uncached 0
            m: S500* U500* U500*           -> read 1500, written 0, uncached 0
            m: S500* U500*                 -> read 0, written 0, uncached 1000
        "#]],
    );
}

#[test]
fn models_do_not_share() {
    check(
        Api::Anthropic,
        "m: S2000*\nn: S2000*\nm: S2000*",
        expect![[r#"
        m: S2000*                      -> read 0, written 2000, uncached 0
        n: S2000*                      -> read 0, written 2000, uncached 0
        m: S2000*                      -> read 2000, written 0, uncached 0
    "#]],
    );
}

#[test]
fn readable_only_once_the_first_answer_has_begun() {
    check(
        Api::Anthropic,
        "m? S2000*\nm? S2000*\nbegin\nm: S2000*",
        expect![[r#"
        m? S2000*                      -> read 0, written 2000, uncached 0
        m? S2000*                      -> read 0, written 2000, uncached 0
        m: S2000*                      -> read 2000, written 0, uncached 0
    "#]],
    );
}

#[test]
fn entries_live_five_minutes_after_their_last_use() {
    check(
        Api::Anthropic,
        "m: S2000*
         +4m
         m: S2000*
         +4m
         m: S2000*
         +5m
         m: S2000*",
        expect![[r#"
            m: S2000*                      -> read 0, written 2000, uncached 0
            m: S2000*                      -> read 2000, written 0, uncached 0
            m: S2000*                      -> read 2000, written 0, uncached 0
            m: S2000*                      -> read 0, written 2000, uncached 0
        "#]],
    );
}

#[test]
fn an_hour_costs_more_and_lasts_longer() {
    check(
        Api::Anthropic,
        "m: S2000! U500* U100
         +6m
         m: S2000! U500* U100
         +59m
         m: S2000! U500* U100
         +60m
         m: S2000! U500* U100",
        expect![[r#"
            m: S2000! U500* U100           -> read 0, written 500 + 2000 for an hour, uncached 100
            m: S2000! U500* U100           -> read 2000, written 500, uncached 100
            m: S2000! U500* U100           -> read 2000, written 500, uncached 100
            m: S2000! U500* U100           -> read 0, written 500 + 2000 for an hour, uncached 100
        "#]],
    );
}

#[test]
fn a_breakpoint_looks_back_twenty_blocks_and_no_further() {
    let blocks = |count: usize| "U10 ".repeat(count);
    // A breakpoint's own block is the first of its twenty places, so eighteen may lie between two that meet.
    let script = format!("m: S2000*\nm: S2000 {}U10*\nn: S2000*\nn: S2000 {}U10*", blocks(18), blocks(19));
    check(
        Api::Anthropic,
        &script,
        expect![[r#"
        m: S2000*                      -> read 0, written 2000, uncached 0
        m: S2000 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10* -> read 2000, written 190, uncached 0
        n: S2000*                      -> read 0, written 2000, uncached 0
        n: S2000 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10 U10* -> read 0, written 2200, uncached 0
    "#]],
    );
}

#[test]
fn the_role_is_part_of_the_prefix() {
    check(
        Api::Anthropic,
        "m: U2000*\nm: S2000*",
        expect![[r#"
        m: U2000*                      -> read 0, written 2000, uncached 0
        m: S2000*                      -> read 0, written 2000, uncached 0
    "#]],
    );
}

#[test]
fn where_blocks_end_is_part_of_the_prefix() {
    check(
        Api::Anthropic,
        "m: U2000*\nm: U1000 U1000*",
        expect![[r#"
        m: U2000*                      -> read 0, written 2000, uncached 0
        m: U1000 U1000*                -> read 0, written 2000, uncached 0
    "#]],
    );
}

#[test]
fn automatic_caches_grow_in_steps() {
    check(
        Api::OpenAi,
        "m: S1000 U23
         m: S1000 U23
         m: S1000 U24
         m: S1000 U24
         m: S1000 U400
         m: S1000 U400
         m: S1000 U400 A90 U100b
         n: S1000 U400",
        expect![[r#"
            m: S1000 U23                   -> read 0, written 0, uncached 1023
            m: S1000 U23                   -> read 0, written 0, uncached 1023
            m: S1000 U24                   -> read 0, written 0, uncached 1024
            m: S1000 U24                   -> read 1024, written 0, uncached 0
            m: S1000 U400                  -> read 1024, written 0, uncached 376
            m: S1000 U400                  -> read 1280, written 0, uncached 120
            m: S1000 U400 A90 U100b        -> read 1280, written 0, uncached 310
            n: S1000 U400                  -> read 0, written 0, uncached 1400
        "#]],
    );
}

#[test]
fn automatic_caches_wait_and_expire_too() {
    check(
        Api::OpenAi,
        "m? S1024
         m? S1024
         begin
         m: S1024
         +4m
         m: S1024
         +5m
         m: S1024",
        expect![[r#"
            m? S1024                       -> read 0, written 0, uncached 1024
            m? S1024                       -> read 0, written 0, uncached 1024
            m: S1024                       -> read 1024, written 0, uncached 0
            m: S1024                       -> read 1024, written 0, uncached 0
            m: S1024                       -> read 0, written 0, uncached 1024
        "#]],
    );
}

proptest! {
    /// Whatever is asked, in whatever order: every token is billed once, and nothing is read that was never
    /// written.
    #[test]
    fn input_adds_up(
        requests in prop::collection::vec(prop::collection::vec((0_usize..3, 1_usize..900, any::<bool>()), 1..9), 1..9),
        automatic in any::<bool>(),
    ) {
        let api = if automatic { Api::Gemini } else { Api::Anthropic };
        let mut cache = PrefixCache::new(DEFAULT_MINIMUM_TOKENS);
        let now = Instant::now();
        let mut first = true;
        for request in requests {
            let words: Vec<String> = request
                .iter()
                .map(|&(role, tokens, breakpoint)| {
                    let mark = if breakpoint { "*" } else { "" };
                    format!("{}{tokens}{mark}", ["S", "U", "A"][role])
                })
                .collect();
            let prompt = prompt(&words.join(" "));
            let account = cache.look_up(api, "m", &prompt, now);
            prop_assert_eq!(account.usage.input(), tokens(prompt.bytes()));
            prop_assert!(!first || account.usage.cache_read == 0);
            cache.publish(&account, now);
            // Asked again at once, all that was written is read and nothing is written twice.
            let again = cache.look_up(api, "m", &prompt, now).usage;
            prop_assert_eq!(again.cache_write + again.cache_write_1h, 0);
            if api == Api::Anthropic {
                prop_assert_eq!(again.cache_read, account.usage.cache_read + account.usage.cache_write);
            }
            first = false;
        }
    }
}
