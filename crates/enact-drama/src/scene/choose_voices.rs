//! Who sounds how in a scene: a voice for every character, and one for the narrator.

use std::collections::{BTreeMap, BTreeSet};

use crate::voice::{Timbre, VoiceProfile};
use crate::{Name, Problem, dice::Dice, did_you_mean, scene::SceneSetup, sheet::Sheet};

/// The highest variant an author may ask for. Ten of each profile are more than a cast has characters.
pub const LAST_VARIANT: u8 = 9;

/// How everyone in a scene sounds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Voices {
    cast: BTreeMap<Name, Timbre>,
    narrator: Timbre,
    /// What a person should know: a `voice:` that means nothing, and what was meant.
    pub notes: Vec<String>,
}

impl Voices {
    /// The voices of a run. They follow from its first fact, so that a run sounds the same whenever it is
    /// recorded.
    pub fn of(setup: &SceneSetup) -> Voices {
        let sheets = setup.cast.iter().map(|role| {
            // A sheet that was cast was readable then. Should this version think otherwise, it still has a
            // name.
            let voice = Sheet::read(role.name.as_str(), &role.sheet).ok().and_then(|sheet| sheet.voice);
            (role.name.clone(), voice)
        });
        Voices::cast(sheets)
    }

    /// Gives everyone a voice: what their sheet asks for, else one that their name stands for.
    ///
    /// A name stands for the same profile for ever, so that a character sounds alike from scene to scene,
    /// whatever the order of the cast. Only where two of a cast would share one, the later name takes the
    /// profile that the fewest use, and another variant of it once all are taken. No two sound alike unless
    /// their sheets say so.
    pub fn cast(sheets: impl IntoIterator<Item = (Name, Option<String>)>) -> Voices {
        let mut taken = Taken::default();
        let mut cast = BTreeMap::new();
        let mut notes = Vec::new();
        // Wishes without a number take what those with one leave.
        let (mut unnumbered, mut chosen) = (BTreeMap::new(), BTreeSet::new());
        for (name, wish) in sheets {
            match wish.as_deref().map(VoiceWish::read) {
                Some(Ok(VoiceWish { profile, variant: Some(variant) })) => {
                    cast.insert(name, taken.take(Timbre { profile, variant }));
                }
                Some(Ok(VoiceWish { profile, variant: None })) => {
                    unnumbered.insert(name, profile);
                }
                Some(Err(problem)) => {
                    let hint = problem.hint.as_deref().unwrap_or_default();
                    notes.push(format!("{name}.md: {problem}: {hint}"));
                    chosen.insert(name);
                }
                None => {
                    chosen.insert(name);
                }
            }
        }
        for (name, profile) in unnumbered {
            let timbre = taken.another(profile);
            cast.insert(name, taken.take(timbre));
        }
        let narrator = taken.another(Timbre::NARRATOR.profile);
        taken.take(narrator);
        // First come those whose preferred profile is free, so that a displaced one does not displace a third.
        let mut others = Vec::new();
        for name in chosen {
            let profile = preferred(&name)[0];
            if taken.uses(profile) == 0 {
                cast.insert(name, taken.take(Timbre { profile, variant: 0 }));
            } else {
                others.push(name);
            }
        }
        for name in others {
            let by_preference = preferred(&name);
            let fewest = by_preference.iter().copied().min_by_key(|profile| taken.uses(*profile));
            let timbre = taken.another(fewest.unwrap_or_default());
            cast.insert(name, taken.take(timbre));
        }
        Voices { cast, narrator, notes }
    }

    pub fn narrator(&self) -> Timbre {
        self.narrator
    }

    /// The timbre of a character, or the narrator's for a name that is not in the cast.
    pub fn timbre(&self, name: &Name) -> Timbre {
        self.cast.get(name).copied().unwrap_or(self.narrator)
    }
}

/// What a sheet's `voice:` asks for: `calm_soothing`, or `calm_soothing 2` for another variant of it.
struct VoiceWish {
    profile: VoiceProfile,
    variant: Option<u8>,
}

impl VoiceWish {
    fn read(text: &str) -> Result<VoiceWish, Problem> {
        let text = text.trim();
        let (name, variant) = match text.rsplit_once(char::is_whitespace) {
            Some((name, number)) if number.chars().all(|c| c.is_ascii_digit()) => (name, Some(number)),
            _ => (text, None),
        };
        let profile = VoiceProfile::named(name).ok_or_else(|| {
            let known = VoiceProfile::ALL.map(VoiceProfile::as_str);
            let problem = Problem::config(format!("there is no voice '{name}'"));
            match did_you_mean(name, known) {
                Some(near) => problem.hint(format!("did you mean '{near}'?")),
                None => problem.hint(format!("there are {}", known.join(", "))),
            }
        })?;
        let variant = variant.map(|number| {
            number.parse().ok().filter(|variant| *variant <= LAST_VARIANT).ok_or_else(|| {
                Problem::config(format!("'{}' has no variant {number}", profile.as_str()))
                    .hint(format!("there are 0, the profile as it is, to {LAST_VARIANT}"))
            })
        });
        Ok(VoiceWish { profile, variant: variant.transpose()? })
    }
}

/// The profiles in the order in which a name takes them. The narrator's comes last.
fn preferred(name: &Name) -> [VoiceProfile; 6] {
    let mut profiles = VoiceProfile::ALL;
    // Dice keyed by the name alone roll the same for it everywhere and for ever.
    Dice::new(0, name.as_str(), 0).shuffle(&mut profiles);
    profiles.sort_by_key(|profile| *profile == Timbre::NARRATOR.profile);
    profiles
}

/// The timbres that are taken.
#[derive(Default)]
struct Taken(BTreeSet<Timbre>);

impl Taken {
    fn take(&mut self, timbre: Timbre) -> Timbre {
        self.0.insert(timbre);
        timbre
    }

    fn uses(&self, profile: VoiceProfile) -> usize {
        self.0.iter().filter(|timbre| timbre.profile == profile).count()
    }

    /// The first free variant of a profile.
    fn another(&self, profile: VoiceProfile) -> Timbre {
        let variants = (0..=u8::MAX).map(|variant| Timbre { profile, variant });
        variants
            .clone()
            .find(|timbre| !self.0.contains(timbre))
            .unwrap_or(Timbre { profile, variant: u8::MAX })
    }
}

#[cfg(test)]
mod tests;
