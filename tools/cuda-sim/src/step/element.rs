//! Elements of arrays, as commands name them: `out[3]`, where `out` is a pointer of the kernel or an array.
//!
//! A kernel's pointer has one name there and another in the host's code, so a name is first looked for
//! among the kernel's variables, and then among the arrays. An element is bytes of an array, by whatever
//! name it is accessed.

use super::session::Session;
use simt::observe::bounds::plural;
use simt::observe::{ArrayId, ArraySpace, Touched};
use std::borrow::Cow;

/// Where a name leads: to elements of one type, one behind the other.
#[derive(Debug, Clone)]
pub(super) struct Base {
    name: String,
    array: ArrayId,
    /// Bytes from the start of the array to element 0.
    offset: i64,
    /// Bytes of an element.
    width: u32,
    /// The type of an element.
    ty: String,
    /// How many there are.
    count: u64,
}

/// One of them.
#[derive(Debug, Clone)]
pub(super) struct Element {
    /// As it was written.
    pub(super) text: String,
    pub(super) ty: String,
    array: ArrayId,
    from: u64,
    width: u32,
}

impl Base {
    pub(super) fn space(&self) -> ArraySpace {
        self.array.space()
    }

    /// The elements of a range.
    ///
    /// # Errors
    /// If some are not there.
    pub(super) fn must_hold(&self, until: u64) -> Result<(), String> {
        if until <= self.count {
            return Ok(());
        }
        let (name, count) = (&self.name, plural(self.count, "element"));
        Err(format!("there is no `{name}[{}]`: `{name}` has {count}", until.saturating_sub(1)))
    }

    /// An element that is there.
    pub(super) fn element(&self, index: u64) -> Result<Element, String> {
        self.must_hold(index.saturating_add(1))?;
        let (text, ty) = (format!("{}[{index}]", self.name), self.ty.clone());
        let from = self.offset.saturating_add_unsigned(index * u64::from(self.width));
        let from = u64::try_from(from).map_err(|_| format!("`{text}` is before its array"))?;
        Ok(Element { text, ty, array: self.array, from, width: self.width })
    }
}

impl Element {
    /// Whether other blocks may write it, too.
    pub(super) fn is_global(&self) -> bool {
        self.array.space() == ArraySpace::Global
    }

    /// Its bytes.
    pub(super) fn width(&self) -> u32 {
        self.width
    }

    /// At which of its bytes the access of a lane begins.
    pub(super) fn begins(&self, touched: &Touched, lane: u32) -> i64 {
        let at = i64::from(touched.offsets[lane as usize]);
        at - i64::from(touched.start) - i64::try_from(self.from).unwrap_or(i64::MAX)
    }

    /// The lanes that access it.
    pub(super) fn lanes(&self, touched: &Touched) -> u32 {
        if touched.id() != Some(self.array) {
            return 0;
        }
        let from = u64::from(touched.start) + self.from;
        let meets =
            |at: u64| at < from + u64::from(self.width) && at + u64::from(touched.width) > from;
        let own = touched.lane_offsets().filter(|(_, offset)| meets(u64::from(*offset)));
        own.fold(0, |lanes, (lane, _)| lanes | 1 << lane)
    }
}

