"""What a Python program does with a cluster. Prints a line for each step that went well."""
import sys

from kubernetes import client, config, watch
from kubernetes.client.rest import ApiException

config.load_kube_config(sys.argv[1])
core = client.CoreV1Api()
namespace = "client-python"


def step(name):
    print(f"ok {name}", flush=True)


def config_map(name, data):
    return client.V1ConfigMap(metadata=client.V1ObjectMeta(name=name), data=data)


assert client.VersionApi().get_code().major == "1"
step("version")

core.create_namespace(client.V1Namespace(metadata=client.V1ObjectMeta(name=namespace)))
for i in range(5):
    core.create_namespaced_config_map(namespace, config_map(f"m{i}", {"n": str(i)}))
assert core.read_namespaced_config_map("m3", namespace).data == {"n": "3"}
step("create and get")

names, token = [], None
while token != "":
    page = core.list_namespaced_config_map(namespace, limit=2, _continue=token)
    names += [item.metadata.name for item in page.items]
    token = page.metadata._continue or ""
assert [name for name in names if name.startswith("m")] == [f"m{i}" for i in range(5)], names
step("list in chunks")

version = core.list_namespaced_config_map(namespace).metadata.resource_version
core.create_namespaced_config_map(namespace, config_map("w", {"a": "1"}))
core.patch_namespaced_config_map("w", namespace, {"data": {"a": "2"}})
core.delete_namespaced_config_map("w", namespace)
events = []
watcher = watch.Watch()
for event in watcher.stream(
    core.list_namespaced_config_map,
    namespace,
    resource_version=version,
    field_selector="metadata.name=w",
    timeout_seconds=30,
):
    events.append(event["type"])
    if event["type"] == "DELETED":
        watcher.stop()
assert events == ["ADDED", "MODIFIED", "DELETED"], events
step("watch")

stale = core.read_namespaced_config_map("m0", namespace)
core.patch_namespaced_config_map("m0", namespace, {"metadata": {"labels": {"x": "y"}}})
try:
    core.replace_namespaced_config_map("m0", namespace, stale)
    raise AssertionError("a stale update was taken")
except ApiException as error:
    assert error.status == 409, error.status
step("conflict")

pod = client.V1Pod(
    metadata=client.V1ObjectMeta(name="p"),
    spec=client.V1PodSpec(
        automount_service_account_token=False,
        containers=[client.V1Container(name="c", image="i")],
    ),
)
created = core.create_namespaced_pod(namespace, pod)
assert created.spec.restart_policy == "Always" and created.status.phase == "Pending"
core.delete_namespaced_pod("p", namespace, grace_period_seconds=0)
step("typed pod")

core.delete_namespace(namespace)
step("delete")
