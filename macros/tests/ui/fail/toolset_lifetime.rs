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

struct Pair<T>(T);

#[toolset]
impl Pair<(Others<'_>, u8)> {
    #[tool]
    fn second(&self) -> u8 {
        self.0.1
    }
}

fn main() {}
