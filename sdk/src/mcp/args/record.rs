//! Decodes structs under `#[data]`, as serde's derive does it. The derive makes all of the code
//! again for each struct; here functions that all structs share read names and report mistakes, and
//! a struct adds only what fills its fields.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{
    DeserializeSeed, Error, Expected, IgnoredAny, MapAccess, SeqAccess, Unexpected, Visitor,
};
use serde::{Deserialize, Deserializer};

use crate::mcp::schema::Absent;

/// What a struct's names are.
#[doc(hidden)]
#[derive(Debug)]
pub struct Names {
    /// Of the struct.
    pub name: &'static str,
    /// Of its fields, as clients see them.
    pub fields: &'static [&'static str],
    /// True if it refuses unknown fields.
    pub is_closed: bool,
}

/// How a struct is put together of its fields.
#[doc(hidden)]
pub trait Decoded<'de> {
    /// The struct.
    type Record;
    /// A tuple of the fields, each perhaps not there yet.
    type Fields;
    /// Its names.
    const NAMES: &'static Names;
    /// No field is there.
    fn fields() -> Self::Fields;
    /// Takes the value of the field at which the source stands.
    fn fill<S: Source<'de>>(fields: &mut Self::Fields, source: &mut S) -> Result<(), S::Error>;
    /// The struct, if all fields are there.
    fn record(fields: Self::Fields) -> Option<Self::Record>;
}

/// Where the values of the fields come from.
#[doc(hidden)]
pub trait Source<'de> {
    /// Why a value is refused.
    type Error;
    /// The number of the current field.
    fn at(&self) -> usize;
    /// Takes its value.
    fn required<T: Deserialize<'de>>(&mut self, field: &mut Option<T>) -> Result<(), Self::Error>;
    /// Takes its value, or the default.
    fn defaulted<T: Deserialize<'de> + Default>(
        &mut self,
        field: &mut Option<T>,
    ) -> Result<(), Self::Error>;
}

/// What `Deserialize` does for a struct.
#[doc(hidden)]
pub fn decoded<'de, R: Decoded<'de>, D: Deserializer<'de>>(from: D) -> Result<R::Record, D::Error> {
    let Names { name, fields, .. } = R::NAMES;
    from.deserialize_struct(name, fields, Reader::<R>(PhantomData))
}

struct Reader<R>(PhantomData<R>);

impl<'de, R: Decoded<'de>> Visitor<'de> for Reader<R> {
    type Value = R::Record;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        R::NAMES.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, access: A) -> Result<R::Record, A::Error> {
        let mut fields = R::fields();
        match by_name(access, R::NAMES, &mut |source| R::fill(&mut fields, source)) {
            Ok(()) => Ok(filled::<R>(fields)),
            Err(error) => Err(error),
        }
    }

    fn visit_seq<A: SeqAccess<'de>>(self, access: A) -> Result<R::Record, A::Error> {
        let mut fields = R::fields();
        match in_order(access, R::NAMES, &mut |source| R::fill(&mut fields, source)) {
            Ok(()) => Ok(filled::<R>(fields)),
            Err(error) => Err(error),
        }
    }
}

#[inline(never)]
fn filled<'de, R: Decoded<'de>>(fields: R::Fields) -> R::Record {
    match R::record(fields) {
        Some(record) => record,
        None => unreachable!("every field has been filled"),
    }
}

/// Takes the value at which a source stands.
type Fill<'a, S, E> = dyn FnMut(&mut S) -> Result<(), E> + 'a;

/// An object, or what stands for it.
struct ByName<A> {
    access: A,
    names: &'static Names,
    at: usize,
    /// True once all that is there has been read.
    has_ended: bool,
}

fn by_name<'de, A: MapAccess<'de>>(
    access: A,
    names: &'static Names,
    fill: &mut Fill<'_, ByName<A>, A::Error>,
) -> Result<(), A::Error> {
    let mut source = ByName { access, names, at: 0, has_ended: false };
    while let Some(at) = source.access.next_key_seed(Name(names))? {
        match at {
            Some(at) => {
                source.at = at;
                fill(&mut source)?;
            }
            None => {
                source.access.next_value::<IgnoredAny>()?;
            }
        }
    }
    source.has_ended = true;
    for at in 0..names.fields.len() {
        source.at = at;
        fill(&mut source)?;
    }
    Ok(())
}

