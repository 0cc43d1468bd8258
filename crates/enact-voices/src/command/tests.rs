use enact_drama::voice::VoiceProfile;

use super::*;

fn command(args: &[&str]) -> CommandVoice {
    let args = args.iter().map(|&arg| arg.to_owned()).collect();
    CommandVoice { program: "/bin/true".into(), name: "true".to_owned(), args, private: vec![] }
}

#[test]
fn profiles_are_arguments() {
    let line =
        SpeechText { text: "Hello".into(), meant: None, profile: VoiceProfile::CalmSoothing, variant: 2 };
    for (args, expected) in [
        (&[][..], &[][..]),
        (&["-v", "x"], &["-v", "x"]),
        (&["--voice={profile}-{variant}", "-"], &["--voice=calm_soothing-2", "-"]),
        (&["--variant", "{variant}"], &["--variant", "2"]),
    ] {
        assert_eq!(command(args).arguments(&line), expected, "{args:?}");
    }
}

#[test]
fn programs_that_are_not_there_are_a_problem_at_once() {
    for (program, expected) in [
        ("", "the voice 'tin' has no program to run"),
        ("no-such-program", "the program of the voice 'tin' is not there: no-such-program"),
        ("./no/such/program", "the program of the voice 'tin' is not there: ./no/such/program"),
    ] {
        let settings = CommandSettings { program: program.into(), ..CommandSettings::default() };
        assert_eq!(CommandVoice::find("tin", settings).unwrap_err().message, expected);
    }
}
