use enact_engine::ResourceProvider as _;

use super::*;

#[tokio::test]
async fn all_runs_share_a_voice() {
    let folder = tempfile::tempdir().unwrap();
    let artifacts = Artifacts::in_folder(folder.path().join("artifacts"));
    let project = ServedProject::new(Config::default(), crate::productions(), artifacts);
    let chain = VoiceChain(vec!["embedded".to_owned()]);
    let (first, second) = (project.speech(&chain).await.unwrap(), project.speech(&chain).await.unwrap());
    assert!(Arc::ptr_eq(&first.voice, &second.voice), "its limit holds for all of them together");
    assert_eq!(first.artifacts.root(), folder.path().join("artifacts"));
    let unknown = project.speech(&VoiceChain(vec!["nobody".to_owned()])).await;
    assert!(unknown.unwrap_err().to_string().contains("unknown voice 'nobody'"));
}
