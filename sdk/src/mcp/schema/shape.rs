//! Types as values, so that one function makes the schemas of all of them.
//!
//! schemars compiles its functions again for each type whose schema is part of another. Here they
//! are compiled for [`Current`] alone, which stands for the type that is described at the moment.

use std::borrow::Cow;
use std::cell::Cell;
use std::marker::PhantomData;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::absent::Absent;

/// What the schema of a type is made of.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Shape {
    /// Any type, by its implementation of [`JsonSchema`].
    Type(Functions),
    /// A `Vec`.
    List(&'static Shape),
    /// An `Option`.
    Optional(&'static Shape),
}

/// The functions of a type's [`JsonSchema`].
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Functions {
    is_inline: fn() -> bool,
    name: fn() -> Cow<'static, str>,
    id: fn() -> Cow<'static, str>,
    schema: fn(&mut SchemaGenerator) -> Schema,
}

/// Says by constants what is known about a type: one of the type itself comes before that of
/// [`NoWrapper`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Wrapper<T>(PhantomData<T>);

impl<T> Wrapper<Vec<T>> {
    /// A `Vec`.
    pub const KIND: Kind = Kind::List;
}

impl<T> Wrapper<Option<T>> {
    /// An `Option`.
    pub const KIND: Kind = Kind::Optional;
}

impl<T: DeserializeOwned> Wrapper<T> {
    /// True if the type has a value that stands for absence.
    pub const MAY_BE_ABSENT: fn() -> bool = || T::deserialize(Absent::VALUE).is_ok();
}

/// All other types. A type that cannot be decoded causes one error elsewhere, and none here.
#[doc(hidden)]
pub trait NoWrapper {
    /// False.
    const MAY_BE_ABSENT: fn() -> bool = || false;
    /// Neither.
    const KIND: Kind = Kind::Other;
}

impl<T> NoWrapper for Wrapper<T> {}

/// What a type with one parameter is.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    /// A `Vec`.
    List,
    /// An `Option`.
    Optional,
    /// Any other type.
    Other,
}

thread_local! {
    static CURRENT: Cell<Shape> = const { Cell::new(Shape::of::<Value>()) };
}

/// The type that is described at the moment.
struct Current;

impl Shape {
    /// The shape of a type.
    pub const fn of<T: JsonSchema>() -> Self {
        Self::Type(Functions {
            is_inline: T::inline_schema,
            name: T::schema_name,
            id: T::schema_id,
            schema: T::json_schema,
        })
    }

    /// The shape of a type with one parameter, if what that is has the shape `inner`.
    pub const fn around(kind: Kind, inner: &'static Self, other: Self) -> Self {
        match kind {
            Kind::List => Self::List(inner),
            Kind::Optional => Self::Optional(inner),
            Kind::Other => other,
        }
    }

    /// The schema where the type is a part of another, which is what
    /// [`SchemaGenerator::subschema_for`] returns for it.
    pub(crate) fn subschema(self, generator: &mut SchemaGenerator) -> Schema {
        self.as_current(|| generator.subschema_for::<Current>())
    }

    /// The schema of the type with all definitions, as [`SchemaGenerator::root_schema_for`] has it.
    pub(crate) fn root(self, generator: &mut SchemaGenerator) -> Schema {
        self.as_current(|| generator.root_schema_for::<Current>())
    }

    fn as_current<R>(self, f: impl FnOnce() -> R) -> R {
        /// A type's own code may unwind.
        struct Restore(Shape);

        impl Drop for Restore {
            fn drop(&mut self) {
                CURRENT.set(self.0);
            }
        }

        let _restore = Restore(CURRENT.replace(self));
        f()
    }

    fn text(
        self,
        of_type: fn(&Functions) -> fn() -> Cow<'static, str>,
        of_list: fn() -> Cow<'static, str>,
        of_optional: fn() -> Cow<'static, str>,
    ) -> Cow<'static, str> {
        match self {
            Self::Type(functions) => of_type(&functions)(),
            Self::List(inner) => inner.as_current(of_list),
            Self::Optional(inner) => inner.as_current(of_optional),
        }
    }
}

impl JsonSchema for Current {
    fn inline_schema() -> bool {
        match CURRENT.get() {
            Shape::Type(functions) => (functions.is_inline)(),
            Shape::List(_) => <Vec<Self>>::inline_schema(),
            Shape::Optional(_) => <Option<Self>>::inline_schema(),
        }
    }

    fn schema_name() -> Cow<'static, str> {
        CURRENT.get().text(|it| it.name, <Vec<Self>>::schema_name, <Option<Self>>::schema_name)
    }

    fn schema_id() -> Cow<'static, str> {
        CURRENT.get().text(|it| it.id, <Vec<Self>>::schema_id, <Option<Self>>::schema_id)
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        match CURRENT.get() {
            Shape::Type(functions) => (functions.schema)(generator),
            Shape::List(inner) => inner.as_current(|| <Vec<Self>>::json_schema(generator)),
            Shape::Optional(inner) => inner.as_current(|| <Option<Self>>::json_schema(generator)),
        }
    }
}
