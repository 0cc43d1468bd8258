use super::*;

/// Every text that a built-in template ever had, by its fingerprint: runs that began with it name it.
const KNOWN: &str = include_str!("known.txt");

#[test]
fn no_text_that_a_run_may_have_begun_with_is_forgotten() {
    for line in KNOWN.lines() {
        let (file, fingerprint) = line.split_once(' ').unwrap();
        let template = SceneTemplate::ALL.into_iter().find(|template| template.file() == file).unwrap();
        let text = template.as_of(Some(&fingerprint.to_owned()));
        assert_eq!(
            fingerprint_of(text),
            fingerprint,
            "{file} has changed: put it as it was into templates/earlier, and into SceneTemplate::earlier"
        );
    }
    for template in SceneTemplate::ALL {
        for text in template.earlier().iter().copied().chain([template.built_in()]) {
            let line = format!("{} {}", template.file(), fingerprint_of(text));
            assert!(KNOWN.lines().any(|known| known == line), "add to templates/known.txt: {line}");
        }
    }
}
