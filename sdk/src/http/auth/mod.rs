//! Authorization: who may use a server. The server is a resource server of OAuth 2.1: another one
//! issues the tokens.

mod caller;
mod verify;
mod metadata;
mod challenge;
mod called;
mod resource;
#[cfg(feature = "jwt")]
mod keys;
#[cfg(feature = "jwt")]
mod jwt;

pub use caller::Caller;
#[cfg(feature = "jwt")]
pub use jwt::{Algorithm, Jwt};
pub use resource::{Auth, BadResource};
pub use verify::{AuthError, Verified, Verify};
