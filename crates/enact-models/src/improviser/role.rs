//! Who is who: what each of the cast is in the scene for, read off goals, prompt and opener.
//!
//! Only what all of them know goes in here: each actor works the roles out for itself, and all must find the
//! same.

use enact_drama::{
    acts::GoalReading,
    judge::{Act, Goal},
    scene::{Line, Situation, View},
};

use super::{deeds, words::WORDS};

/// The parts in the drama, as places in the cast.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Roles {
    pub(super) opener: usize,
    /// Who has a grievance, in scenes that turn on one.
    pub(super) accuser: usize,
    /// Who has something to answer for.
    pub(super) accused: usize,
    /// All others, the one who is named as mediator first.
    pub(super) others: Vec<usize>,
    /// Who cuts in on whom, in this order; never empty.
    pub(super) cuts: Vec<(usize, usize)>,
    pub(super) temperature: Temperature,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Temperature {
    /// It comes to a clash before anything is mended.
    Heated,
    /// Somebody comes to make something good again.
    Contrite,
    /// People talk.
    Even,
}

impl Roles {
    /// `first_spoken` is the first line of the scene in which words were spoken.
    pub(super) fn of(view: &View, first_spoken: Option<&Line>) -> Roles {
        let scene = &*view.scene;
        let doer = |act| first(scene, act, |goal| &goal.doers);
        let target = |act| first(scene, act, |goal| &goal.to);
        let sorry = doer(Act::Apologise);
        let receiver = doer(Act::Accept).or_else(|| doer(Act::Forgive)).or_else(|| target(Act::Apologise));
        let opener = opener(view, first_spoken);
        let interrupts = doer(Act::Interrupt);
        let mediator = doer(Act::Mediate);

        let accused = target(Act::Confront)
            .or_else(|| confessing(scene))
            .or(sorry)
            .or_else(|| doer(Act::Admit))
            .or_else(|| opener.zip(interrupts).and_then(|(o, i)| (o != i).then_some(i)));
        let accuser = doer(Act::Confront)
            .filter(|who| Some(*who) != accused)
            .or_else(|| accused.and_then(|accused| harsh_to(scene, accused)))
            .or(receiver.filter(|who| Some(*who) != accused))
            .or(opener.filter(|who| Some(*who) != accused && Some(*who) != mediator));
        // What only the tables of acts can read: who accuses whom, or else who has to do something for whom.
        let unread = scene.goals.iter().filter(|goal| !goal.is_readable());
        let tabled: Vec<_> = unread.filter_map(deeds::reading).collect();
        let first = |who: &[usize]| who.first().copied();
        let charges = |reading: &&GoalReading| deeds::is_quarrel(reading) || deeds::is_charge(reading);
        let quarrel = tabled.iter().filter(charges).find(|reading| reading.subject.len() == 1);
        let accuser = accuser.or_else(|| {
            quarrel.and_then(|reading| first(&reading.subject)).filter(|who| Some(*who) != accused)
        });
        let accused = accused.or_else(|| {
            quarrel.and_then(|reading| first(&reading.addressee)).filter(|who| Some(*who) != accuser)
        });
        let single = tabled.iter().find(|reading| reading.subject.len() == 1);
        let accused = accused.or_else(|| {
            single.and_then(|reading| first(&reading.subject)).filter(|who| Some(*who) != accuser)
        });
        let accuser = accuser.or_else(|| {
            single.and_then(|reading| first(&reading.addressee)).filter(|who| Some(*who) != accused)
        });
        let confessor = accused;
        let (accuser, accused) = pair(scene, accuser, accused, mediator);
        let cuts = cuts(scene, accuser, accused);
        let opener = opener.unwrap_or(accuser);

        // What is to be owned up to comes out by asking, unless the scene is about how they go at each other.
        let asked_out = confessor.is_some_and(|who| confessing(scene) == Some(who) && sorry != Some(who))
            && [Act::Interrupt, Act::Mediate].into_iter().all(|act| wanted(scene, act).is_none());
        let hot = quarrel.is_some_and(deeds::is_quarrel)
            || [Act::Confront, Act::Interrupt, Act::Mediate]
                .into_iter()
                .any(|act| wanted(scene, act).is_some())
            || mentions(&scene.prompt, &WORDS.heated);
        let temperature = match sorry {
            _ if asked_out => Temperature::Even,
            Some(who) if who == opener && wanted(scene, Act::Confront).is_none() => Temperature::Contrite,
            Some(_) => Temperature::Heated,
            None if hot => Temperature::Heated,
            None => Temperature::Even,
        };

        let mut others: Vec<usize> =
            (0..scene.cast.len()).filter(|who| *who != accuser && *who != accused).collect();
        others.sort_by_key(|who| (Some(*who) != mediator, *who));
        Roles { opener, accuser, accused, others, cuts, temperature }
    }

