import { describe, expect, test } from "vitest";
import { PluginGround } from "../testing/plugin-ground.js";
import { podWith } from "../testing/test-pods.js";
import { nodeRestriction } from "./node-restriction.js";
import { ownerReferencesPermissionEnforcement } from "./owner-references-permission-enforcement.js";

describe("OwnerReferencesPermissionEnforcement", () => {
  const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid: "1", blockOwnerDeletion: true };
  const weak = { ...owner, blockOwnerDeletion: false };
  const owned = (...ownerReferences: readonly object[]) => ({ metadata: { name: "a", ownerReferences } });
  const cannotDelete =
    'configmaps "a" is forbidden: cannot set an ownerRef on a resource you can\'t delete: , <nil>';
  const cannotBlock =
    'configmaps "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>';

  test.each([
    ["a create without owners", owned(), undefined, undefined],
    ["a create with an owner", owned(weak), undefined, undefined],
    ["a create with one whose deletion it blocks", owned(owner), undefined, cannotBlock],
    ["an update that changes no owners", owned(owner), owned(owner), undefined],
    ["an update that does", owned(weak), owned(), cannotDelete],
  ])("a user without any permission: %s", async (_what, object, old, refusal) => {
    const ground = new PluginGround(ownerReferencesPermissionEnforcement, { isAllowed: () => false });
    const outcome = await ground.admit({ resource: "configmaps", object, ...(old && { old }) });
    expect(outcome.refusal).toBe(refusal);
  });

  test("what is asked", async () => {
    const ground = new PluginGround(ownerReferencesPermissionEnforcement);
    const outcome = await ground.admit({ resource: "configmaps", object: owned(owner), old: owned(weak) });
    expect(outcome.refusal).toBeUndefined();
    expect(ground.asked).toEqual([
      expect.objectContaining({
        verb: "delete",
        group: "",
        resource: "configmaps",
        namespace: "ns",
        name: "a",
      }),
      expect.objectContaining({
        verb: "update",
        group: "apps",
        resource: "replicasets",
        subresource: "finalizers",
        namespace: "ns",
        name: "r",
      }),
    ]);
  });

  test("an owner of an unknown kind cannot be blocked", async () => {
    const object = owned({ ...owner, kind: "Nothing" });
    const outcome = await new PluginGround(ownerReferencesPermissionEnforcement).admit({
      resource: "configmaps",
      object,
    });
    expect(outcome.refusal).toContain("cannot find RESTMapping for APIVersion apps/v1 Kind Nothing");
  });
});

