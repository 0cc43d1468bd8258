//! Redacts what callers must not see in messages: paths of files, and addresses of models.

/// What replaces an address.
const ADDRESS: &str = "its address";

/// A text without absolute paths, of which the last part is left, and without addresses.
///
/// Messages are written for the operator, who needs both; callers get this.
pub(crate) fn redact_paths_and_urls(text: &str) -> String {
    let mut told = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(ends_word).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        told.push_str(shown(word));
        let separator = after.chars().next().map_or(0, char::len_utf8);
        told.push_str(&after[..separator]);
        rest = &after[separator..];
    }
    told
}

fn ends_word(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\'' | '"' | '`' | '(' | ')' | '<' | '>' | ',' | ';' | '=')
}

fn shown(word: &str) -> &str {
    let is_windows_path = word.get(1..3).is_some_and(|drive| drive == ":\\" || drive == ":/");
    if word.contains("://") {
        ADDRESS
    } else if word.starts_with('/') || word.starts_with("\\\\") || is_windows_path {
        word.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next().unwrap_or_default()
    } else {
        word
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn files_keep_their_names_and_addresses_nothing() {
        for (text, told) in [
            ("the key was refused", "the key was refused"),
            ("/home/op/enact.toml:3:1: unknown key 'x'", "enact.toml:3:1: unknown key 'x'"),
            ("name it: --config /srv/enact.toml; or not", "name it: --config enact.toml; or not"),
            ("there is no command '/opt/claude/claude' (/tmp/)", "there is no command 'claude' (tmp)"),
            ("--config=/srv/enact.toml", "--config=enact.toml"),
            (r"C:\Users\op\enact.toml is empty", "enact.toml is empty"),
            (r"\\server\share\enact.toml", "enact.toml"),
            ("cannot be reached at http://10.0.0.5:11434", "cannot be reached at its address"),
            ("sent to 'https://user:password@host/v1'?", "sent to 'its address'?"),
            ("write 'anthropic:MODEL' in .claude/agents", "write 'anthropic:MODEL' in .claude/agents"),
            ("ﬁles/é", "ﬁles/é"),
        ] {
            assert_eq!(redact_paths_and_urls(text), told);
        }
    }

    proptest! {
        #[test]
        fn whatever_is_said_no_path_is_left(before in "[a-zé: ']{0,8}", path in "(/[a-zé.]{1,8}){2,5}", after in ".*") {
            prop_assume!(!after.contains(&path));
            let told = redact_paths_and_urls(&format!("{before} {path} {after}"));
            prop_assert!(!told.contains(&path), "{}", told);
        }

        #[test]
        fn what_holds_none_stays_as_it_is(text in "[a-zA-Zé '.,;()`-]*") {
            prop_assert_eq!(redact_paths_and_urls(&text), text);
        }
    }
}
