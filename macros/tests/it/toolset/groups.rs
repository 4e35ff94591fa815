//! Several blocks of one type.

use toolwright::json;

use super::{names, registry, text};

mod grouped {
    use toolwright::toolset;

    pub(super) struct Server<T>(pub(super) T);

    mod admin {
        use toolwright::toolset;

        #[toolset(group = admin, prefix = "admin_")]
        impl<T: Send + Sync> super::Server<T> {
            #[tool]
            fn stop(&self) {}
        }
    }

    #[toolset(groups(users, admin), prefix = "server_")]
    impl<T: Send + Sync> Server<T> {
        #[tool]
        fn ping(&self) {}
    }

    #[toolset(group = users)]
    impl<T: Send + Sync> Server<T> {
        #[tool]
        fn list(&self) -> &'static str {
            std::any::type_name::<T>()
        }
    }
}

#[test]
fn a_type_may_have_several_blocks() {
    let registry = registry(|it| it.toolset(grouped::Server(1_u8)));
    assert_eq!(names(&registry), ["server_ping", "list", "admin_stop"]);
    assert_eq!(text(&registry, "list", json!({})), "u8");
}

mod only_listed {
    use toolwright::toolset;

    pub(super) struct Server;

    #[toolset(groups(users, admin))]
    impl Server {}

    mod users {
        use toolwright::toolset;

        #[toolset(group = users)]
        impl super::Server {
            #[tool]
            fn list(&self) {}
        }
    }

    mod admin {
        use toolwright::toolset;

        #[toolset(group = admin)]
        impl super::Server {
            #[tool]
            fn stop(&self) {}
        }
    }
}

#[test]
fn a_block_may_have_groups_only() {
    assert_eq!(names(&registry(|it| it.toolset(only_listed::Server))), ["list", "stop"]);
}

mod circular {
    use toolwright::toolset;

    pub(super) struct Server;

    #[toolset(groups(first))]
    impl Server {
        #[tool]
        fn ping(&self) {}
    }

    #[toolset(group = first, groups(r#second))]
    impl Server {
        #[tool]
        fn one(&self) {}
    }

    #[toolset(group = second, groups(first))]
    impl Server {
        #[tool]
        fn two(&self) {}
    }
}

#[test]
fn groups_that_list_each_other_are_there_once() {
    let registry = registry(|it| it.toolset(circular::Server));
    assert_eq!(names(&registry), ["ping", "one", "two"]);
}
