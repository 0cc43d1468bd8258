use proptest::prelude::*;

use super::*;

/// Ids that mean harm, and others.
pub(in crate::chorus) fn ids() -> impl Strategy<Value = AgentId> {
    let id = r"([a-zA-Z0-9]|[-_.:/\\~%$ ]|\.\./|\PC|CON|nul){1,20}";
    id.prop_filter_map("not an id", |id| AgentId::new(crate::text::one_line(&id)).ok())
}

#[test]
fn slugs_are_parts_of_file_names() {
    for (id, slug) in [
        ("gpt-5.2", "gpt-5.2"),
        ("org/model:free", "org_model_free"),
        ("../../etc/passwd", "_._.__etc_passwd"),
        ("a..b...c", "a._b._.c"),
        (".hidden", "_hidden"),
        ("trailing.", "trailing_"),
        ("..", "__"),
        ("gpt 4ö", "gpt_4_"),
        ("a\\b", "a_b"),
        ("語", "_"),
        ("NUL", "_NUL"),
        ("com1.wav", "_com1.wav"),
        ("com10", "com10"),
        ("console", "console"),
    ] {
        assert_eq!(AgentId::new(id).unwrap().slug(), slug, "{id}");
    }
}

#[test]
fn ids_are_any_line() {
    for good in ["x", "gpt-5.2", "../..", "a b", "日本語", &"x".repeat(128), &"本".repeat(128)] {
        assert!(AgentId::new(good).is_ok(), "{good:?}");
    }
    for bad in ["", " a", "a\nb", "a\0", "a\u{202e}b", &"x".repeat(129)] {
        assert!(AgentId::new(bad).is_err(), "{bad:?}");
    }
}

proptest! {
    #[test]
    fn no_id_leaves_its_folder(id in ids()) {
        let slug = id.slug();
        prop_assert!(!slug.is_empty() && slug.len() <= LONGEST_SLUG + 1);
        prop_assert!(!slug.contains("..") && !slug.starts_with('.') && !slug.ends_with('.'));
        prop_assert!(slug.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_')));
    }
}
