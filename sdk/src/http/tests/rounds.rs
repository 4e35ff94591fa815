//! Calls that ask their clients, on more than one replica.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use super::scene::{Scene, modern};
use crate::http::{Auth, AuthError, Caller, StateKey};
use crate::{AskError, Context, Tool};

/// How often the tool `ship` has run, and how often it has printed a label.
#[derive(Clone, Default)]
struct Counts(Arc<[AtomicUsize; 2]>);

impl Counts {
    /// Two questions and an effect between them.
    async fn ship(&self, order: &Value, cx: &Context) -> Result<String, AskError> {
        let [runs, prints] = &*self.0;
        runs.fetch_add(1, Ordering::SeqCst);
        let sure = cx.confirm(format!("Ship {order}?")).await?;
        let print = async { Ok::<_, AskError>(prints.fetch_add(1, Ordering::SeqCst) + 41) };
        let label = cx.once("label", print).await?;
        let now = cx.confirm(format!("Ship {order} with label {label} now?")).await?;
        Ok(format!("{order}: {sure} {label} {now}"))
    }

    fn now(&self) -> [usize; 2] {
        self.0.each_ref().map(|count| count.load(Ordering::SeqCst))
    }
}

/// The token is the subject.
async fn subject(token: String) -> Result<Caller, AuthError> {
    Ok(Caller::new(token))
}

fn replica(counts: &Counts, key: Option<StateKey>) -> Scene {
    let scene = Scene::new(|options| {
        options.state_key = key;
        let auth = Auth::new("https://notes.example.com/mcp", subject).unwrap();
        options.auth = Some(auth.authorization_server("https://login.example.com"));
    });
    let (counts, schema) = (counts.clone(), json!({"type": "object"}));
    let ship = Tool::new("ship", "", schema, move |arguments: Value, cx: Context| {
        let counts = counts.clone();
        async move { counts.ship(&arguments["order"], &cx).await }
    });
    scene.registry.add(ship).unwrap();
    scene
}

/// Calls `ship` as `user`, with the answer yes to the questions of `asked`.
async fn call(scene: &Scene, user: &str, order: u32, asked: Option<&Value>) -> Value {
    let capabilities = json!({"elicitation": {}});
    let mut params = json!({
        "name": "ship",
        "arguments": {"order": order},
        "_meta": {"io.modelcontextprotocol/clientCapabilities": capabilities},
    });
    if let Some(asked) = asked {
        let yes = |key: &String| (key.clone(), json!({"action": "accept"}));
        let questions = asked["inputRequests"].as_object().unwrap();
        params["inputResponses"] = questions.keys().map(yes).collect();
        params["requestState"] = asked["requestState"].clone();
    }
    let mut request = modern("tools/call", Some("ship"), &params);
    let token = format!("Bearer {user}").parse().unwrap();
    request.headers_mut().insert("authorization", token);
    let (_, answer) = scene.ask(request).await;
    let mut answer: Value = serde_json::from_str(&answer).unwrap();
    match answer.get("error") {
        Some(error) => error.clone(),
        None => answer["result"].take(),
    }
}

#[tokio::test]
async fn any_replica_with_the_key_continues_a_call() {
    let (counts, key) = (Counts::default(), StateKey::new([7; 32]));
    let [one, two] = [0; 2].map(|_| replica(&counts, Some(key.clone())));
    let first = call(&one, "ada", 3, None).await;
    let second = call(&two, "ada", 3, Some(&first)).await;
    let message = &second["inputRequests"]["elicitation-2"]["params"]["message"];
    assert_eq!(message, "Ship 3 with label 41 now?");
    let done = call(&one, "ada", 3, Some(&second)).await;
    assert_eq!(done["content"][0]["text"], "3: true 41 true");
    assert_eq!(counts.now(), [3, 1]);
    // The result of the second round was lost, and the same replica repeats the round.
    let again = call(&two, "ada", 3, Some(&first)).await;
    assert_eq!(again["inputRequests"], second["inputRequests"]);
    assert_eq!(counts.now(), [4, 1]);
}

#[tokio::test]
async fn nothing_runs_with_a_state_of_something_else() {
    let (counts, key) = (Counts::default(), StateKey::new([7; 32]));
    let mine = replica(&counts, Some(key));
    let asked = call(&mine, "ada", 3, None).await;
    let mut tampered = asked.clone();
    let state = asked["requestState"].as_str().unwrap();
    let first = if state.starts_with('A') { 'B' } else { 'A' };
    tampered["requestState"] = format!("{first}{}", &state[1..]).into();
    let other_key = replica(&counts, Some(StateKey::new([8; 32])));
    let without_key = replica(&counts, None);
    let runs = counts.now();
    for (scene, user, order, asked) in [
        (&mine, "ada", 3, &tampered),
        (&mine, "ada", 4, &asked),
        (&mine, "eve", 3, &asked),
        (&other_key, "ada", 3, &asked),
        (&without_key, "ada", 3, &asked),
    ] {
        let refused = call(scene, user, order, Some(asked)).await;
        assert_eq!(refused["code"], -32602, "{refused}");
    }
    assert_eq!(counts.now(), runs);
}

#[tokio::test]
async fn without_a_key_the_registry_keeps_the_state() {
    let counts = Counts::default();
    let scene = replica(&counts, None);
    let first = call(&scene, "ada", 3, None).await;
    assert_eq!(call(&scene, "eve", 3, Some(&first)).await["code"], -32602);
    let second = call(&scene, "ada", 3, Some(&first)).await;
    let done = call(&scene, "ada", 3, Some(&second)).await;
    assert_eq!(done["content"][0]["text"], "3: true 41 true");
    assert_eq!(counts.now(), [3, 1]);
}
