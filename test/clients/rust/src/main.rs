//! What a Rust program does with a cluster. Prints a line for each step that went well.
use futures::{StreamExt, TryStreamExt};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace};
use kube::api::{Api, DeleteParams, ListParams, Patch, PatchParams, PostParams, WatchEvent, WatchParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::json;

const NAMESPACE: &str = "client-rust";

fn step(name: &str) {
    println!("ok {name}");
}

fn config_map(name: &str, value: &str) -> ConfigMap {
    serde_json::from_value(json!({"metadata": {"name": name}, "data": {"n": value}})).unwrap()
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).expect("a client configuration");
    let config = Config::from_custom_kubeconfig(Kubeconfig::read_from(path)?, &KubeConfigOptions::default()).await?;
    let client = Client::try_from(config)?;
    assert_eq!(client.apiserver_version().await?.major, "1");
    step("version");

    let namespaces: Api<Namespace> = Api::all(client.clone());
    let namespace = serde_json::from_value(json!({"metadata": {"name": NAMESPACE}}))?;
    namespaces.create(&PostParams::default(), &namespace).await?;
    let maps: Api<ConfigMap> = Api::namespaced(client, NAMESPACE);
    for i in 0..5 {
        maps.create(&PostParams::default(), &config_map(&format!("m{i}"), &i.to_string())).await?;
    }
    assert_eq!(maps.get("m3").await?.data.unwrap()["n"], "3");
    step("create and get");

    let version = maps.list(&ListParams::default().limit(2)).await?.metadata.resource_version.unwrap();
    let mut events = maps.watch(&WatchParams::default().fields("metadata.name=w"), &version).await?.boxed();
    maps.create(&PostParams::default(), &config_map("w", "1")).await?;
    let changed = json!({"data": {"n": "2"}});
    maps.patch("w", &PatchParams::default(), &Patch::Merge(&changed)).await?;
    maps.delete("w", &DeleteParams::default()).await?;
    for want in ["added", "modified", "deleted"] {
        let seen = match events.try_next().await?.expect("an event") {
            WatchEvent::Added(_) => "added",
            WatchEvent::Modified(_) => "modified",
            WatchEvent::Deleted(_) => "deleted",
            _ => "other",
        };
        assert_eq!(seen, want);
    }
    step("watch");

    let stale = maps.get("m0").await?;
    let labels = json!({"metadata": {"labels": {"x": "y"}}});
    maps.patch("m0", &PatchParams::default(), &Patch::Merge(&labels)).await?;
    match maps.replace("m0", &PostParams::default(), &stale).await {
        Err(kube::Error::Api(status)) => assert_eq!(status.code, 409),
        other => panic!("a stale update was taken: {other:?}"),
    }
    step("conflict");

    let wanted = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "applied"}, "data": {"n": "1"}});
    let applied = maps.patch("applied", &PatchParams::apply("rust"), &Patch::Apply(&wanted)).await?;
    assert_eq!(applied.metadata.managed_fields.unwrap()[0].manager.as_deref(), Some("rust"));
    step("apply");

    namespaces.delete(NAMESPACE, &DeleteParams::default()).await?;
    step("delete");
    Ok(())
}