impl Session<'_> {
    /// `tile[1][2]` with one index, `tile[35]`, as the elements of an array lie one behind the other.
    ///
    /// # Errors
    /// If the array does not have these elements.
    pub(super) fn in_one_row<'t>(&self, text: &'t str) -> Result<Cow<'t, str>, String> {
        let Some((name, indices)) = text.split_once('[').filter(|(_, rest)| rest.contains("]["))
        else {
            return Ok(Cow::Borrowed(text));
        };
        let mut named = self.recorded.history.variables().iter().filter(|v| v.name == name);
        let extents = named.find_map(|variable| numbers(variable.ty.split_once('[')?.1));
        let indices =
            numbers(indices).ok_or_else(|| format!("`{text}` has no numbers as indices"))?;
        let extents = extents.filter(|extents| extents.len() == indices.len());
        let extents =
            extents.ok_or_else(|| format!("`{name}` has no {} indices", indices.len()))?;
        let mut flat: u64 = 0;
        for (index, extent) in indices.into_iter().zip(extents) {
            if index >= extent {
                return Err(format!("there is no `{text}`: {index} is not below {extent}"));
            }
            flat = flat.saturating_mul(extent).saturating_add(index);
        }
        Ok(Cow::Owned(format!("{name}[{flat}]")))
    }

    /// Where a name leads from here.
    ///
    /// # Errors
    /// If it has no elements that are recorded.
    pub(super) fn base(&self, name: &str) -> Result<Base, String> {
        let history = &self.recorded.history;
        if history.variables().iter().any(|variable| variable.name == name) {
            // A parameter leads to the same place at every step; so it may be out of scope here.
            let steps = std::iter::once(self.at).chain((0..self.at).rev());
            let mut steps = steps.chain(self.at + 1..self.len());
            if let Some(place) = steps.find_map(|step| history.place(name, step, self.lane)) {
                return self.leads(name, place.array, place.offset, pointee(place.ty));
            }
        }
        match self.arrays(name).as_slice() {
            [array] => self.leads(name, *array, 0, None),
            [] => {
                self.must_be_known(name)?;
                Err(format!("`{name}` has no elements that are recorded: write `print {name}`"))
            }
            arrays => Err(format!(
                "{} arrays are called `{name}`: name a pointer of the kernel that leads to one",
                arrays.len()
            )),
        }
    }

    /// A variable of the kernel in scope that leads to the array.
    pub(super) fn pointer_to(&self, array: ArrayId) -> Option<&str> {
        let history = &self.recorded.history;
        let mut names = history.variables().iter().map(|variable| variable.name.as_str());
        names.find(|name| {
            history.place(name, self.at, self.lane).is_some_and(|place| place.array == array)
        })
    }

    fn leads(
        &self,
        name: &str,
        array: ArrayId,
        offset: i64,
        element: Option<(&str, u32)>,
    ) -> Result<Base, String> {
        let known = self.recorded.history.array(array);
        let known = known.ok_or_else(|| format!("`{name}` leads to no array here"))?;
        let (ty, width) = element.unwrap_or((known.ty, known.element.max(1)));
        let bytes = i64::from(known.bytes).saturating_sub(offset);
        let count = u64::try_from(bytes).unwrap_or_default() / u64::from(width);
        Ok(Base { name: name.to_owned(), array, offset, width, ty: ty.to_owned(), count })
    }

    /// The arrays of this name; of several those that the block accesses.
    fn arrays(&self, name: &str) -> Vec<ArrayId> {
        let history = &self.recorded.history;
        let mut arrays: Vec<ArrayId> = history.arrays(name).collect();
        if arrays.len() > 1 {
            let accesses = (0..self.len()).flat_map(|step| history.accesses(step));
            let touched: Vec<ArrayId> = accesses.filter_map(|(touched, _)| touched.id()).collect();
            arrays.retain(|array| touched.contains(array));
        }
        arrays
    }
}

/// The numbers of `1][2]`.
fn numbers(text: &str) -> Option<Vec<u64>> {
    text.strip_suffix(']')?.split("][").map(|number| number.trim().parse().ok()).collect()
}

/// What a pointer of this type leads to, and its bytes, if it is a number.
fn pointee(ty: &str) -> Option<(&str, u32)> {
    let pointee = ty.trim_end_matches("const").trim().strip_suffix('*')?.trim();
    let bytes = match pointee.trim_start_matches("const ").trim_start_matches("volatile ") {
        "bool" | "char" | "signed char" | "unsigned char" => 1,
        "short" | "unsigned short" | "half" | "__half" | "__nv_bfloat16" => 2,
        "int" | "unsigned" | "unsigned int" | "float" => 4,
        "long" | "long long" | "unsigned long" | "unsigned long long" | "double" => 8,
        _ if pointee.ends_with('*') => 8,
        _ => return None,
    };
    Some((pointee, bytes))
}

#[cfg(test)]
mod tests {
    use super::pointee;

    #[test]
    fn the_type_behind_a_pointer_has_a_size() {
        assert_eq!(pointee("const float*"), Some(("const float", 4)));
        assert_eq!(pointee("double* const"), Some(("double", 8)));
        assert_eq!(pointee("unsigned char*"), Some(("unsigned char", 1)));
        assert_eq!(pointee("int**"), Some(("int*", 8)));
        for none in ["int", "int[4]", "Point*", "int (*)[4]"] {
            assert_eq!(pointee(none), None, "{none}");
        }
    }
}
