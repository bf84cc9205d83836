import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import type { TokenRequest } from "../../apis/gen/authentication-v1.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { testSigningRequest } from "../testing/signing-request.js";
import { podWith } from "../testing/test-pods.js";
import { nodeRestriction } from "./node-restriction.js";

const user = { name: "system:node:mine", groups: ["system:nodes"] };
const spec = { nodeName: "mine", serviceAccountName: "account" };
const known = {
  nodes: [{ metadata: { name: "mine", uid: "1" } }],
  pods: [
    podWith(spec, { name: "here", namespace: "ns", uid: "2" }),
    podWith({ ...spec, nodeName: "other" }, { name: "there", namespace: "ns", uid: "3" }),
    podWith(spec, {
      name: "mirror",
      namespace: "ns",
      uid: "4",
      annotations: { "kubernetes.io/config.mirror": "x" },
    }),
    podWith({ ...spec, serviceAccountName: "gone" }, { name: "lost", namespace: "ns", uid: "6" }),
  ],
  serviceaccounts: [{ metadata: { name: "account", namespace: "ns", uid: "5" } }],
};

async function refusalOf(
  write: Parameters<PluginGround["admit"]>[0],
  level: ApiLevel = "1.35",
): Promise<string | undefined> {
  const ground = new PluginGround(nodeRestriction, {
    known,
    level,
    gates: { PodCertificateRequest: true },
  });
  return (await ground.admit({ user, ...write })).refusal;
}

test("a node keeps its owners from 1.31 on: an owner that is gone would have it deleted", async () => {
  const owner = { apiVersion: "v1", kind: "Namespace", name: "gone", uid: "9" };
  const free = { metadata: { name: "mine" }, spec: {} };
  const owned = { metadata: { name: "mine", ownerReferences: [owner] }, spec: {} };
  const change = (object: object, old: object, level?: ApiLevel) =>
    refusalOf({ resource: "nodes", object, old }, level);
  const why = 'nodes "mine" is forbidden: node "mine" is not allowed to modify ownerReferences';
  expect(await change(owned, free)).toBe(why);
  expect(await change(free, owned)).toBe(why);
  expect(await change(owned, owned)).toBeUndefined();
  expect(await change(owned, free, "1.31")).toBe(why);
  expect(await change(owned, free, "1.30")).toBeUndefined();
});

describe("a node that asks for a pod's certificate", () => {
  const asked = {
    signerName: "example.com/signer",
    nodeName: "mine",
    nodeUID: "1",
    podName: "here",
    podUID: "2",
    serviceAccountName: "account",
    serviceAccountUID: "5",
  };

  test.each([
    [{}, undefined],
    [
      { nodeName: "other" },
      'PodCertificateRequest.Spec.NodeName="other", which is not the requesting node "mine"',
    ],
    [
      { nodeUID: "9" },
      'PodCertificateRequest for pod "ns/here" names node UID "9", inconsistent with the running node ("1")',
    ],
    [
      { podName: "gone" },
      'while retrieving pod "ns/gone" named in the PodCertificateRequest: pod "gone" not found',
    ],
    [
      { podUID: "9" },
      'PodCertificateRequest for pod "ns/here" contains pod UID ("9") which differs from running pod "2"',
    ],
    [
      { podName: "there", podUID: "3" },
      'pod "ns/there" is not running on node "mine" named in the PodCertificateRequest',
    ],
    [{ podName: "mirror", podUID: "4" }, 'pod "ns/mirror" is a mirror pod'],
    [
      { serviceAccountName: "root" },
      'PodCertificateRequest for pod "ns/here" contains serviceAccountName ("root") that differs from running pod ("account")',
    ],
    [
      { podName: "lost", podUID: "6", serviceAccountName: "gone" },
      'while retrieving service account "ns/gone" named in the PodCertificateRequest: serviceaccount "gone" not found',
    ],
    [
      { serviceAccountUID: "9" },
      'PodCertificateRequest for pod "ns/here" names service account UID "9", which differs from the running service account ("5")',
    ],
  ])("with %j", async (changes, why) => {
    const object = { metadata: { name: "r", namespace: "ns" }, spec: { ...asked, ...changes } };
    const refusal = await refusalOf({ resource: "podcertificaterequests", object });
    expect(refusal).toBe(why && `podcertificaterequests.certificates.k8s.io "r" is forbidden: ${why}`);
  });

  test("never changes it", async () => {
    const object = { metadata: { name: "r", namespace: "ns" }, spec: asked };
    const write = { object, old: object };
    expect(await refusalOf({ ...write, resource: "podcertificaterequests" })).toContain(
      "unexpected operation UPDATE",
    );
    expect(await refusalOf({ ...write, resource: "podcertificaterequests/status" })).toContain(
      "unexpected operation UPDATE",
    );
  });
});