impl<A> ByName<A> {
    fn name(&self) -> &'static str {
        self.names.fields.get(self.at).copied().unwrap_or_default()
    }
}

impl<'de, A: MapAccess<'de>> Source<'de> for ByName<A> {
    type Error = A::Error;

    fn at(&self) -> usize {
        self.at
    }

    #[inline(never)]
    fn required<T: Deserialize<'de>>(&mut self, field: &mut Option<T>) -> Result<(), A::Error> {
        let value = match (self.has_ended, field.is_some()) {
            (true, true) => return Ok(()),
            (true, false) => T::deserialize(Absent::field(self.name())),
            (false, true) => Err(A::Error::duplicate_field(self.name())),
            (false, false) => self.access.next_value(),
        };
        *field = Some(value?);
        Ok(())
    }

    #[inline(never)]
    fn defaulted<T: Deserialize<'de> + Default>(
        &mut self,
        field: &mut Option<T>,
    ) -> Result<(), A::Error> {
        if self.has_ended {
            field.get_or_insert_with(T::default);
            return Ok(());
        }
        self.required(field)
    }
}

/// An array.
struct InOrder<A> {
    access: A,
    names: &'static Names,
    at: usize,
}

fn in_order<'de, A: SeqAccess<'de>>(
    access: A,
    names: &'static Names,
    fill: &mut Fill<'_, InOrder<A>, A::Error>,
) -> Result<(), A::Error> {
    let mut source = InOrder { access, names, at: 0 };
    for at in 0..names.fields.len() {
        source.at = at;
        fill(&mut source)?;
    }
    Ok(())
}

impl<'de, A: SeqAccess<'de>> Source<'de> for InOrder<A> {
    type Error = A::Error;

    fn at(&self) -> usize {
        self.at
    }

    #[inline(never)]
    fn required<T: Deserialize<'de>>(&mut self, field: &mut Option<T>) -> Result<(), A::Error> {
        match self.access.next_element()? {
            Some(value) => *field = Some(value),
            None => return Err(A::Error::invalid_length(self.at, self.names)),
        }
        Ok(())
    }

    #[inline(never)]
    fn defaulted<T: Deserialize<'de> + Default>(
        &mut self,
        field: &mut Option<T>,
    ) -> Result<(), A::Error> {
        *field = Some(self.access.next_element()?.unwrap_or_default());
        Ok(())
    }
}

impl Names {
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "struct {}", self.name)
    }
}

impl Expected for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, count) = (self.name, self.fields.len());
        write!(f, "struct {name} with {count} element{}", if count == 1 { "" } else { "s" })
    }
}

/// Reads a name as the number of its field, or as nothing if no field has it.
struct Name(&'static Names);

impl<'de> DeserializeSeed<'de> for Name {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Option<usize>, D::Error> {
        from.deserialize_identifier(self)
    }
}

impl Name {
    fn find(&self, name: &[u8]) -> Option<usize> {
        self.0.fields.iter().position(|field| field.as_bytes() == name)
    }
}

impl Visitor<'_> for Name {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("field identifier")
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Option<usize>, E> {
        let count = self.0.fields.len();
        let at = usize::try_from(number).ok().filter(|at| *at < count);
        match at {
            None if self.0.is_closed => {
                let expected = format!("field index 0 <= i < {count}");
                Err(E::invalid_value(Unexpected::Unsigned(number), &expected.as_str()))
            }
            at => Ok(at),
        }
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Option<usize>, E> {
        match self.find(name.as_bytes()) {
            None if self.0.is_closed => Err(E::unknown_field(name, self.0.fields)),
            at => Ok(at),
        }
    }

    fn visit_bytes<E: Error>(self, name: &[u8]) -> Result<Option<usize>, E> {
        match self.find(name) {
            None if self.0.is_closed => {
                Err(E::unknown_field(&String::from_utf8_lossy(name), self.0.fields))
            }
            at => Ok(at),
        }
    }
}

#[cfg(test)]
mod tests;
