use toolwright::ToolRegistry;

#[test]
#[deny(unfulfilled_lint_expectations)]
fn nobody_can_forget_the_exit_status() {
    // It is compiled only: without `#[must_use]` the lint that is expected would not fire.
    #[expect(unused_must_use, reason = "it is what is tested")]
    fn forgets() {
        super::main(|| ToolRegistry::builder("test").build());
    }
    let _: fn() = forgets;
}
