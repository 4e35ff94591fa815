//! What only tools, or only prompts and resources have.

use syn::{Error, FnArg};

use crate::arg::ArgArgs;
use crate::args::ToolArgs;
use crate::complaints::Complaints;
use crate::item::Item;
use crate::model::name_of;
use crate::noun::Noun;

const COMPLETE: &str = "clients complete the arguments of prompts and resources, not of tools";
const SIZE: &str = "a template stands for many resources, which have no common size: remove `size`";
const HEADER: &str = "headers repeat the arguments of tools only";

pub(super) fn check_kind(args: &ToolArgs, item: &Item, complaints: &mut Complaints) {
    let mut names = Vec::new();
    for input in &item.sig.inputs {
        let FnArg::Typed(param) = input else { continue };
        let (arg, _) = ArgArgs::parse(&param.attrs);
        match (args.noun, &arg.complete, &arg.header) {
            (Noun::Tool, Some(complete), _) => {
                complaints.push(Error::new_spanned(complete, COMPLETE));
            }
            (Noun::Prompt | Noun::Resource, _, Some(header)) => {
                complaints.push(Error::new(header.span(), HEADER));
            }
            _ => {}
        }
        names.push(arg.rename.map_or_else(|| name_of(&param.pat), |name| name.value()));
    }
    let Some(uri) = &args.uri else { return };
    for variable in &args.variables {
        if !names.contains(variable) {
            let mut message =
                format!("the URI's variable `{variable}` needs a parameter of that name");
            let trimmed = variable.trim_start_matches('_');
            if names.iter().any(|name| name == trimmed) {
                message +=
                    &format!(": clients know `{variable}` as `{trimmed}`; write `{{{trimmed}}}`");
            }
            complaints.push(Error::new(uri.span(), message));
        }
    }
    if let (Some(size), Some(_)) = (&args.size, args.variables.first()) {
        complaints.push(Error::new(size.span(), SIZE));
    }
}
