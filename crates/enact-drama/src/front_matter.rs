//! Front matter: the YAML between two `---` lines at the top of a markdown file.
