use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use object_store::local::LocalFileSystem;
use object_store::{ObjectStore, ObjectStoreExt as _};
use toolwright::agent::sessions::{BucketStore, SessionKey, SessionStore};
use toolwright::testing::store_conformance;

use super::moto::Moto;
use super::{entry, writers_do_not_disturb_each_other};
use crate::cli::Folder;

async fn is_a_store(bucket: Arc<dyn ObjectStore>) {
    let count = AtomicUsize::new(0);
    store_conformance(async || {
        let prefix = format!("deep/{}", count.fetch_add(1, Ordering::Relaxed));
        BucketStore::of(bucket.clone(), &prefix)
    })
    .await;
    let store = || -> Arc<dyn SessionStore> { Arc::new(BucketStore::of(bucket.clone(), "")) };
    writers_do_not_disturb_each_other(vec![store(), store(), store()]).await;
    comes_behind_what_a_clock_that_is_ahead_has_named(bucket.clone()).await;
    tells_sessions_of_one_second_apart(bucket).await;
}

/// S3 itself tells whole seconds.
async fn tells_sessions_of_one_second_apart(bucket: Arc<dyn ObjectStore>) {
    let store = BucketStore::of(bucket, "times");
    let mut written = Vec::new();
    for number in (0..5).rev() {
        let key = SessionKey::new("p", format!("6f1d0f3c-3d6e-4a55-9d8b-{number:012}"));
        store.append(&key, &[entry("one")]).await.unwrap();
        written.push(key.session_id);
    }
    let mut listed = store.list_sessions("p").await.unwrap();
    listed.sort_by_key(|session| session.mtime);
    let listed: Vec<_> = listed.into_iter().map(|session| session.session_id).collect();
    assert_eq!(listed, written);
}

async fn comes_behind_what_a_clock_that_is_ahead_has_named(bucket: Arc<dyn ObjectStore>) {
    let key = SessionKey::new("ahead", "6f1d0f3c-3d6e-4a55-9d8b-6b1c5a0f7e21");
    let store = || BucketStore::of(bucket.clone(), "clocks");
    store().append(&key, &[entry("first")]).await.unwrap();
    let listed = bucket.list_with_delimiter(Some(&"clocks/ahead".into())).await.unwrap();
    let folder = listed.common_prefixes[0].clone().join("main");
    let written = bucket.list_with_delimiter(Some(&folder)).await.unwrap().objects;
    let name = written[0].location.filename().unwrap();
    let (time, rest) = name.split_once('-').unwrap();
    let later = folder.join(format!("{}-{rest}", time.parse::<u64>().unwrap() + 3_600_000));
    bucket.rename(&written[0].location, &later).await.unwrap();
    for uuid in ["second", "third"] {
        store().append(&key, &[entry(uuid)]).await.unwrap();
    }
    let loaded = store().load(&key).await.unwrap().unwrap();
    let uuids: Vec<_> = loaded.iter().map(|entry| entry.uuid().unwrap().into_owned()).collect();
    assert_eq!(uuids, ["first", "second", "third"]);
}

#[tokio::test]
async fn a_bucket_of_s3_is_a_store() {
    let Some(moto) = Moto::start() else { return };
    is_a_store(moto.bucket()).await;
}

#[tokio::test]
async fn a_local_folder_is_a_store() {
    let folder = Folder::create();
    let bucket = LocalFileSystem::new_with_prefix(folder.path()).unwrap();
    is_a_store(Arc::new(bucket)).await;
}