describe("a node that asks for a certificate", () => {
  const signers = ["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"];
  const write = async (signerName: string, commonName: string) => ({
    resource: "certificatesigningrequests",
    object: {
      metadata: { name: "csr" },
      spec: {
        signerName,
        request: await testSigningRequest({ commonName, organizations: ["system:nodes"] }),
        usages: [],
      },
    },
  });
  const refused = 'certificatesigningrequests.certificates.k8s.io "csr" is forbidden:';

  test.each(signers)("of %s names itself from 1.31 on", async (signer) => {
    const other = await write(signer, "system:node:other");
    expect(await refusalOf(await write(signer, "system:node:mine"))).toBeUndefined();
    expect(await refusalOf(other)).toBe(`${refused} can only create a node CSR with CN=system:node:mine`);
    expect(await refusalOf(other, "1.30")).toBeUndefined();
  });

  test("of another signer, or with the gate, names anyone", async () => {
    expect(await refusalOf(await write("example.com/signer", "system:node:other"))).toBeUndefined();
    const ground = new PluginGround(nodeRestriction, {
      level: "1.31",
      gates: { AllowInsecureNodeAgentCertificateSigningRequests: true },
    });
    const other = await write("kubernetes.io/kubelet-serving", "system:node:other");
    expect((await ground.admit({ user, ...other })).refusal).toBeUndefined();
  });

  test("sends one that can be read", async () => {
    const { resource, object } = await write("kubernetes.io/kubelet-serving", "");
    const broken = { ...object, spec: { ...object.spec, request: "YQ==" } };
    expect(await refusalOf({ resource, object: broken })).toBe(
      `${refused} unable to parse csr: PEM block type must be CERTIFICATE REQUEST`,
    );
  });
});

test("a node tells how far a claim's resize has come", async () => {
  const claim = (status: object) => ({ metadata: { name: "c", namespace: "ns" }, spec: {}, status });
  const write = {
    resource: "persistentvolumeclaims/status",
    object: claim({ allocatedResourceStatuses: { storage: "NodeResizeInProgress" } }),
    old: claim({ allocatedResourceStatuses: { storage: "NodeResizePending" } }),
  };
  expect(await refusalOf(write, "1.32")).toBeUndefined();
});

test("a node writes slices of its own devices alone", async () => {
  const slice = (nodeName?: string) => ({
    metadata: { name: "s" },
    spec: { driver: "example.com", pool: { name: "p", generation: 1, resourceSliceCount: 1 }, nodeName },
  });
  const resource = "resourceslices";
  expect(await refusalOf({ resource, object: slice("mine") })).toBeUndefined();
  expect(await refusalOf({ resource, old: slice("mine") })).toBeUndefined();
  expect(await refusalOf({ resource, object: slice("other"), old: slice("mine") })).toBeUndefined();
  for (const other of [slice("other"), slice()]) {
    expect(await refusalOf({ resource, object: other })).toBe(
      'resourceslices.resource.k8s.io "s" is forbidden: can only create ResourceSlice with the same NodeName as the requesting node',
    );
    expect(await refusalOf({ resource, old: other })).toBe(
      'resourceslices.resource.k8s.io "s" is forbidden: can only delete ResourceSlice with the same NodeName as the requesting node',
    );
  }
});