describe("NodeRestriction", () => {
  const user = { name: "system:node:mine", groups: ["system:nodes"] };
  const mine = { apiVersion: "v1", kind: "Node", name: "mine", uid: "1", controller: true };
  const mirror = (spec: object = {}, metadata: object = {}) =>
    podWith(
      { nodeName: "mine", ...spec },
      { annotations: { "kubernetes.io/config.mirror": "x" }, ownerReferences: [mine], ...metadata },
    );
  const known = {
    nodes: [{ metadata: { name: "mine", uid: "1" } }],
    pods: [
      podWith({ nodeName: "mine" }, { name: "here", namespace: "ns", uid: "2" }),
      podWith({ nodeName: "other" }, { name: "there", namespace: "ns", uid: "3" }),
    ],
  };
  const refusalOf = async (write: Parameters<PluginGround["admit"]>[0]) =>
    (await new PluginGround(nodeRestriction, { known }).admit({ user, ...write })).refusal;
  const of = (name: string, why: string) => `${name} is forbidden: ${why}`;
  const pod = 'pods "pod"';
  const node = (labels: object = {}, spec: object = {}, name = "mine") => ({
    metadata: { name, labels },
    spec,
  });

  test("other users are not restricted", async () => {
    const write = { resource: "pods", object: podWith() };
    expect(await refusalOf({ ...write, user: { name: "someone" } })).toBeUndefined();
    expect(await refusalOf({ ...write, user: { name: "system:node:mine", groups: [] } })).toBeUndefined();
  });

  test.each([
    [mirror(), undefined],
    [
      podWith(),
      'pod does not have "kubernetes.io/config.mirror" annotation, node "mine" can only create mirror pods',
    ],
    [mirror({ nodeName: "other" }), 'node "mine" can only create pods with spec.nodeName set to itself'],
    [
      mirror({}, { ownerReferences: [] }),
      'node "mine" can only create pods with an owner reference set to itself',
    ],
    [
      mirror({}, { ownerReferences: [mine, mine] }),
      'node "mine" can only create pods with a single owner reference set to itself',
    ],
    [mirror({}, { ownerReferences: [{ ...mine, uid: "9" }] }), "node mine UID mismatch: expected 9 got 1"],
    [mirror({ serviceAccountName: "a" }), 'node "mine" can not create pods that reference a service account'],
    [mirror({ imagePullSecrets: [{ name: "s" }] }), 'node "mine" can not create pods that reference secrets'],
    [
      mirror({ volumes: [{ name: "v", configMap: { name: "c" } }] }),
      'node "mine" can not create pods that reference configmaps',
    ],
    [
      mirror({ volumes: [{ name: "v", persistentVolumeClaim: { claimName: "c" } }] }),
      'node "mine" can not create pods that reference persistentvolumeclaims',
    ],
  ])("a new pod %j", async (object, why) => {
    expect(await refusalOf({ resource: "pods", object })).toBe(why && of(pod, why));
  });

  test("pods of other nodes are left alone", async () => {
    const other = podWith({ nodeName: "other" });
    const own = podWith({ nodeName: "mine" });
    expect(await refusalOf({ resource: "pods", old: own })).toBeUndefined();
    expect(await refusalOf({ resource: "pods", old: other })).toBe(
      of(pod, 'node "mine" can only delete pods with spec.nodeName set to itself'),
    );
    expect(await refusalOf({ resource: "pods/status", object: own, old: own })).toBeUndefined();
    expect(await refusalOf({ resource: "pods/status", object: other, old: other })).toBe(
      of(pod, 'node "mine" can only update pod status for pods with spec.nodeName set to itself'),
    );
    expect(
      await refusalOf({
        resource: "pods/status",
        object: podWith({ nodeName: "mine" }, { labels: { a: "b" } }),
        old: own,
      }),
    ).toBe(of(pod, 'node "mine" cannot update labels through pod status'));
    expect(await refusalOf({ resource: "pods/eviction", object: podWith(), name: "here" })).toBeUndefined();
    expect(await refusalOf({ resource: "pods/eviction", object: podWith(), name: "gone" })).toBe(
      'pod "gone" not found',
    );
    expect(await refusalOf({ resource: "pods/eviction", object: podWith(), name: "there" })).toBe(
      of('pods "there"', "node mine can only evict pods with spec.nodeName set to itself"),
    );
    expect(await refusalOf({ resource: "pods/exec", object: podWith() })).toBe(
      of(pod, "unexpected pod subresource \"exec\", only 'status' and 'eviction' are allowed"),
    );
  });

  test.each([
    [node(), undefined, undefined],
    [node({ "kubernetes.io/hostname": "mine", "example.com/a": "b" }), undefined, undefined],
    [
      node({ "node-restriction.kubernetes.io/a": "b" }, {}, "other"),
      undefined,
      'node "mine" is not allowed to modify node "other"',
    ],
    [
      node({ "node-restriction.kubernetes.io/a": "b", "a.k8s.io/b": "c" }),
      undefined,
      'node "mine" is not allowed to set the following labels: a.k8s.io/b, node-restriction.kubernetes.io/a',
    ],
    [node(), node({ "kubernetes.io/role": "x" }), "is not allowed to modify labels: kubernetes.io/role"],
    [
      node(),
      node({}, { taints: [{ key: "a", effect: "NoSchedule" }] }),
      'node "mine" is not allowed to modify taints',
    ],
  ])("node %j instead of %j", async (object, old, why) => {
    const refusal = await refusalOf({ resource: "nodes", object, ...(old && { old }) });
    expect(refusal).toBe(why && of(`nodes "${object.metadata.name}"`, why));
  });

  test("leases and storage drivers are those of the node", async () => {
    const lease = (name: string, namespace: string) => ({
      resource: "leases",
      namespace,
      object: { metadata: { name, namespace } },
    });
    expect(await refusalOf(lease("mine", "kube-node-lease"))).toBeUndefined();
    expect(await refusalOf(lease("mine", "ns"))).toContain(
      'can only access leases in the "kube-node-lease" system namespace',
    );
    expect(await refusalOf(lease("other", "kube-node-lease"))).toContain(
      "with the same name as the requesting node",
    );
    const driver = (name: string) => ({
      resource: "csinodes",
      object: { metadata: { name }, spec: { drivers: [] } },
    });
    expect(await refusalOf(driver("mine"))).toBeUndefined();
    expect(await refusalOf(driver("other"))).toContain("can only access CSINode with the same name");
  });

  test("a claim's status has its size and conditions alone", async () => {
    const claim = (status: object, metadata: object = {}) => ({
      metadata: { name: "c", ...metadata },
      spec: { resources: { requests: { storage: "1Gi" } } },
      status,
    });
    const resource = "persistentvolumeclaims/status";
    const old = claim({ phase: "Bound" });
    expect(
      await refusalOf({ resource, object: claim({ phase: "Bound", capacity: { storage: "2Gi" } }), old }),
    ).toBeUndefined();
    expect(await refusalOf({ resource, object: claim({ phase: "Lost" }), old })).toContain(
      "is not allowed to update fields",
    );
    expect(await refusalOf({ resource: "persistentvolumeclaims", object: old, old })).toContain(
      "may only update PVC status",
    );
    const gated = new PluginGround(nodeRestriction, { known, gates: { ExpandPersistentVolumes: false } });
    expect((await gated.admit({ user, resource, object: old, old })).refusal).toContain(
      'node "mine" is not allowed to update persistentvolumeclaim metadata',
    );
  });
});
