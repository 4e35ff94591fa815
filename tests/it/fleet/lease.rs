use toolwright_fleet::{Database, Leases};

use super::{SESSION, session};
use crate::stores::Postgres;

/// PostgreSQL has no zero byte in a text. A turn that cannot be recorded would be tried for ever.
#[tokio::test]
async fn an_answer_with_a_zero_byte_is_recorded() {
    let Some(postgres) = Postgres::start() else { return };
    let parameters = postgres.schema();
    let database = Database::at(&parameters).unwrap();
    let leases = Leases::connect(&database, "worker").await.unwrap();
    let lease = leases.take(SESSION).await.unwrap().unwrap();
    lease.record(1, SESSION, "a\0b").await.unwrap();
    assert_eq!(postgres.ask(&parameters, "SELECT answer FROM fleet_turns").trim(), "a\u{fffd}b");
}

#[tokio::test]
async fn a_turn_is_done_for_one_prompt() {
    let Some(postgres) = Postgres::start() else { return };
    let database = Database::at(&postgres.schema()).unwrap();
    let leases = Leases::connect(&database, "worker").await.unwrap();
    let lease = leases.take(SESSION).await.unwrap().unwrap();
    lease.record(1, &session(1), "Answer.").await.unwrap();
    assert!(lease.has_done(1, &session(1)).await.unwrap());
    assert!(!lease.has_done(1, &session(2)).await.unwrap());
    assert!(!lease.has_done(2, &session(1)).await.unwrap());
}
