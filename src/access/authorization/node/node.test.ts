import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { type AccessInfo, resourceAccess } from "../../../apimachinery/requests/authorizer.js";
import { NodeAuthorizer, type NodeFeatures } from "./node-authorizer.js";
import { NodeGraph, type PodReferences, type VolumeReferences } from "./node-graph.js";
import { podReferences, volumeReferences } from "./pod-references.js";

const signal = new AbortController().signal;
let graph: NodeGraph;

beforeEach(() => {
  graph = new NodeGraph();
});

const pod = (node: string, changes: Partial<PodReferences> = {}): PodReferences => ({
  namespace: "ns",
  node,
  secrets: [],
  configMaps: [],
  claims: [],
  serviceAccount: "",
  resourceClaims: [],
  ...changes,
});

const oldest: NodeFeatures = { selectors: false, resourceClaims: false, slices: false };
const newest: NodeFeatures = {
  selectors: true,
  resourceClaims: true,
  slices: true,
  serviceAccounts: true,
  podCertificates: true,
};

function createAuthorizer(features = oldest) {
  return new NodeAuthorizer({
    graph,
    features,
    resourceGroup: "resource.example.io",
    certificatesGroup: "certificates.example.io",
    rules: [{ verbs: ["get", "list"], apiGroups: [""], resources: ["services"] }],
    leaseNamespace: "leases",
    storageGroup: "storage.example.io",
    coordinationGroup: "coordination.example.io",
  });
}

function decide(info: AccessInfo, name = "system:node:n1", groups = ["system:nodes"]) {
  return createAuthorizer().authorize({ user: { name, uid: "", groups, extra: {} }, info, signal });
}

const asked = (verb: string, path: string, apiGroup = ""): AccessInfo => {
  const [resource = "", name = "", subresource = ""] = path.split("/");
  return resourceAccess({ verb, resource, name, subresource, namespace: "ns", apiGroup });
};

describe("a node", () => {
  beforeEach(() => {
    graph.setPod(
      "ns/p",
      pod("n1", { secrets: ["s"], configMaps: ["c"], claims: ["v"], serviceAccount: "sa" }),
    );
    graph.setPod("ns/q", pod("n2", { secrets: ["other"] }));
    graph.setVolume("pv", { claim: "ns/v", secrets: ["infra/mount"] });
    graph.setOwned("attachment", "va", "n1");
  });

  const none = "no relationship found between node 'n1' and this object";
  const storage = "storage.example.io";
  const coordination = "coordination.example.io";
  test.each<[AccessInfo, string | undefined]>([
    [asked("get", "secrets/s"), undefined],
    [asked("list", "secrets/s"), undefined],
    [asked("watch", "secrets/s"), undefined],
    [asked("list", "secrets"), "No Object name found"],
    [asked("get", "secrets/other"), none],
    [asked("update", "secrets/s"), "can only read resources of this type"],
    [asked("get", "secrets/s/x"), "cannot read subresource"],
    [{ ...asked("get", "secrets/s"), namespace: "" }, "can only read namespaced object of this type"],
    [{ ...asked("get", "secrets/mount"), namespace: "infra" }, undefined],
    [asked("get", "configmaps/c"), undefined],
    [asked("get", "configmaps/s"), none],
    [asked("get", "persistentvolumeclaims/v"), undefined],
    [asked("list", "persistentvolumeclaims/v"), "can only get individual resources of this type"],
    [asked("patch", "persistentvolumeclaims/v/status"), undefined],
    [asked("get", "persistentvolumeclaims/v/status"), "can only update resource of this type"],
    [asked("get", "persistentvolumes/pv"), undefined],
    [asked("get", "persistentvolumes/other"), none],
    [asked("create", "serviceaccounts/sa/token"), undefined],
    [asked("create", "serviceaccounts/other/token"), none],
    [asked("create", "serviceaccounts/sa"), "can only create token subresource of service account"],
    [asked("get", "serviceaccounts/sa"), "can only create tokens for individual service accounts"],
    [asked("get", "volumeattachments/va", storage), undefined],
    [asked("get", "volumeattachments/other", storage), none],
    [asked("update", "csinodes/n1", storage), undefined],
    [asked("create", "csinodes", storage), undefined],
    [
      asked("update", "csinodes/n2", storage),
      "can only access CSINode with the same name as the requesting node",
    ],
    [asked("list", "csinodes", storage), "can only get, create, update, patch, or delete a CSINode"],
    [{ ...asked("update", "leases/n1", coordination), namespace: "leases" }, undefined],
    [{ ...asked("create", "leases", coordination), namespace: "leases" }, undefined],
    [asked("update", "leases/n1", coordination), 'can only access leases in the "leases" system namespace'],
    [
      { ...asked("update", "leases/n2", coordination), namespace: "leases" },
      "can only access node lease with the same name as the requesting node",
    ],
    [asked("get", "services/x"), undefined],
    [asked("delete", "services/x"), ""],
    [asked("get", "nodes/n1"), ""],
  ])("asks for %j: %s", (info, reason) => {
    expect(decide(info)).toEqual(
      reason === undefined ? { kind: "allow", reason: "" } : { kind: "noOpinion", reason },
    );
  });

  test("is a user of that name in the group of nodes", () => {
    const info = asked("get", "secrets/s");
    expect(decide(info, "system:node:n1", [])).toEqual({ kind: "noOpinion", reason: "" });
    expect(decide(info, "n1")).toEqual({ kind: "noOpinion", reason: "" });
    expect(decide(info, "system:node:")).toEqual({
      kind: "noOpinion",
      reason: 'unknown node for user "system:node:"',
    });
  });

  test("loses access to what its pods no longer need", () => {
    graph.setPod("ns/r", pod("n1", { secrets: ["s"] }));
    graph.setPod("ns/p", undefined);
    expect(graph.reaches("n1", "secret", "ns/s")).toBe(true);
    expect(graph.reaches("n1", "volume", "pv")).toBe(false);
    expect(graph.reaches("n1", "secret", "infra/mount")).toBe(false);
    graph.setPod("ns/r", undefined);
    expect(graph.reaches("n1", "secret", "ns/s")).toBe(false);
  });
});

