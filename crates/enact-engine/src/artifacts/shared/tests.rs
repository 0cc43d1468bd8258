use std::{
    collections::BTreeMap,
    sync::Mutex,
    time::{Duration, SystemTime},
};

use futures::{StreamExt, stream};

use super::*;

const PATH: &str = "tts/sessions/1/turn_1/a.wav";

/// A store in memory, which says when each file was put.
#[derive(Debug, Default)]
pub(in crate::artifacts) struct MemoryObjects(
    pub(in crate::artifacts) Mutex<BTreeMap<String, (Vec<u8>, SystemTime)>>,
);

#[async_trait]
impl SharedArtifacts for MemoryObjects {
    fn description(&self) -> String {
        "memory".to_owned()
    }

    async fn put(&self, path: &str, bytes: Vec<u8>, present: IfPresent) -> io::Result<FileWritten> {
        let mut files = self.0.lock().unwrap();
        if present == IfPresent::Keep && files.contains_key(path) {
            return Ok(FileWritten::Existed);
        }
        files.insert(path.to_owned(), (bytes, SystemTime::now()));
        Ok(FileWritten::New)
    }

    async fn get(&self, path: &str) -> io::Result<Option<(Vec<u8>, SystemTime)>> {
        Ok(self.0.lock().unwrap().get(path).cloned())
    }

    async fn remove(&self, path: &str) -> io::Result<()> {
        self.0.lock().unwrap().remove(path);
        Ok(())
    }

    fn list(&self, folder: &str) -> BoxStream<'static, io::Result<SharedFile>> {
        let below = format!("{folder}/");
        let files = self.0.lock().unwrap();
        let files = files.iter().filter(|(path, _)| folder.is_empty() || path.starts_with(&below));
        let files =
            files.map(|(path, (_, changed))| Ok(SharedFile { path: path.clone(), changed: *changed }));
        stream::iter(files.collect::<Vec<_>>()).boxed()
    }
}

/// Two nodes, each with a folder of its own, and what they share.
fn nodes() -> (tempfile::TempDir, Arc<MemoryObjects>, [Artifacts; 2]) {
    let (folder, objects) = (tempfile::tempdir().unwrap(), Arc::new(MemoryObjects::default()));
    let node = |name: &str| Artifacts::in_folder(folder.path().join(name)).shared_in(objects.clone());
    let nodes = [node("one"), node("two")];
    (folder, objects, nodes)
}

async fn read(artifacts: &Artifacts, path: &str) -> Option<String> {
    let place = artifacts.fetch(path).await.ok()?;
    Some(fs::read_to_string(place).unwrap())
}

#[tokio::test]
async fn what_one_node_shares_another_has() {
    let (_folder, objects, [one, two]) = nodes();
    one.write(PATH, b"one", |_| Ok(())).unwrap();
    assert_eq!(read(&two, PATH).await, None, "it is not shared yet");
    assert_eq!(one.share(PATH).await.unwrap(), FileWritten::New);
    let shared_at = SystemTime::now() - Duration::from_secs(3_600);
    objects.0.lock().unwrap().get_mut(PATH).unwrap().1 = shared_at;
    assert_eq!(read(&two, PATH).await.as_deref(), Some("one"));
    // It is as old here as it is there: it goes when that goes.
    let changed = fs::metadata(two.find(PATH).unwrap()).unwrap().modified().unwrap();
    assert!(changed.duration_since(shared_at).unwrap_or_default() < Duration::from_secs(1));
    assert!(matches!(two.fetch("../one/x.wav").await, Err(Error::NotAPath(_))));
}

#[tokio::test]
async fn a_recording_that_was_shared_before_is_kept() {
    let (_folder, _objects, [one, two]) = nodes();
    for (node, said) in [(&one, "one"), (&two, "two")] {
        node.write(PATH, said.as_bytes(), |_| Ok(())).unwrap();
    }
    assert_eq!(one.share(PATH).await.unwrap(), FileWritten::New);
    assert_eq!(two.share(PATH).await.unwrap(), FileWritten::Existed);
    assert_eq!(read(&two, PATH).await.as_deref(), Some("one"));
}

#[tokio::test]
async fn lists_are_the_newest_and_what_is_removed_is_gone() {
    let (_folder, objects, [one, two]) = nodes();
    let list = "tts/sessions/1/session.json";
    for text in ["{}", "{\"turns\":{}}"] {
        one.write_text(list, text.to_owned()).await.unwrap();
        assert_eq!(fs::read_to_string(two.fetch_newest(list).await.unwrap()).unwrap(), text);
    }
    one.write_text("tts/sessions/11/session.json", "{}".to_owned()).await.unwrap();
    two.remove_everywhere("tts/sessions/1").await.unwrap();
    assert!(matches!(one.fetch_newest(list).await, Err(Error::NotFound(_))));
    assert_eq!(objects.0.lock().unwrap().len(), 1);
}
