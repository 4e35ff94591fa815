use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use object_store::ObjectStore;
use object_store::local::LocalFileSystem;
use toolwright::agent::sessions::{BucketStore, SessionStore};
use toolwright::testing::store_conformance;

use super::moto::Moto;
use super::writers_do_not_disturb_each_other;
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