describe("with selectors, a node", () => {
  beforeEach(() => {
    graph = new NodeGraph({ knowsPods: true });
    graph.setPod("ns/p", pod("n1", { serviceAccount: "sa", resourceClaims: ["rc"] }));
    graph.setPod("ns/q", pod("n2"));
    graph.setOwned("resourceSlice", "s1", "n1");
    graph.setOwned("resourceSlice", "s2", "n2");
    graph.setOwned("podCertificateRequest", "ns/c1", "n1");
  });

  const none = "no relationship found between node 'n1' and this object";
  const devices = "resource.example.io";
  const certificates = "certificates.example.io";
  const limited = (info: AccessInfo, node = "n1", operator = "In"): AccessInfo => ({
    ...info,
    name: "",
    selectors: { fields: [{ key: "spec.nodeName", operator, values: [node] }], labels: [] },
  });
  const listPods = "can only list/watch pods with spec.nodeName field selector";
  const listSlices = "can only list/watch/deletecollection resourceslices with nodeName field selector";
  const listRequests = "can only list/watch podcertificaterequests with nodeName field selector";
  test.each<[AccessInfo, string | undefined]>([
    [asked("get", "nodes/n1"), undefined],
    [asked("watch", "nodes/n1"), undefined],
    [asked("get", "nodes/n2"), "node 'n1' cannot read 'n2', only its own Node object"],
    [asked("list", "nodes"), "node 'n1' cannot read all nodes, only its own Node object"],
    [asked("create", "nodes"), undefined],
    [asked("patch", "nodes/n2/status"), undefined],
    [asked("delete", "nodes/n1"), ""],
    [asked("get", "nodes/n1/proxy"), ""],
    [asked("get", "pods/p"), undefined],
    [asked("get", "pods/q"), none],
    [asked("get", "pods/p/log"), ""],
    [limited(asked("list", "pods")), undefined],
    [limited(asked("watch", "pods")), undefined],
    [limited(asked("list", "pods"), "n2"), listPods],
    [limited(asked("list", "pods"), "n1", "NotIn"), listPods],
    [asked("list", "pods"), listPods],
    [asked("list", "pods/p"), undefined],
    [asked("list", "pods/q"), none],
    [asked("create", "pods"), undefined],
    [asked("patch", "pods/p"), ""],
    [asked("patch", "pods/q/status"), undefined],
    [asked("create", "pods/q/eviction"), undefined],
    [asked("create", "pods/q/binding"), ""],
    [asked("get", "resourceclaims/rc", devices), undefined],
    [asked("get", "resourceclaims/other", devices), none],
    [asked("list", "resourceclaims/rc", devices), "can only get individual resources of this type"],
    [{ ...asked("get", "resourceslices/s1", devices), namespace: "" }, undefined],
    [{ ...asked("delete", "resourceslices/s2", devices), namespace: "" }, none],
    [limited(asked("deletecollection", "resourceslices", devices)), undefined],
    [asked("list", "resourceslices", devices), listSlices],
    [asked("get", "serviceaccounts/sa"), undefined],
    [asked("get", "serviceaccounts/other"), none],
    [asked("get", "podcertificaterequests/c1", certificates), undefined],
    [asked("get", "podcertificaterequests/c2", certificates), none],
    [limited(asked("list", "podcertificaterequests", certificates)), undefined],
    [asked("watch", "podcertificaterequests", certificates), listRequests],
    [
      asked("delete", "podcertificaterequests/c1", certificates),
      "nodes may not delete podcertificaterequests",
    ],
    [
      asked("get", "podcertificaterequests/c1/status", certificates),
      "nodes may not access the status subresource of PodCertificateRequests",
    ],
  ])("asks %j: %s", (info, reason) => {
    const user = { name: "system:node:n1", uid: "", groups: ["system:nodes"], extra: {} };
    expect(createAuthorizer(newest).authorize({ user, info, signal })).toEqual(
      reason === undefined ? { kind: "allow", reason: "" } : { kind: "noOpinion", reason },
    );
  });

  test("reads the accounts of its pods, asks for their certificates and reads slices only where it can", () => {
    const user = { name: "system:node:n1", uid: "", groups: ["system:nodes"], extra: {} };
    const decideWith = (features: NodeFeatures, info: AccessInfo) =>
      createAuthorizer(features).authorize({ user, info, signal });
    const account = asked("get", "serviceaccounts/sa");
    expect(decideWith({ ...newest, serviceAccounts: false }, account)).toMatchObject({
      kind: "noOpinion",
      reason: "not allowed to get service accounts",
    });
    const own = limited(asked("list", "podcertificaterequests", certificates));
    expect(decideWith({ ...newest, podCertificates: false }, own)).toEqual({ kind: "noOpinion", reason: "" });
    const slices = asked("list", "resourceslices", devices);
    expect(decideWith({ ...newest, selectors: false }, slices)).toMatchObject({ kind: "allow" });
  });
});

