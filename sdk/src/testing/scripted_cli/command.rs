//! A command of `Bash`, as far as it is read to decide about it.

/// Programs that start others, so that the real CLI suggests no rule with their beginning.
const WRAPPERS: [&str; 8] = ["bash", "env", "nohup", "sh", "sudo", "time", "timeout", "xargs"];

/// The commands that change files, and that the mode `acceptEdits` allows.
const EDITS: [&str; 6] = ["cp", "mkdir", "mv", "rm", "rmdir", "touch"];

/// The words of a command; `None` where a shell would make something else of it: several commands,
/// a redirection, a substitution.
fn words(command: &str) -> Option<Vec<String>> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in command.chars() {
        match (c, quote) {
            ('\\' | '`' | '$', Some('"') | None) => return None,
            (c, Some(open)) if c == open => quote = None,
            ('\'' | '"', None) => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (' ' | '\t', None) => words.extend(word.take()),
            ('|' | '&' | ';' | '<' | '>' | '(' | ')' | '\n', None) => return None,
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// The content of the rule that the CLI suggests: the beginning of the command if its second word
/// is the name of a subcommand, else the whole command.
pub(super) fn suggested(command: &str) -> String {
    let words = words(command).unwrap_or_default();
    match words.as_slice() {
        [name, sub, ..]
            if !WRAPPERS.contains(&&**name) && !name.contains('=') && is_subcommand(sub) =>
        {
            format!("{name} {sub} *")
        }
        _ => command.to_owned(),
    }
}

fn is_subcommand(word: &str) -> bool {
    let is_usual = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    word.starts_with(|c: char| c.is_ascii_lowercase()) && word.chars().all(is_usual)
}

/// The paths that a command changes which only changes files.
pub(super) fn changed(command: &str) -> Option<Vec<String>> {
    let mut words = words(command)?.into_iter();
    let is_edit = words.next().is_some_and(|name| EDITS.contains(&&*name));
    let paths: Vec<_> = words.filter(|word| !word.starts_with('-')).collect();
    let are_plain = !paths.iter().any(|path| path.contains(['*', '?', '[', '{', '~']));
    (is_edit && !paths.is_empty() && are_plain).then_some(paths)
}

/// Whether the content of a rule, such as `git commit *`, is about this command.
pub(super) fn fits(content: &str, command: &str) -> bool {
    let starts_with = |prefix: &str| {
        let rest = command.strip_prefix(prefix);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
    };
    content == "*"
        || content == command
        || beginning(content).is_some_and(starts_with) && words(command).is_some()
}

/// Whether the content of a rule that is about a command is the whole command.
pub(super) fn is_whole(content: &str, command: &str) -> bool {
    content.strip_suffix(":*").unwrap_or(content) == command
}

/// The beginning that the content of a rule names, if it names one.
pub(super) fn beginning(content: &str) -> Option<&str> {
    content.strip_suffix(":*").or_else(|| content.strip_suffix(" *"))
}
