use super::*;

/// A call that must not make its context.
struct Thrifty(Extensions);

impl Caller for Thrifty {
    fn context(&self) -> Context {
        panic!("nothing needs a context")
    }

    fn extensions(&self) -> &Extensions {
        &self.0
    }
}

#[test]
fn a_value_is_found_without_a_context() {
    let mut of_server = Extensions::default();
    of_server.insert("server");
    of_server.insert(1_u8);
    let mut of_call = Extensions::within(&Arc::new(of_server));
    of_call.insert(2_u8);
    let caller = Thrifty(of_call);
    let expected = Expected { name: "toy", parameters: &[], schema: None, bounds: None };
    let input = Input::new(expected, None, &caller);
    assert_eq!(input.shared().as_deref(), Some(&"server"));
    assert_eq!(input.shared().as_deref(), Some(&2_u8));
    assert_eq!(input.shared::<String>(), None);
    assert!(input.context_of_work().is_none());
}
