use toolwright::toolset;

struct Notes<'a>(&'a str);

#[toolset]
impl<'a> Notes<'a> {
    #[tool]
    fn all(&self) -> String {
        self.0.to_owned()
    }
}

struct Others<'a>(&'a str);

#[toolset]
impl Others<'_> {
    #[tool]
    fn all(&self) -> String {
        self.0.to_owned()
    }
}

fn main() {}
