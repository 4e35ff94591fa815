//! A module without the prelude.

mod bare {
    #![no_implicit_prelude]

    use ::toolwright::{Json, tool, tools};

    #[tool(read_only)]
    async fn greet(
        /// Who is there.
        name: &str,
        times: ::std::option::Option<u8>,
    ) -> ::std::result::Result<Json<::std::string::String>, ::std::fmt::Error> {
        let _ = times;
        ::std::result::Result::Ok(Json(::std::format!("Hello, {name}!")))
    }

    pub fn builder() -> ::toolwright::ToolRegistryBuilder {
        ::toolwright::ToolRegistry::builder("bare").tools(tools![greet])
    }
}

pub fn main() {
    bare::builder().build().unwrap();
}
