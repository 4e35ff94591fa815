//! What is found by name.

use std::borrow::Cow;
use std::collections::HashMap;

/// Numbers by name, such as places in a list. Maps and sets by name have this one type, as the code
/// of each type of map takes long to compile. No client can choose names that collide.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places<'a>(HashMap<Cow<'a, str>, usize>);

impl<'a> Places<'a> {
    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }

    /// Returns the number that the name had before.
    pub(crate) fn set(&mut self, name: Cow<'a, str>, number: usize) -> Option<usize> {
        self.0.insert(name, number)
    }

    /// Adds a name whose number does not matter. Returns whether it is new.
    pub(crate) fn add(&mut self, name: Cow<'a, str>) -> bool {
        self.set(name, 0).is_none()
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// All of them, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, usize)> {
        self.0.iter().map(|(name, number)| (&**name, *number))
    }
}

/// Values by name, which are not removed.
#[derive(Debug, Clone)]
pub(crate) struct ByName<T> {
    places: Places<'static>,
    values: Vec<T>,
}

impl<T> ByName<T> {
    pub(crate) fn get(&self, name: &str) -> Option<&T> {
        self.places.get(name).map(|place| &self.values[place])
    }

    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut T> {
        self.places.get(name).map(|place| &mut self.values[place])
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// The value of a name, which becomes `new` if there is none.
    pub(crate) fn entry(&mut self, name: &str, new: impl FnOnce() -> T) -> &mut T {
        let place = self.places.get(name).unwrap_or_else(|| {
            self.places.set(name.to_owned().into(), self.values.len());
            self.values.push(new());
            self.values.len() - 1
        });
        &mut self.values[place]
    }

    /// Sets the value of a name, in place of the one before.
    pub(crate) fn set(&mut self, name: Cow<'static, str>, value: T) {
        match self.places.get(&name) {
            Some(place) => self.values[place] = value,
            None => {
                self.places.set(name, self.values.len());
                self.values.push(value);
            }
        }
    }

    /// All of them, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.places.iter().map(|(name, place)| (name, &self.values[place]))
    }
}

impl<T> Default for ByName<T> {
    fn default() -> Self {
        Self { places: Places::default(), values: Vec::new() }
    }
}
