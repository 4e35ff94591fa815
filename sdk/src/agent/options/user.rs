//! The user that the CLI runs as.

use std::fs;

/// A user of this machine, by name or number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct User {
    pub(crate) uid: u32,
    /// `None` for a number that `/etc/passwd` does not know: then the group stays.
    pub(crate) gid: Option<u32>,
}

impl User {
    /// Finds a user in `/etc/passwd`. `None` if there is none of this name.
    pub(crate) fn find(name: &str) -> Option<Self> {
        Self::among(&fs::read_to_string("/etc/passwd").unwrap_or_default(), name)
    }

    /// The same for the text of the file.
    fn among(passwd: &str, wanted: &str) -> Option<Self> {
        let number: Option<u32> = wanted.parse().ok();
        let known = passwd.lines().find_map(|line| {
            let mut fields = line.split(':');
            let (name, uid) = (fields.next()?, fields.nth(1)?.parse().ok()?);
            let gid = fields.next()?.parse().ok()?;
            let is_it = name == wanted || number == Some(uid);
            is_it.then_some(Self { uid, gid: Some(gid) })
        });
        known.or_else(|| number.map(|uid| Self { uid, gid: None }))
    }
}

#[cfg(test)]
mod tests {
    use super::User;

    const PASSWD: &str = "root:x:0:0:root:/root:/bin/bash\nbroken\nnobody:x:65534:65533:::\n";

    #[test]
    fn users_have_names_or_numbers() {
        let nobody = Some(User { uid: 65534, gid: Some(65533) });
        assert_eq!(User::among(PASSWD, "nobody"), nobody);
        assert_eq!(User::among(PASSWD, "65534"), nobody);
        assert_eq!(User::among(PASSWD, "7"), Some(User { uid: 7, gid: None }));
        assert_eq!(User::among(PASSWD, "somebody"), None);
        assert_eq!(User::among(PASSWD, ""), None);
    }
}
