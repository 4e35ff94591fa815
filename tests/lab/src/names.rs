use anyhow::{Result, bail};

use crate::options::Options;

/// Fails if the options have a name that the command does not know.
pub fn check(options: &Options, only: &[&str], measures: &[&str]) -> Result<()> {
    all_known("--only", &options.only, only)?;
    all_known("--measures", &options.measures, measures)
}

fn all_known(option: &str, given: &[String], known: &[&str]) -> Result<()> {
    let Some(unknown) = given.iter().find(|name| !known.contains(&name.as_str())) else {
        return Ok(());
    };
    match known {
        [] => bail!("this command has no {option}"),
        [one] => bail!("{option} takes {one}, not {unknown}"),
        [others @ .., last] => {
            bail!("{option} takes {} and {last}, not {unknown}", others.join(", "))
        }
    }
}

#[cfg(test)]
mod tests;
