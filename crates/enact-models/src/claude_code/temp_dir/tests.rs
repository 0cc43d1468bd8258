use super::*;

#[test]
fn a_directory_holds_the_system_prompt_and_is_gone_afterwards() {
    let dir = CallDir::create("You are Alice.").unwrap();
    assert_eq!(fs::read_to_string(dir.system()).unwrap(), "You are Alice.");
    assert_eq!(fs::read_dir(dir.empty()).unwrap().count(), 0);
    fs::write(dir.empty().join("left behind"), "").unwrap();
    let path = dir.0.path().to_owned();
    drop(dir);
    assert!(!path.exists());
}

#[cfg(unix)]
#[test]
fn no_other_user_can_look_into_it() {
    use std::os::unix::fs::PermissionsExt;
    let dir = CallDir::create("").unwrap();
    assert_eq!(dir.0.path().metadata().unwrap().permissions().mode() & 0o777, 0o700);
}

#[test]
fn calls_at_once_have_different_directories() {
    let (one, other) = (CallDir::create("").unwrap(), CallDir::create("").unwrap());
    assert_ne!(one.0.path(), other.0.path());
}
