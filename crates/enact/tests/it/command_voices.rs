//! Programs that speak, as the page on voices configures them, through the real binary.
#![cfg(unix)]

use std::{env, fs, os::unix::fs::PermissionsExt, path::Path};

use hound::{SampleFormat, WavSpec, WavWriter};

use crate::project::Project;

/// Stands in for a program of this name: keeps what it was told and says something.
fn install(project: &Project, name: &str) {
    let spec =
        WavSpec { channels: 1, sample_rate: 16_000, bits_per_sample: 16, sample_format: SampleFormat::Int };
    let mut hum = WavWriter::create(project.path().join("hum.wav"), spec).unwrap();
    for sample in 0..16_000 {
        hum.write_sample(((f64::from(sample) / 20.0).sin() * 9_000.0) as i16).unwrap();
    }
    hum.finalize().unwrap();
    let script =
        "#!/bin/sh\ncd \"$(dirname \"$0\")/..\"\nprintf '%s\\n' \"$@\" > argv\ncat > stdin\ncat hum.wav\n";
    let program = project.write(&format!("bin/{name}"), script);
    fs::set_permissions(program, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The tables of an `enact.toml` that a page shows.
fn shown(page: &str, table: &str) -> String {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(page);
    let page = fs::read_to_string(page).unwrap();
    let start = page.find(table).unwrap_or_else(|| panic!("no {table}"));
    page[start..].split("\n```").next().unwrap().split("\n\n").next().unwrap().to_owned()
}

#[test]
fn the_program_of_the_page_on_voices_is_told_what_to_say() {
    let project = Project::empty();
    install(&project, "espeak-ng");
    project.write("enact.toml", shown("voices.md", "[voices.robot]"));
    let path = format!("{}:{}", project.path().join("bin").display(), env::var("PATH").unwrap());
    let args = ["chorus", "Hello?", "--slots", "1", "--voice", "robot", "--config", "enact.toml", "--json"];
    let output = project.command(&args).env("PATH", path).output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{told}{}", String::from_utf8_lossy(&output.stderr));
    // A word behind the options would be what espeak-ng speaks, instead of its standard input.
    assert_eq!(project.read("argv"), "--stdout\n-v\nen\n");
    let text = project.read("stdin");
    let manifest = project.files().into_iter().find(|file| file.ends_with("session.json")).unwrap();
    let listed: serde_json::Value = serde_json::from_str(&project.read(&manifest)).unwrap();
    let entry = &listed["turns"]["turn_1"][0];
    assert_eq!(text.trim_end(), entry["text"].as_str().unwrap());
    assert_eq!(entry["spokenBy"], "robot (command, espeak-ng)", "{listed}");
}
