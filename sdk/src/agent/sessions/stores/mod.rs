//! Stores over the crates of others, each with a feature of its own.

#[cfg(feature = "object-store")]
mod bucket;
#[cfg(feature = "postgres-store")]
mod postgres;
#[cfg(feature = "redis-store")]
mod redis;

#[cfg(feature = "object-store")]
pub use bucket::BucketStore;
#[cfg(feature = "postgres-store")]
pub use postgres::PostgresStore;
#[cfg(feature = "redis-store")]
pub use redis::RedisStore;
