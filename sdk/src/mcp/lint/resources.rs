//! The rules for resources and for templates of resources.

use super::finding::Findings;
use super::rule::Rule;
use crate::mcp::protocol::app;
use crate::mcp::resource::Resource;

/// `before` are the templates that are tried before this one.
pub(super) fn resource(resource: &Resource, before: &[&Resource], findings: &mut Findings) {
    let uri = resource.uri();
    // Hosts find a view by its tool, and Claude Code does not list it.
    if resource.description().is_empty() && !app::is_view(uri) {
        let advice = "say what is in the resource, in its doc comment: a model chooses by it";
        findings.add("/description", Rule::ResourceDescription, advice);
    }
    let pointer = if resource.is_template() { "/uriTemplate" } else { "/uri" };
    if uri.starts_with("http://") || uri.starts_with("https://") {
        let advice = "use a scheme of your own, such as `notes://`: clients take this for a page \
                      that they can fetch from the web themselves";
        findings.add(pointer, Rule::WebUri, advice);
    }
    let (short, long) = (example(uri, false), example(uri, true));
    if let Some(other) = before.iter().find(|other| other.has(&short) && other.has(&long)) {
        let advice = format!(
            "put it before `{}`, which has all of its URIs and is tried first",
            other.uri()
        );
        findings.add(pointer, Rule::HiddenTemplate, advice);
    }
}

/// A URI that fits the template; a long one has a query if it may. The values are such that no
/// other template has them by accident.
fn example(template: &str, is_long: bool) -> String {
    let mut pieces = template.split('{');
    let mut uri = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let (expression, literal) = piece.split_once('}').unwrap_or_default();
        if let Some(names) = expression.strip_prefix('?') {
            let first = names.split(',').next().filter(|_| is_long);
            uri.extend(first.map(|name| format!("?{name}=q7z")));
        } else {
            uri += if is_long && expression.starts_with('+') { "q7z/w3x" } else { "q7z" };
        }
        uri += literal;
    }
    uri
}
