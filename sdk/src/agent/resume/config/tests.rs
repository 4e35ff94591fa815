use super::*;

#[tokio::test]
async fn a_program_that_does_not_end_is_given_up() {
    let command = |program: &str, arg: &str| {
        let mut command = Command::new(program);
        command.arg(arg);
        command
    };
    let minute = Duration::from_secs(60);
    assert_eq!(output(command("echo", "key"), minute).await, Some(b"key\n".to_vec()));
    assert_eq!(output(command("false", ""), minute).await, None);
    assert_eq!(output(command("sleep", "600"), Duration::from_millis(1)).await, None);
}