    pub(super) fn mediator(&self) -> Option<usize> {
        self.others.first().copied()
    }
}

/// Who has to own up to something.
fn confessing(scene: &Situation) -> Option<usize> {
    let readings = scene.goals.iter().filter_map(deeds::telling);
    readings.filter(deeds::is_confession).find_map(|reading| reading.subject.first().copied())
}

/// Who is to do something to somebody that is not asked for.
fn harsh_to(scene: &Situation, whom: usize) -> Option<usize> {
    let mut harsh = scene.goals.iter().filter_map(deeds::reading).filter(deeds::is_harsh);
    let reading = harsh.find(|reading| reading.addressee.contains(&whom))?;
    reading.subject.first().copied().filter(|who| *who != whom)
}

/// The place in the cast of a display name.
pub(super) fn place(scene: &Situation, display: &str) -> Option<usize> {
    scene.cast.iter().position(|(_, other)| other.eq_ignore_ascii_case(display))
}

/// The first goal that wants this act done.
pub(super) fn wanted(scene: &Situation, act: Act) -> Option<&Goal> {
    scene.goals.iter().find(|goal| goal.act == Some(act) && !goal.negated)
}

fn first(scene: &Situation, act: Act, who: impl Fn(&Goal) -> &Vec<String>) -> Option<usize> {
    who(wanted(scene, act)?).iter().find_map(|display| place(scene, display))
}

/// Who opened: the first who spoke or, before a line was spoken, the one who was asked to alone.
fn opener(view: &View, first_spoken: Option<&Line>) -> Option<usize> {
    let first = first_spoken.and_then(|line| line.actor()).map(|(who, _)| who);
    let who = first.or(view.opening.then_some(&view.me))?;
    view.scene.cast.iter().position(|(name, _)| name == who)
}

/// The interruptions the goals ask for or, without any, the one that belongs to a quarrel.
fn cuts(scene: &Situation, accuser: usize, accused: usize) -> Vec<(usize, usize)> {
    let places = |names: &[String]| names.iter().filter_map(|name| place(scene, name)).collect::<Vec<_>>();
    let goals = scene.goals.iter().filter(|goal| goal.act == Some(Act::Interrupt) && !goal.negated);
    let wanted = goals.flat_map(|goal| {
        let victims = places(&goal.to);
        places(&goal.doers).into_iter().map(move |cutter| {
            let otherwise = if cutter == accused { accuser } else { accused };
            (cutter, victims.iter().copied().find(|victim| *victim != cutter).unwrap_or(otherwise))
        })
    });
    let wanted: Vec<_> = wanted.collect();
    if wanted.is_empty() { vec![(accuser, accused)] } else { wanted }
}

/// Two different characters, of whom one or none may be known. The one that the prompt names earlier comes
/// first, and the mediator last.
fn pair(
    scene: &Situation,
    accuser: Option<usize>,
    accused: Option<usize>,
    mediator: Option<usize>,
) -> (usize, usize) {
    let prompt = scene.prompt.to_lowercase();
    let mut by_mention: Vec<usize> = (0..scene.cast.len()).collect();
    let mention = |who: usize| prompt.find(&scene.cast[who].1.to_lowercase()).unwrap_or(usize::MAX);
    by_mention.sort_by_key(|who| (Some(*who) == mediator, mention(*who)));
    let other_than =
        |taken: Option<usize>| by_mention.iter().copied().find(|who| Some(*who) != taken).unwrap_or(0);
    let accuser = accuser.unwrap_or_else(|| other_than(accused));
    (accuser, accused.unwrap_or_else(|| other_than(Some(accuser))))
}

fn mentions(text: &str, stems: &[String]) -> bool {
    text.to_lowercase().split(|c: char| !c.is_alphabetic()).any(|word| {
        stems.iter().any(|stem| word == *stem || (stem.len() > 4 && word.starts_with(stem.as_str())))
    })
}
