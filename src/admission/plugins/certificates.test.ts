import { expect, test } from "vitest";
import { PluginGround } from "../testing/plugin-ground.js";
import { testSigningRequest } from "../testing/signing-request.js";
import {
  certificateApproval,
  certificateSigning,
  certificateSubjectRestriction,
  clusterTrustBundleAttest,
} from "./certificates.js";

const requestOf = (signerName: string, request = "", status: object = {}) => ({
  metadata: { name: "csr" },
  spec: { signerName, request, usages: ["client auth"] },
  status,
});
const resource = "certificatesigningrequests";
const forbidden = `certificatesigningrequests.certificates.k8s.io "csr" is forbidden:`;

test.each([
  ["example.com/a", true],
  ["example.com/*", true],
  ["other.com/*", false],
])("who may do so for %s", async (allowedName, isAllowed) => {
  const parts = { isAllowed: (_user: unknown, { name }: { name?: string }) => name === allowedName };
  const before = requestOf("example.com/a");
  const after = requestOf("example.com/a", "", { certificate: "YQ==" });
  const approval = await new PluginGround(certificateApproval, parts).admit({
    resource: `${resource}/approval`,
    object: after,
    old: before,
  });
  const signing = new PluginGround(certificateSigning, parts);
  const signed = await signing.admit({ resource: `${resource}/status`, object: after, old: before });
  expect(approval.refusal).toBe(
    isAllowed
      ? undefined
      : `${forbidden} user not permitted to approve requests with signerName "example.com/a"`,
  );
  expect(signed.refusal).toBe(
    isAllowed
      ? undefined
      : `${forbidden} user not permitted to sign requests with signerName "example.com/a"`,
  );
  expect(signing.asked[0]).toEqual({
    group: "certificates",
    version: "*",
    resource: "signers",
    verb: "sign",
    name: "example.com/a",
  });
});

test("other writes are not asked about", async () => {
  const isAllowed = () => false;
  const object = requestOf("example.com/a");
  for (const plugin of [certificateApproval, certificateSigning]) {
    const ground = new PluginGround(plugin, { isAllowed });
    for (const write of [
      { resource, object, old: object },
      { resource: `${resource}/status`, object, old: object },
    ]) {
      expect((await ground.admit(write)).refusal).toBeUndefined();
    }
    expect(ground.asked).toEqual([]);
  }
});

test.each([
  ["kubernetes.io/kube-apiserver-client", ["dev"], undefined],
  [
    "kubernetes.io/kube-apiserver-client",
    ["dev", "system:masters"],
    "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not allowed",
  ],
  ["example.com/other", ["system:masters"], undefined],
])("%s for %j", async (signerName, organizations, problem) => {
  const request = await testSigningRequest({ organizations });
  const ground = new PluginGround(certificateSubjectRestriction);
  const { refusal } = await ground.admit({ resource, object: requestOf(signerName, request) });
  expect(refusal).toBe(problem && `${forbidden} ${problem}`);
});

test("what cannot be read is refused", async () => {
  const ground = new PluginGround(certificateSubjectRestriction);
  const object = requestOf("kubernetes.io/kube-apiserver-client", "YQ==");
  expect((await ground.admit({ resource, object })).refusal).toBe(
    `${forbidden} failed to parse CSR: PEM block type must be CERTIFICATE REQUEST`,
  );
});

test.each(["CREATE", "UPDATE"] as const)(
  "who may %s a bundle of trust anchors of a signer",
  async (operation) => {
    const bundle = (signerName?: string) => ({
      metadata: { name: "b" },
      spec: { signerName, trustBundle: "anchors" },
    });
    const isAllowed = (_user: unknown, { verb, name }: { verb?: string; name?: string }) =>
      verb === "attest" && name === "example.com/a";
    const ground = new PluginGround(clusterTrustBundleAttest, { isAllowed, level: "1.35" });
    const admit = async (signerName?: string) => {
      const object = bundle(signerName);
      const former = { ...object, spec: { ...object.spec, trustBundle: "former" } };
      const old = operation === "UPDATE" ? { old: former } : {};
      return (await ground.admit({ resource: "clustertrustbundles", object, ...old })).refusal;
    };
    expect(await admit("example.com/a")).toBeUndefined();
    expect(await admit()).toBeUndefined();
    expect(await admit("example.com/b")).toBe(
      'clustertrustbundles.certificates.k8s.io "b" is forbidden: user not permitted to attest for signerName "example.com/b"',
    );
  },
);

test("a bundle is written as it is, or released, without a right to attest", async () => {
  const ground = new PluginGround(clusterTrustBundleAttest, { isAllowed: () => false, level: "1.35" });
  const old = {
    metadata: { name: "b", finalizers: ["example.com/f"], labels: { a: "b" } },
    spec: { signerName: "example.com/a", trustBundle: "anchors" },
  };
  const change = async (metadata: object) => {
    const object = { ...old, metadata: { ...old.metadata, ...metadata } };
    return (await ground.admit({ resource: "clustertrustbundles", object, old })).refusal;
  };
  expect(await change({})).toBeUndefined();
  expect(await change({ finalizers: undefined })).toBeUndefined();
  const owner = { apiVersion: "v1", kind: "Namespace", name: "n", uid: "1" };
  expect(await change({ ownerReferences: [owner] })).toBeUndefined();
  expect(await change({ labels: {} })).toContain("user not permitted to attest");
});
