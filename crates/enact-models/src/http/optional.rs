//! What a request says that it could do without. Models refuse more and more of it, each generation something
//! else: newer ones of Anthropic a temperature, older ones an effort.

use std::sync::atomic::{AtomicU8, Ordering};

use crate::Settings;

/// A parameter that a request can do without.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionalParameter {
    Temperature,
    TopP,
    Stop,
    Seed,
    Effort,
    Thinking,
}

impl OptionalParameter {
    pub(super) const ALL: [OptionalParameter; 6] = [
        OptionalParameter::Temperature,
        OptionalParameter::TopP,
        OptionalParameter::Stop,
        OptionalParameter::Seed,
        OptionalParameter::Effort,
        OptionalParameter::Thinking,
    ];

    /// Its name in configuration.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            OptionalParameter::Temperature => "temperature",
            OptionalParameter::TopP => "top_p",
            OptionalParameter::Stop => "stop",
            OptionalParameter::Seed => "seed",
            OptionalParameter::Effort => "effort",
            OptionalParameter::Thinking => "thinking",
        }
    }

    /// Whether the operator has asked for it, rather than that we say it by ourselves.
    pub(super) fn is_asked_for(self, settings: &Settings) -> bool {
        match self {
            OptionalParameter::Temperature => settings.temperature.is_some(),
            OptionalParameter::TopP => settings.top_p.is_some(),
            OptionalParameter::Stop => !settings.stop.is_empty(),
            OptionalParameter::Seed => settings.seed.is_some(),
            OptionalParameter::Effort => settings.effort.is_some(),
            OptionalParameter::Thinking => settings.thinking.is_some(),
        }
    }

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Parameters that are left out of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct OmittedParameters(u8);

impl OmittedParameters {
    pub(super) fn has(self, parameter: OptionalParameter) -> bool {
        self.0 & parameter.bit() != 0
    }

    pub(super) fn add(&mut self, parameter: OptionalParameter) {
        self.0 |= parameter.bit();
    }

    /// A value, unless it is left out.
    pub(super) fn keep<T>(self, parameter: OptionalParameter, value: Option<T>) -> Option<T> {
        value.filter(|_| !self.has(parameter))
    }
}

/// What a model has refused so far.
#[derive(Debug, Default)]
pub(super) struct RefusedParameters(AtomicU8);

impl RefusedParameters {
    pub(super) fn left_out(&self) -> OmittedParameters {
        OmittedParameters(self.0.load(Ordering::Relaxed))
    }

    /// Takes in that a parameter was refused. The operator is warned once, and only of what they asked for.
    pub(super) fn add(&self, parameter: OptionalParameter, settings: &Settings) {
        let before = OmittedParameters(self.0.fetch_or(parameter.bit(), Ordering::Relaxed));
        if !before.has(parameter) && parameter.is_asked_for(settings) {
            let (model, parameter) = (settings.model.as_str(), parameter.as_str());
            tracing::warn!(
                model,
                parameter,
                "this model takes no such parameter; it is left out from now on"
            );
        }
    }
}