test("any sequence of changes leaves the graph as if it had been made of the outcome", () => {
  const small = (prefix: string, max = 2) =>
    fc.integer({ min: 0, max }).map((number) => `${prefix}${number}`);
  const change = fc.oneof(
    fc.record({
      kind: fc.constant("pod" as const),
      name: small("ns/p", 4),
      view: fc.option(
        fc.record({
          node: fc.oneof(small("n"), fc.constant("")),
          secrets: fc.array(small("s")),
          claims: fc.array(small("c")),
        }),
        { nil: undefined },
      ),
    }),
    fc.record({
      kind: fc.constant("volume" as const),
      name: small("v", 4),
      view: fc.option(
        fc.record({
          claim: fc.option(small("ns/c"), { nil: undefined }),
          secrets: fc.uniqueArray(small("ns/s")),
        }),
        { nil: undefined },
      ),
    }),
  );
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const changing = new NodeGraph();
      const pods = new Map<string, PodReferences>();
      const volumes = new Map<string, VolumeReferences>();
      for (const each of changes) {
        if (each.kind === "pod") {
          const view = each.view && pod(each.view.node, each.view);
          changing.setPod(each.name, view);
          if (view === undefined) pods.delete(each.name);
          else pods.set(each.name, view);
        } else {
          changing.setVolume(each.name, each.view);
          if (each.view === undefined) volumes.delete(each.name);
          else volumes.set(each.name, each.view);
        }
      }
      for (const node of ["n0", "n1", "n2"]) {
        const own = [...pods.values()].filter((view) => view.node === node);
        const mounted = [...volumes].filter(([, { claim }]) =>
          own.some(({ claims }) => claims.some((name) => `ns/${name}` === claim)),
        );
        for (const name of ["s0", "s1", "s2"]) {
          const expected =
            own.some(({ secrets }) => secrets.includes(name)) ||
            mounted.some(([, { secrets }]) => secrets.includes(`ns/${name}`));
          expect(changing.reaches(node, "secret", `ns/${name}`)).toBe(expected);
        }
        for (const name of ["v0", "v1", "v2", "v3", "v4"]) {
          expect(changing.reaches(node, "volume", name)).toBe(mounted.some(([other]) => other === name));
        }
      }
    }),
    { numRuns: 300 },
  );
});

