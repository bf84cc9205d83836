import { expect, test } from "vitest";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podWith } from "../testing/test-pods.js";
import { nodeRestriction } from "./node-restriction.js";

const user = { name: "system:node:mine", groups: ["system:nodes"] };
const owner = { apiVersion: "v1", kind: "Node", name: "mine", uid: "1", controller: true };
const annotations = { "kubernetes.io/config.mirror": "x" };
const volume = (of: object): object => ({ volumes: [{ name: "v", ...of }] });
const projected = (source: object) => volume({ projected: { sources: [source] } });
const claim = { resourceClaims: [{ name: "c", resourceClaimName: "c" }] };
const bundle = projected({ clusterTrustBundle: { name: "b", path: "b" } });

test.each<[ApiLevel, object, string | undefined]>([
  ["1.33", { serviceAccountName: "a" }, "a service account"],
  ["1.34", { serviceAccountName: "a" }, "serviceaccounts"],
  ["1.36", { imagePullSecrets: [{ name: "s" }] }, "secrets"],
  ["1.36", volume({ configMap: { name: "c" } }), "configmaps"],
  ["1.31", claim, undefined],
  ["1.32", claim, "resourceclaims"],
  ["1.36", claim, "resourceclaims"],
  ["1.28", bundle, undefined],
  ["1.29", bundle, "clustertrustbundles"],
  ["1.36", bundle, "clustertrustbundles"],
  ["1.33", volume({ csi: { driver: "d" } }), undefined],
  ["1.34", volume({ csi: { driver: "d" } }), "csidrivers (via CSI volumes)"],
  ["1.34", volume({ glusterfs: { endpoints: "e", path: "p" } }), "endpoints (via glusterFS volumes)"],
  ["1.36", volume({ persistentVolumeClaim: { claimName: "c" } }), "persistentvolumeclaims"],
  [
    "1.36",
    volume({ ephemeral: { volumeClaimTemplate: {} } }),
    "persistentvolumeclaims (via ephemeral volumes)",
  ],
  ["1.36", projected({ serviceAccountToken: { path: "t" } }), "serviceaccounts (via projected volumes)"],
  [
    "1.36",
    projected({ podCertificate: { signerName: "a.b/c", keyType: "ED25519", credentialBundlePath: "p" } }),
    "podcertificates",
  ],
  ["1.36", volume({ hostPath: { path: "/x" } }), undefined],
])("at %s, a node's own pod with %j refers to %s", async (level, spec, what) => {
  const known = { nodes: [{ metadata: { name: "mine", uid: "1" } }] };
  const ground = new PluginGround(nodeRestriction, { level, known });
  const object = podWith({ nodeName: "mine", ...spec }, { annotations, ownerReferences: [owner] });
  const { refusal } = await ground.admit({ user, resource: "pods", object });
  expect(refusal).toBe(
    what && `pods "pod" is forbidden: node "mine" can not create pods that reference ${what}`,
  );
});

test.each<[string, object, string | undefined]>([
  ["what it did", {}, undefined],
  [
    "the claims",
    { resourceClaimStatuses: [{ name: "c", resourceClaimName: "d" }] },
    "resource claim statues",
  ],
  [
    "the claim for extended resources",
    { extendedResourceClaimStatus: { requestMappings: [], resourceClaimName: "d" } },
    "extended resource claim status",
  ],
])("a node tells in the status of a pod of %s", async (_what, status, refused) => {
  const ground = new PluginGround(nodeRestriction, { level: "1.36" });
  const pod = (of: object) => ({ ...podWith({ nodeName: "mine" }), status: of });
  const { refusal } = await ground.admit({
    user,
    resource: "pods/status",
    old: pod({}),
    object: pod(status),
  });
  expect(refusal).toBe(refused && `pods "pod" is forbidden: node "mine" cannot update ${refused}`);
});
