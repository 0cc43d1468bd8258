//! Fields that take any JSON: one of an unexpected shape costs that field, not the answer.

use std::{borrow::Cow, fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error, IgnoredAny, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};

/// A field that is filled from what it understands and stays empty otherwise.
trait LenientField<'de>: Default {
    fn text(&mut self, _: Cow<'de, str>) {}

    fn count(&mut self, _: u64) {}

    /// A number that is no count: below zero, or a fraction.
    fn other_number(&mut self, _: f64) {}

    fn flag(&mut self, _: bool) {}

    fn list<A: SeqAccess<'de>>(&mut self, list: A) -> Result<(), A::Error> {
        ignore_list(list)
    }

    fn object<A: MapAccess<'de>>(&mut self, object: A) -> Result<(), A::Error> {
        ignore_object(object)
    }
}

fn ignore_list<'de, A: SeqAccess<'de>>(list: A) -> Result<(), A::Error> {
    IgnoredAny.visit_seq(list).map(drop)
}

fn ignore_object<'de, A: MapAccess<'de>>(object: A) -> Result<(), A::Error> {
    IgnoredAny.visit_map(object).map(drop)
}

struct FieldVisitor<T>(PhantomData<T>);

impl<'de, T: LenientField<'de>> Visitor<'de> for FieldVisitor<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON")
    }

    fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<T, E> {
        filled(|field: &mut T| field.text(Cow::Borrowed(text)))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<T, E> {
        filled(|field: &mut T| field.text(Cow::Owned(text.to_owned())))
    }

    fn visit_bool<E: Error>(self, flag: bool) -> Result<T, E> {
        filled(|field: &mut T| field.flag(flag))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<T, E> {
        filled(|field: &mut T| field.count(number))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<T, E> {
        filled(|field: &mut T| field.other_number(number as f64))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<T, E> {
        filled(|field: &mut T| field.other_number(number))
    }

    fn visit_unit<E: Error>(self) -> Result<T, E> {
        Ok(T::default())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<T, A::Error> {
        let mut field = T::default();
        field.list(list)?;
        Ok(field)
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<T, A::Error> {
        let mut field = T::default();
        field.object(object)?;
        Ok(field)
    }
}

fn filled<T: Default, E>(fill: impl FnOnce(&mut T)) -> Result<T, E> {
    let mut field = T::default();
    fill(&mut field);
    Ok(field)
}

macro_rules! deserialize_leniently {
    ($($field:ident $(<$parameter:ident>)?),+) => {$(
        impl<'de $(, $parameter: Deserialize<'de>)?> Deserialize<'de> for $field $(<$parameter>)? {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(FieldVisitor(PhantomData))
            }
        }
    )+};
}

deserialize_leniently!(CountField, FlagField, MoneyField, ListField<T>, ObjectField<T>);

impl<'de: 'a, 'a> Deserialize<'de> for TextField<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<TextField<'a>, D::Error> {
        deserializer.deserialize_any(FieldVisitor(PhantomData))
    }
}

/// A text, or a list of parts of which those that are text count.
#[derive(Debug, Default)]
pub(super) struct TextField<'a>(pub(super) Cow<'a, str>);

impl<'de: 'a, 'a> LenientField<'de> for TextField<'a> {
    fn text(&mut self, text: Cow<'de, str>) {
        self.0 = text;
    }

    fn list<A: SeqAccess<'de>>(&mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(TextField(part)) = list.next_element()? {
            self.0 += part;
        }
        Ok(())
    }

    fn object<A: MapAccess<'de>>(&mut self, object: A) -> Result<(), A::Error> {
        let TextPart { kind, text } = TextPart::deserialize(MapAccessDeserializer::new(object))?;
        if matches!(&*kind.0, "" | "text" | "output_text") {
            self.0 = text.0;
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct TextPart<'a> {
    #[serde(default, borrow, rename = "type")]
    kind: TextField<'a>,
    #[serde(default, borrow)]
    text: TextField<'a>,
}

/// A number of tokens, or an index.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum CountField {
    #[default]
    Missing,
    Told(u64),
    /// Less than nothing, a fraction, no number at all.
    Absurd,
}

impl CountField {
    /// Both together. What is missing adds nothing.
    pub(super) fn plus(self, other: CountField) -> CountField {
        match (self, other) {
            (CountField::Absurd, _) | (_, CountField::Absurd) => CountField::Absurd,
            (CountField::Missing, count) | (count, CountField::Missing) => count,
            (CountField::Told(one), CountField::Told(other)) => CountField::Told(one.saturating_add(other)),
        }
    }
}

impl<'de> LenientField<'de> for CountField {
    fn text(&mut self, _: Cow<'de, str>) {
        *self = CountField::Absurd;
    }

    fn count(&mut self, count: u64) {
        *self = CountField::Told(count);
    }

    fn other_number(&mut self, _: f64) {
        *self = CountField::Absurd;
    }

    fn flag(&mut self, _: bool) {
        *self = CountField::Absurd;
    }

    fn list<A: SeqAccess<'de>>(&mut self, list: A) -> Result<(), A::Error> {
        *self = CountField::Absurd;
        ignore_list(list)
    }

    fn object<A: MapAccess<'de>>(&mut self, object: A) -> Result<(), A::Error> {
        *self = CountField::Absurd;
        ignore_object(object)
    }
}

/// An amount of money, where there is one.
#[derive(Debug, Default, Clone, Copy)]
pub(in super::super) struct MoneyField(pub(in super::super) Option<f64>);

impl<'de> LenientField<'de> for MoneyField {
    fn count(&mut self, amount: u64) {
        self.0 = Some(amount as f64);
    }

    fn other_number(&mut self, amount: f64) {
        self.0 = Some(amount);
    }
}

/// Whether there is anything in a field: no `null`, no `false`, no empty text, list or object.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct FlagField(pub(super) bool);

impl<'de> LenientField<'de> for FlagField {
    fn flag(&mut self, flag: bool) {
        self.0 = flag;
    }

    fn text(&mut self, text: Cow<'de, str>) {
        self.0 = !text.is_empty();
    }

    fn list<A: SeqAccess<'de>>(&mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(IgnoredAny) = list.next_element()? {
            self.0 = true;
        }
        Ok(())
    }

    fn object<A: MapAccess<'de>>(&mut self, mut object: A) -> Result<(), A::Error> {
        while let Some((IgnoredAny, IgnoredAny)) = object.next_entry()? {
            self.0 = true;
        }
        Ok(())
    }
}

/// An object, if it is one.
#[derive(Debug)]
pub(super) struct ObjectField<T>(pub(super) Option<T>);

impl<T> Default for ObjectField<T> {
    fn default() -> ObjectField<T> {
        ObjectField(None)
    }
}

impl<'de, T: Deserialize<'de>> LenientField<'de> for ObjectField<T> {
    fn object<A: MapAccess<'de>>(&mut self, object: A) -> Result<(), A::Error> {
        self.0 = Some(T::deserialize(MapAccessDeserializer::new(object))?);
        Ok(())
    }
}

/// The objects of a list.
#[derive(Debug)]
pub(super) struct ListField<T>(pub(super) Vec<T>);

impl<T> Default for ListField<T> {
    fn default() -> ListField<T> {
        ListField(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> LenientField<'de> for ListField<T> {
    fn list<A: SeqAccess<'de>>(&mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(ObjectField(item)) = list.next_element()? {
            self.0.extend(item);
        }
        Ok(())
    }
}
