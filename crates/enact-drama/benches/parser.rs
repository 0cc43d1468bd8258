//! How fast replies are read: ordinary ones, messy ones, and hostile megabytes.
#![allow(missing_debug_implementations, reason = "criterion's macros define a function only")]

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use enact_drama::reply::parse;

const MEGABYTE: usize = 1 << 20;

const ORDINARY: [&str; 8] = [
    r#"[TO: Bob, TONE: frustrated] "I can't believe you would miss such an important deadline!""#,
    r#"[TONE: nervous] "Maybe we should all take a moment to calm down.""#,
    r#"[TO: Alice, TONE: apologetic, *looks down at hands*] "You're right. I messed up.""#,
    r#"[INTERRUPT after "I want to", TONE: angry] "No! You don't get to make excuses!""#,
    "[SILENT, *shifts uncomfortably in chair*]",
    "[REACT, TONE: shocked, *drops coffee mug*]",
    r#"[TO: Alice, TONE: remorseful, *makes eye contact*] "I underestimated the complexity. I should have asked for help earlier. I'm genuinely sorry, and I know that sorry does not bring the client back.""#,
    r#"[TO: Alice, TONE: earnest] "Agreed. I'll set up weekly check-ins with you and document all project timelines. No more surprises: if something slips, you will hear it from me, on the same day, and not from the client.""#,
];

const MESSY: [&str; 6] = [
    "Sure! Here's Alice's reply:\n\n```\n[TONE: sad] \"I am sorry.\"\n```",
    "**Alice:** *sighs* “I don’t know what you want me to say,” she said. “Really.”",
    "[TO: Bob, TONE: angry \"Why would you do that?\"",
    "[TONE: sad] \"One.\"\n\nBob: \"Two.\"\n[TONE: calm] \"Three.\"",
    "I am so worried about this, Bob, and nobody seems to care.",
    "【TO：田中、TONE：怒り】「もういい！」",
];

const HOSTILE: [&str; 12] =
    ["[", "]", "\"[", "[\"", "*", "\n*", "\n[", "[TONE:", "[TONE: x] \"", "[AFTER “", "\nBob: \"", "\u{1b}]"];

fn replies(c: &mut Criterion) {
    let mut group = c.benchmark_group("replies");
    for (name, raws) in [("ordinary", &ORDINARY[..]), ("messy", &MESSY[..])] {
        group.throughput(Throughput::Bytes(raws.iter().map(|raw| raw.len() as u64).sum()));
        group.bench_function(name, |b| {
            b.iter(|| {
                for raw in raws {
                    black_box(parse(black_box(raw)));
                }
            });
        });
    }
    group.finish();
}

fn hostile(c: &mut Criterion) {
    let mut group = c.benchmark_group("hostile megabyte");
    group.sample_size(10);
    for piece in HOSTILE {
        let raw = piece.repeat(MEGABYTE / piece.len());
        group.throughput(Throughput::Bytes(raw.len() as u64));
        group.bench_function(piece.escape_debug().to_string(), |b| {
            b.iter(|| black_box(parse(black_box(&raw))))
        });
    }
    group.finish();
}

criterion_group!(benches, replies, hostile);
criterion_main!(benches);