test("a pod refers to what its containers and volumes name; a mirror pod to nothing", () => {
  const container = {
    name: "c",
    env: [{ name: "A", valueFrom: { secretKeyRef: { name: "env", key: "k" } } }],
    envFrom: [{ configMapRef: { name: "all" } }],
  };
  const full = {
    metadata: { name: "p", namespace: "ns" },
    spec: {
      nodeName: "n1",
      serviceAccountName: "sa",
      imagePullSecrets: [{ name: "pull" }, {}],
      initContainers: [{ name: "i", envFrom: [{ secretRef: { name: "init" } }] }],
      containers: [container],
      volumes: [
        { name: "a", secret: { secretName: "vol" } },
        {
          name: "b",
          projected: { sources: [{ configMap: { name: "proj" } }, { secret: { name: "projs" } }] },
        },
        { name: "d", persistentVolumeClaim: { claimName: "claim" } },
        { name: "e", ephemeral: {} },
      ],
      resourceClaims: [
        { name: "a", resourceClaimName: "named" },
        { name: "b", resourceClaimTemplateName: "t" },
      ],
    },
    status: {
      resourceClaimStatuses: [{ name: "b", resourceClaimName: "made" }, { name: "c" }],
      extendedResourceClaimStatus: { resourceClaimName: "extended" },
    },
  };
  // The fields left out play no role here.
  expect(podReferences(full as never, "mirror")).toEqual({
    namespace: "ns",
    node: "n1",
    serviceAccount: "sa",
    secrets: ["pull", "init", "env", "vol", "projs"],
    configMaps: ["all", "proj"],
    claims: ["claim", "p-e"],
    resourceClaims: ["named", "made", "extended"],
  });
  const mirror = { ...full, metadata: { ...full.metadata, annotations: { mirror: "x" } } };
  expect(podReferences(mirror as never, "mirror")).toEqual(pod("n1"));
});

test("a volume refers to the secrets that nodes use, not to those of controllers", () => {
  const volume = {
    metadata: { name: "v" },
    spec: {
      claimRef: { namespace: "ns", name: "c" },
      csi: {
        driver: "d",
        volumeHandle: "h",
        nodeStageSecretRef: { name: "stage", namespace: "infra" },
        nodeExpandSecretRef: { name: "expand", namespace: "infra" },
        controllerPublishSecretRef: { name: "controller", namespace: "infra" },
      },
      azureFile: { secretName: "azure", shareName: "s" },
    },
  };
  expect(volumeReferences(volume as never)).toEqual({
    claim: "ns/c",
    secrets: ["ns/azure", "infra/stage", "infra/expand"],
  });
  expect(volumeReferences({ metadata: {}, spec: {} } as never)).toEqual({ claim: undefined, secrets: [] });
});

test("says that its rules cannot be listed for nodes alone", async () => {
  const rulesOf = async (name: string, groups: string[]) =>
    await createAuthorizer().rulesFor({ name, uid: "", groups, extra: {} });
  expect(await rulesOf("system:node:n1", ["system:nodes"])).toEqual({
    resourceRules: [],
    nonResourceRules: [],
    incomplete: true,
    error: "node authorizer does not support user rule resolution",
  });
  const nothing = { resourceRules: [], nonResourceRules: [], incomplete: false };
  expect(await rulesOf("system:node:n1", ["developers"])).toEqual(nothing);
  expect(await rulesOf("alice", ["system:nodes"])).toEqual(nothing);
});
