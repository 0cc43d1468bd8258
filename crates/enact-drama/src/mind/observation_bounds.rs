//! How much of an observation is kept, whichever way it came: a log keeps every one, and a prompt holds it all.

use std::{collections::BTreeMap, mem::take};

use serde::Serialize;

use super::observation::{CurrentInteraction, MindNews, MindObservation, OfferedOption, SeenEntity};
use crate::text::shortened;

const MOST_VISIBLE: usize = 40;
const MOST_OFFERS: usize = 16;
const MOST_EVENTS: usize = 40;
const MOST_NEEDS: usize = 32;
const MOST_OPTIONS: usize = 20;
const MOST_MESSAGES: usize = 20;
const MOST_PARTICIPANTS: usize = 32;
const MOST_PROSE: usize = 40;
const LONGEST_NAME_CHARS: usize = 200;
const LONGEST_TEXT_CHARS: usize = 1_000;
/// What an option's first step takes is echoed as it was sent, so it is not cut: such an option is left out.
const LARGEST_PARAMETERS_BYTES: usize = 2_000;
/// Of everything together. A room that is told of in full has a tenth of it.
const LARGEST_BYTES: usize = 48 * 1024;

impl MindObservation {
    /// The same within its bounds. Of what happened and was said the newest is kept.
    pub fn bounded(mut self) -> MindObservation {
        for name in [&mut self.entity_id, &mut self.mood, &mut self.goal].into_iter().flatten() {
            shorten(name, LONGEST_NAME_CHARS);
        }
        self.needs = bound_names(self.needs, MOST_NEEDS);
        self.needs.values_mut().for_each(|value| *value = (*value).clamp(0, 100));
        if let Some(current) = &mut self.current {
            bound_current(current);
        }
        self.visible.truncate(MOST_VISIBLE);
        self.visible.iter_mut().for_each(bound_entity);
        self.options.retain(is_echoable);
        self.options.truncate(MOST_OPTIONS);
        for option in &mut self.options {
            shorten(&mut option.action, LONGEST_NAME_CHARS);
            shorten(&mut option.description, LONGEST_TEXT_CHARS);
        }
        keep_newest(&mut self.events, MOST_EVENTS);
        self.events.iter_mut().for_each(bound_news);
        bound_list(&mut self.prose, MOST_PROSE, LONGEST_TEXT_CHARS);
        while bytes_of(&self) > LARGEST_BYTES {
            self.halve();
        }
        self
    }

    /// Leaves out half of what there is most of.
    fn halve(&mut self) {
        let sizes = [
            bytes_of(&self.prose),
            bytes_of(&self.options),
            bytes_of(&self.visible),
            bytes_of(&self.events),
            bytes_of(&(&self.needs, &self.current)),
        ];
        let largest = sizes.iter().max().copied().unwrap_or_default();
        if largest == sizes[0] {
            self.prose.truncate(self.prose.len() / 2);
        } else if largest == sizes[1] {
            self.options.truncate(self.options.len() / 2);
        } else if largest == sizes[2] {
            self.visible.truncate(self.visible.len() / 2);
        } else if largest == sizes[3] {
            let half = self.events.len() / 2;
            keep_newest(&mut self.events, half);
        } else {
            // Hundreds of names of needs, each as long as it may be: they mean nothing.
            self.needs.clear();
            self.current = None;
        }
    }
}

fn bound_current(current: &mut CurrentInteraction) {
    shorten(&mut current.name, LONGEST_NAME_CHARS);
    bound_list(&mut current.fills, MOST_NEEDS, LONGEST_NAME_CHARS);
    if let Some(takes) = &mut current.takes {
        *takes = bound_names(take(takes), MOST_OFFERS);
        takes.values_mut().for_each(|kind| shorten(kind, LONGEST_NAME_CHARS));
    }
}

fn bound_entity(entity: &mut SeenEntity) {
    let names = [&mut entity.id, &mut entity.name].into_iter().chain(&mut entity.busy_with);
    names.for_each(|name| shorten(name, LONGEST_NAME_CHARS));
    entity.offers.truncate(MOST_OFFERS);
    for offer in &mut entity.offers {
        shorten(&mut offer.name, LONGEST_NAME_CHARS);
        shorten(&mut offer.description, LONGEST_TEXT_CHARS);
        bound_list(&mut offer.fills, MOST_NEEDS, LONGEST_NAME_CHARS);
        bound_list(&mut offer.drains, MOST_NEEDS, LONGEST_NAME_CHARS);
    }
}

fn is_echoable(option: &OfferedOption) -> bool {
    option.id.len() <= LONGEST_NAME_CHARS && bytes_of(&option.parameters) <= LARGEST_PARAMETERS_BYTES
}

fn bound_news(news: &mut MindNews) {
    let names: Vec<&mut String> = match news {
        MindNews::BidPending { interaction } => vec![interaction],
        MindNews::BidReceived { bid_id, bidder_id, bidder, interaction } => {
            vec![bid_id, bidder_id, bidder, interaction]
        }
        MindNews::BidRejected { interaction, reason } => {
            shorten(reason, LONGEST_TEXT_CHARS);
            vec![interaction]
        }
        MindNews::BidCanceled { bid_id } => vec![bid_id],
        MindNews::Started { interaction, id }
        | MindNews::Canceled { interaction, id }
        | MindNews::Finished { interaction, id } => vec![interaction, id],
        MindNews::Talk { id, interaction, participants, messages } => {
            bound_list(participants, MOST_PARTICIPANTS, LONGEST_NAME_CHARS);
            keep_newest(messages, MOST_MESSAGES);
            for message in messages {
                shorten(&mut message.speaker_id, LONGEST_NAME_CHARS);
                shorten(&mut message.speaker, LONGEST_NAME_CHARS);
                shorten(&mut message.text, LONGEST_TEXT_CHARS);
            }
            vec![id, interaction]
        }
        MindNews::Moved { status } => vec![status],
        MindNews::Error { message } => {
            shorten(message, LONGEST_TEXT_CHARS);
            Vec::new()
        }
        MindNews::Other { kind } => vec![kind],
    };
    names.into_iter().for_each(|name| shorten(name, LONGEST_NAME_CHARS));
}

fn shorten(text: &mut String, most_chars: usize) {
    // Most are short, and then they are not counted.
    if text.len() > most_chars {
        *text = shortened(text, most_chars).into_owned();
    }
}

fn bound_list(texts: &mut Vec<String>, most: usize, most_chars: usize) {
    texts.truncate(most);
    texts.iter_mut().for_each(|text| shorten(text, most_chars));
}

/// The first entries, each with a name of the usual length.
pub(super) fn bound_names<T>(entries: BTreeMap<String, T>, most: usize) -> BTreeMap<String, T> {
    let bounded = entries.into_iter().take(most).map(|(mut name, value)| {
        shorten(&mut name, LONGEST_NAME_CHARS);
        (name, value)
    });
    bounded.collect()
}

fn keep_newest<T>(list: &mut Vec<T>, most: usize) {
    let too_many = list.len().saturating_sub(most);
    list.drain(..too_many);
}

fn bytes_of(value: &impl Serialize) -> usize {
    serde_json::to_vec(value).map_or(usize::MAX, |written| written.len())
}
