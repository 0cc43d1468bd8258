//! Choruses performed for real: answers, speech and its files, conversations, nodes that come and go.

mod conversations;
mod crowd;
mod dying;
mod found;
mod node;
mod stage;
