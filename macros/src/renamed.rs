//! The name that a package gives to its dependency `toolwright`.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use proc_macro2::Span;
use syn::Error;

/// The last manifest that was read: its folder, and the name in it.
static LAST: Mutex<Option<(OsString, Option<String>)>> = Mutex::new(None);

/// The path of `toolwright` where the package that is compiled gives it another name, and what to
/// write then.
pub(crate) fn renamed(attribute: &str) -> Option<(syn::Path, Error)> {
    let name = name()?;
    let error = format!(
        "the package `toolwright` is called `{name}` in Cargo.toml: write \
         `#[{attribute}(crate = {name})]`"
    );
    let path = syn::parse_str(&format!("::{name}")).ok()?;
    Some((path, Error::new(Span::call_site(), error)))
}

/// An editor expands the macros of several packages in one process.
fn name() -> Option<String> {
    let folder = env::var_os("CARGO_MANIFEST_DIR")?;
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    match &*last {
        Some((read, name)) if *read == folder => name.clone(),
        _ => {
            let manifest = fs::read_to_string(Path::new(&folder).join("Cargo.toml"));
            let name = manifest.ok().and_then(|manifest| name_in(&manifest));
            *last = Some((folder, name.clone()));
            name
        }
    }
}

/// The other name in a manifest. A dependency that is inherited from a workspace is not found.
fn name_in(manifest: &str) -> Option<String> {
    let mut section = "";
    let mut found = None;
    for line in manifest.lines().map(str::trim) {
        if let Some(header) = line.strip_prefix('[') {
            section = header.trim_end_matches(']');
        }
        let (table, of) = section.rsplit_once('.').unwrap_or(("", section));
        let (key, value) = line.split_once('=').unwrap_or((line, ""));
        let key = key.trim();
        let named = |name| value.contains(&format!("\"{name}\""));
        // The name, and whether the line says that it is the package's.
        let (name, is_it) = match (of.ends_with("dependencies"), table.ends_with("dependencies")) {
            (true, _) => {
                let name = key.split('.').next().unwrap_or(key);
                (name, line.contains("package") && named("toolwright"))
            }
            (_, true) => (of, key == "package" && named("toolwright")),
            _ if section == "package" && key == "name" && named("toolwright") => return None,
            _ => continue,
        };
        match name.trim_matches('"') {
            "toolwright" => return None,
            name if is_it && !section.starts_with("workspace") => {
                found = Some(name.replace('-', "_"));
            }
            _ => {}
        }
    }
    found
}

#[cfg(test)]
mod tests;
