//! The rules of `lint`.

use std::fmt;

/// Makes the enum, the list and the names of the rules from one table.
macro_rules! rules {
    ($($(#[$docs:meta])* $rule:ident = $name:literal,)*) => {
        /// A rule of [`ToolRegistry::lint`](crate::ToolRegistry::lint). Displays as its name, such
        /// as `tool-name`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Rule {
            $($(#[$docs])* $rule,)*
        }

        impl Rule {
            /// All rules.
            pub const ALL: &'static [Self] = &[$(Self::$rule,)*];

            /// Its name in words joined by hyphens, such as `tool-name`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$rule => $name,)*
                }
            }
        }
    };
}

rules! {
    /// The server's name has other characters than `A-Z`, `a-z`, `0-9`, `_` and `-`, or none.
    /// `config` prints it as the name in a client's configuration; Claude Code refuses it there, or
    /// writes `_` for these characters in the names of the tools.
    ServerName = "server-name",
    /// A tool's name has other characters than `A-Z`, `a-z`, `0-9`, `_` and `-`. MCP allows the
    /// dot; the Claude API refuses the whole request.
    ToolName = "tool-name",
    /// A tool's name has more than 40 characters. Clients put prefixes of their own before it.
    NameLength = "name-length",
    /// `mcp__<server>__<tool>` has more than 64 characters: the Claude API refuses the request.
    PrefixedName = "prefixed-name",
    /// The names of two tools differ only by upper case, `-`, `_` or `.`. A model mixes them up,
    /// and clients that replace characters make them equal.
    SimilarNames = "similar-names",
    /// A tool has no description, so that a model has to guess from its name.
    NoDescription = "no-description",
    /// A description has more than 2,048 characters, after which older releases of Claude Code cut
    /// it without a word; newer ones do after 4,096.
    LongDescription = "long-description",
    /// The server's instructions have more than 2,048 characters; they are cut likewise.
    LongInstructions = "long-instructions",
    /// A tool says neither whether it only reads nor whether it destroys. By MCP's defaults it may
    /// destroy data, so clients ask before each call and run only one at a time.
    NoHints = "no-hints",
    /// A tool says that it only reads and that it destroys.
    ContradictingHints = "contradicting-hints",
    /// A tool uses the outside world, has no timeout, and its calls do not become tasks. Clients
    /// give up after about a minute, while the call goes on.
    NoTimeout = "no-timeout",
    /// The input schema has `anyOf`, `oneOf` or `allOf` at its root. The Claude API refuses the
    /// whole request; some clients drop the tool.
    RootCombinator = "root-combinator",
    /// The name of an argument is not of 1 to 64 letters, digits, `_`, `-` and `.`. The Claude API
    /// refuses the whole request.
    PropertyName = "property-name",
    /// A parameter has no description.
    ParameterDescription = "parameter-description",
    /// The input schema says neither `additionalProperties` nor `unevaluatedProperties`: arguments
    /// with misspelt names are accepted, and strict modes of model APIs refuse the schema.
    OpenObject = "open-object",
    /// A schema has a keyword of an older dialect of JSON Schema. Current validators ignore it.
    Dialect = "dialect",
    /// An input schema has a reference. Clients that do not follow it send the argument as a
    /// string, or lose it.
    Reference = "reference",
    /// An input schema contains itself. Strict modes of model APIs refuse it, and clients that
    /// write references out stop somewhere.
    Recursion = "recursion",
    /// A `format` that JSON Schema does not define. Strict validators refuse to compile it.
    Format = "format",
    /// A `pattern` that is not checked, so that every text is accepted: it has look-around, a
    /// reference back to a group, flags or `\p{…}`, is of another dialect, or is very long.
    UncheckedPattern = "unchecked-pattern",
    /// A property may be null. Some model APIs refuse a list of types; a property that may be
    /// absent says the same.
    Nullable = "nullable",
    /// `true` or `false` where older clients accept only an object as the schema.
    BooleanSchema = "boolean-schema",
    /// A default that its own schema refuses.
    DefaultOutside = "default-outside",
    /// A secret (`writeOnly`) with a default, which every client can read.
    SecretDefault = "secret-default",
    /// A choice among more than 100 values. They cost tokens in every request of the model.
    EnumSize = "enum-size",
    /// Objects inside of objects, more than five levels deep: the limit of strict modes of model
    /// APIs, and models fill in deep objects badly.
    Depth = "depth",
    /// An input schema has an object of `secs` and `nanos`, as [`std::time::Duration`] derives it.
    /// Models fill that in badly; [`duration::Text`](crate::duration::Text) is a text.
    Duration = "duration",
    /// A prompt has no description, by which users choose it.
    PromptDescription = "prompt-description",
    /// The name of a prompt's argument has other characters than `A-Z`, `a-z`, `0-9`, `_` and `-`.
    /// Clients show it as a word of the command.
    ArgumentName = "argument-name",
    /// A prompt has an argument that must be given after one that may be omitted. Claude Code gives
    /// words to arguments in order, so the second cannot be given without the first.
    ArgumentOrder = "argument-order",
    /// An argument of a prompt is any text, and others follow it. Claude Code gives each argument
    /// one word: it splits what users write at spaces, also within quotes.
    FreeText = "free-text",
    /// A resource has no description, by which a model chooses it.
    ResourceDescription = "resource-description",
    /// The URI of a resource begins with `https://` or `http://`. MCP keeps these for what clients
    /// can fetch from the web themselves.
    WebUri = "web-uri",
    /// Each URI of a template fits one before it too, so this one is never read.
    HiddenTemplate = "hidden-template",
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
