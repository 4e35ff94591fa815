//! Redis servers that have changed their roles.

use redis::RedisError;

/// True if the server is a replica now, which takes nothing: the server that has its address may be
/// another one. Version 6 says so of a script in the text of another error.
pub(crate) fn is_of_replica(error: &RedisError) -> bool {
    [error.code(), error.detail()].into_iter().flatten().any(|text| text.contains("READONLY"))
}