describe("a node that asks for a token", () => {
  const projected = {
    name: "t",
    projected: { sources: [{ serviceAccountToken: { audience: "vault", path: "t" } }] },
  };
  const volumes = [
    projected,
    { name: "d", csi: { driver: "inline" } },
    { name: "c", persistentVolumeClaim: { claimName: "c" } },
  ];
  const drivers = [
    ["inline", "of-inline"],
    ["claimed", "of-claim"],
    ["ebs.csi.aws.com", "of-disk"],
  ].map(([name, audience]) => ({ metadata: { name }, spec: { tokenRequests: [{ audience }] } }));
  const cluster = {
    nodes: known.nodes,
    pods: [
      podWith({ ...spec, volumes }, { name: "here", namespace: "ns", uid: "2" }),
      podWith(
        { ...spec, volumes: [{ name: "e", awsElasticBlockStore: { volumeID: "1" } }] },
        { name: "old", namespace: "ns", uid: "3" },
      ),
      podWith(
        { ...spec, volumes: [{ name: "c", persistentVolumeClaim: { claimName: "gone" } }] },
        { name: "lacking", namespace: "ns", uid: "4" },
      ),
    ],
    persistentvolumeclaims: [{ metadata: { name: "c", namespace: "ns" }, spec: { volumeName: "v" } }],
    persistentvolumes: [{ metadata: { name: "v" }, spec: { csi: { driver: "claimed", volumeHandle: "h" } } }],
    csidrivers: drivers,
  };

  async function ask(
    audiences: readonly string[],
    level: ApiLevel = "1.36",
    pod = "here",
  ): Promise<string | undefined> {
    const ground = new PluginGround(nodeRestriction, {
      known: cluster,
      level,
      isAllowed: (_user, { resource, verb, name }) =>
        resource === "granted" && verb === "request-serviceaccounts-token-audience" && name === "account",
    });
    const uid = { here: "2", old: "3", lacking: "4" }[pod];
    const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: pod, uid };
    const request: TokenRequest = {
      metadata: {},
      spec: { audiences: [...audiences], boundObjectRef },
      status: { token: "", expirationTimestamp: undefined },
    };
    const { refusal } = await ground.admit({
      user,
      resource: "serviceaccounts/token",
      namespace: "ns",
      name: "account",
      other: request,
    });
    return refusal;
  }
  const unknown =
    'audience "other" not found in pod spec volume, system:node:mine is not authorized to request tokens for this audience';

  test.each([
    ["vault", "here"],
    ["of-inline", "here"],
    ["of-claim", "here"],
    ["of-disk", "old"],
    ["granted", "here"],
  ])("gets one for %s, which %s asks for or it may ask for", async (audience, pod) => {
    expect(await ask([audience], "1.36", pod)).toBeUndefined();
  });

  test("gets none for another audience from 1.32 on", async () => {
    expect(await ask(["other"], "1.31")).toBeUndefined();
    expect(await ask(["other"], "1.33")).toContain(unknown);
    expect(await ask(["other"])).toContain(unknown);
    expect(await ask([])).toContain('audience "" not found');
    expect(await ask(["vault", "other"])).toContain("node may only request 0 or 1 audiences");
    expect(await ask(["other"], "1.36", "lacking")).toContain(
      'error validating audience "other": persistentvolumeclaim "gone" not found',
    );
  });
});

test("at 1.30 a node makes slices of its own, and deletes what the authorizer lets it", async () => {
  const slice = (nodeName: string) => ({
    metadata: { name: "s" },
    nodeName,
    driverName: "example.com",
    namedResources: { instances: [] },
  });
  const resource = "resourceslices";
  expect(await refusalOf({ resource, object: slice("mine") }, "1.30")).toBeUndefined();
  expect(await refusalOf({ resource, old: slice("other") }, "1.30")).toBeUndefined();
  expect(await refusalOf({ resource, object: slice("other") }, "1.30")).toContain(
    "can only create ResourceSlice with the same NodeName",
  );
});
