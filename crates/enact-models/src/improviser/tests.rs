mod theatre;

use theatre::{bare_sheets, config, play};

#[test]
fn look() {
    let prompt = "Bob missed an important project deadline, causing the team to lose a client. Alice, his manager, confronts him. Charlie is present as a team lead. Scene goal: Bob gives sincere apology, Alice accepts, they agree on accountability measures.";
    for seed in 0..6 {
        let config = config(prompt, &["alice", "bob", "charlie"], Some("alice"));
        let sheets = bare_sheets(&config);
        println!("=== {seed}\n{}", play(config, sheets, seed).read());
    }
}
