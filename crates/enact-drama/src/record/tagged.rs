//! Events, taken apart and put together: each is an enum tagged by `kind` with its content in `body`, and a
//! record keeps the two apart. What is serialised goes into the body's text at once, and is read from there
//! at once.

use serde::{
    Serialize,
    de::{DeserializeOwned, DeserializeSeed, IntoDeserializer, MapAccess, value::MapAccessDeserializer},
    ser::{Error as _, Impossible, SerializeStruct, Serializer},
};
use serde_json::{Error, Value, value::RawValue};

/// An event, taken apart.
#[derive(Debug)]
pub struct Tagged {
    pub kind: String,
    pub body: Box<RawValue>,
}

impl Tagged {
    /// Takes an event apart.
    ///
    /// # Panics
    /// If it is not tagged with kind and body.
    pub fn of<E: Serialize>(event: &E) -> Tagged {
        event.serialize(Tagger).expect("events are tagged with kind and body")
    }

    /// Puts an event together.
    pub fn read<E: DeserializeOwned>(kind: &str, body: &RawValue) -> Result<E, Error> {
        E::deserialize(MapAccessDeserializer::new(Entries {
            left: [("kind", kind), ("body", body.get())],
            next: 0,
        }))
    }
}

/// Takes an event apart. Anything that is not tagged with kind and body is an error.
struct Tagger;

/// The two parts, as far as they have come.
#[derive(Default)]
struct Parts {
    kind: Option<String>,
    body: Option<Box<RawValue>>,
}

impl SerializeStruct for Parts {
    type Ok = Tagged;
    type Error = Error;

    fn serialize_field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<(), Error> {
        match key {
            "kind" => match serde_json::to_value(value)? {
                Value::String(kind) => self.kind = Some(kind),
                _ => return Err(no_event()),
            },
            "body" => self.body = Some(serde_json::value::to_raw_value(value)?),
            _ => return Err(no_event()),
        }
        Ok(())
    }

    fn end(self) -> Result<Tagged, Error> {
        self.kind.zip(self.body).map(|(kind, body)| Tagged { kind, body }).ok_or_else(no_event)
    }
}

fn no_event() -> Error {
    Error::custom("an event is tagged with kind and body")
}

macro_rules! no_event {
    ($($method:ident($($of:ty),*) -> $gives:ty;)*) => {
        $(fn $method(self, $(_: $of),*) -> Result<$gives, Error> {
            Err(no_event())
        })*
    };
}

type Never = Impossible<Tagged, Error>;
type StaticName = &'static str;

impl Serializer for Tagger {
    type Ok = Tagged;
    type Error = Error;
    type SerializeSeq = Never;
    type SerializeTuple = Never;
    type SerializeTupleStruct = Never;
    type SerializeTupleVariant = Never;
    type SerializeMap = Never;
    type SerializeStruct = Parts;
    type SerializeStructVariant = Never;

    fn serialize_struct(self, _: StaticName, _: usize) -> Result<Parts, Error> {
        Ok(Parts::default())
    }

    no_event! {
        serialize_bool(bool) -> Tagged;
        serialize_i8(i8) -> Tagged;
        serialize_i16(i16) -> Tagged;
        serialize_i32(i32) -> Tagged;
        serialize_i64(i64) -> Tagged;
        serialize_u8(u8) -> Tagged;
        serialize_u16(u16) -> Tagged;
        serialize_u32(u32) -> Tagged;
        serialize_u64(u64) -> Tagged;
        serialize_f32(f32) -> Tagged;
        serialize_f64(f64) -> Tagged;
        serialize_char(char) -> Tagged;
        serialize_str(&str) -> Tagged;
        serialize_bytes(&[u8]) -> Tagged;
        serialize_none() -> Tagged;
        serialize_unit() -> Tagged;
        serialize_unit_struct(StaticName) -> Tagged;
        serialize_unit_variant(StaticName, u32, StaticName) -> Tagged;
        serialize_seq(Option<usize>) -> Never;
        serialize_tuple(usize) -> Never;
        serialize_tuple_struct(StaticName, usize) -> Never;
        serialize_tuple_variant(StaticName, u32, StaticName, usize) -> Never;
        serialize_map(Option<usize>) -> Never;
        serialize_struct_variant(StaticName, u32, StaticName, usize) -> Never;
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _: &T) -> Result<Tagged, Error> {
        Err(no_event())
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: StaticName, _: &T) -> Result<Tagged, Error> {
        Err(no_event())
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: StaticName,
        _: u32,
        _: StaticName,
        _: &T,
    ) -> Result<Tagged, Error> {
        Err(no_event())
    }
}

/// The kind as it is, then the body as JSON.
struct Entries<'a> {
    left: [(&'static str, &'a str); 2],
    next: usize,
}

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        self.left.get(self.next).map(|(key, _)| seed.deserialize((*key).into_deserializer())).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (key, text) = self.left[self.next];
        self.next += 1;
        match key {
            "kind" => seed.deserialize(text.into_deserializer()),
            _ => seed.deserialize(&mut serde_json::Deserializer::from_str(text)),
        }
    }
}
