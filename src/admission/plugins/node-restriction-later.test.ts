import { describe, expect, test } from "vitest";
import { PluginGround } from "../testing/plugin-ground.js";
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

async function refusalOf(write: Parameters<PluginGround["admit"]>[0]): Promise<string | undefined> {
  const ground = new PluginGround(nodeRestriction, {
    known,
    level: "1.35",
    gates: { PodCertificateRequest: true },
  });
  return (await ground.admit({ user, ...write })).refusal;
}

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
