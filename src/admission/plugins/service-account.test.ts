import { expect, test } from "vitest";
import type { Pod } from "../../apis/gen/core-v1.js";
import { PluginGround } from "../testing/plugin-ground.js";
import { podOfContainer, podWith } from "../testing/test-pods.js";
import { serviceAccount } from "./service-account.js";

const account = (name: string, fields: object = {}, annotations: object = {}) => ({
  metadata: { name, namespace: "ns", annotations },
  ...fields,
});
const restricted = account(
  "restricted",
  { secrets: [{ name: "mine" }], imagePullSecrets: [{ name: "pull" }] },
  { "kubernetes.io/enforce-mountable-secrets": "true" },
);
const known = {
  serviceaccounts: [
    account("default"),
    account("quiet", { automountServiceAccountToken: false, imagePullSecrets: [{ name: "pull" }] }),
    restricted,
  ],
};
const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";

async function admit(object: object, cluster: object = { known }) {
  return await new PluginGround(serviceAccount, cluster).admit({ resource: "pods", object });
}

test("a pod runs as the default account and gets its token", async () => {
  const { object } = await admit(podWith({ initContainers: [{ name: "i", image: "i" }] }));
  const mount = { name: "kube-api-access-abcde", readOnly: true, mountPath };
  expect((object as Pod).spec).toMatchObject({
    serviceAccountName: "default",
    serviceAccount: "default",
    containers: [{ volumeMounts: [mount] }],
    initContainers: [{ volumeMounts: [mount] }],
    volumes: [
      {
        name: "kube-api-access-abcde",
        projected: {
          defaultMode: 420,
          sources: [
            { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
            { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
            {
              downwardAPI: {
                items: [
                  { path: "namespace", fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } },
                ],
              },
            },
          ],
        },
      },
    ],
  });
});

test.each([
  ["the account does not mount", { serviceAccountName: "quiet" }, 0],
  ["the pod does, which counts", { serviceAccountName: "quiet", automountServiceAccountToken: true }, 1],
  ["the pod does not", { automountServiceAccountToken: false }, 0],
])("%s", async (_what, spec, volumes) => {
  const { object } = await admit(podWith(spec));
  expect((object as Pod).spec.volumes ?? []).toHaveLength(volumes);
});

test("a container that mounts something there keeps it, and a volume that is there is used", async () => {
  const own = { name: "own", mountPath };
  const first = await admit(podOfContainer({ volumeMounts: [own] }));
  expect((first.object as Pod).spec).toMatchObject({ containers: [{ volumeMounts: [own] }] });
  expect((first.object as Pod).spec.volumes).toBeUndefined();
  const volumes = [{ name: "kube-api-access-mine", emptyDir: {} }];
  const second = await admit(podWith({ volumes }));
  expect((second.object as Pod).spec).toMatchObject({
    volumes,
    containers: [{ volumeMounts: [{ name: "kube-api-access-mine", mountPath }] }],
  });
});

test("pull secrets are the account's unless the pod has its own", async () => {
  const pullOf = async (spec: object) =>
    ((await admit(podWith({ serviceAccountName: "quiet", ...spec }))).object as Pod).spec.imagePullSecrets;
  expect(await pullOf({})).toEqual([{ name: "pull" }]);
  expect(await pullOf({ imagePullSecrets: [{ name: "own" }] })).toEqual([{ name: "own" }]);
});

test("an account that was made a moment ago is found, a missing one is not", async () => {
  const unheard = { serviceaccounts: [account("new")] };
  expect((await admit(podWith({ serviceAccountName: "new" }), { unheard })).refusal).toBeUndefined();
  const missing = await admit(podWith(), {});
  expect(missing.code).toBe(403);
  expect(missing.refusal).toBe(
    'pods "pod" is forbidden: error looking up service account ns/default: serviceaccount "default" not found',
  );
});

const because = "is not allowed because service account restricted does not reference that";

test.each([
  [{ volumes: [{ name: "v", secret: { secretName: "mine" } }] }, undefined],
  [
    { volumes: [{ name: "v", secret: { secretName: "other" } }] },
    `volume with secret.secretName="other" ${because} secret`,
  ],
  [{ imagePullSecrets: [{ name: "other" }] }, `imagePullSecrets[0].name="other" ${because} imagePullSecret`],
  [
    {
      containers: [
        {
          name: "a",
          image: "a",
          env: [{ name: "E", valueFrom: { secretKeyRef: { name: "other", key: "k" } } }],
        },
      ],
    },
    `container a with envVar E referencing secret.secretName="other" ${because} secret`,
  ],
  [{ volumes: [{ name: "v", projected: { sources: [{ secret: { name: "other" } }] } }] }, undefined],
  [{ containers: [{ name: "a", image: "a", envFrom: [{ secretRef: { name: "mine" } }] }] }, undefined],
  [
    { containers: [{ name: "a", image: "a", envFrom: [{ secretRef: { name: "other" } }] }] },
    `container a with envFrom referencing secret.secretName="other" ${because} secret`,
  ],
  [
    { initContainers: [{ name: "i", image: "a", envFrom: [{ secretRef: { name: "other" } }] }] },
    `init container i with envFrom referencing secret.secretName="other" ${because} secret`,
  ],
])("an account that restricts secrets: %j", async (spec, problem) => {
  const { refusal } = await admit(podWith({ serviceAccountName: "restricted", ...spec }));
  expect(refusal).toBe(problem && `pods "pod" is forbidden: ${problem}`);
});

test.each([
  [{ env: [{ name: "E", valueFrom: { secretKeyRef: { name: "mine", key: "k" } } }] }, undefined],
  [
    { env: [{ name: "E", valueFrom: { secretKeyRef: { name: "other", key: "k" } } }] },
    `ephemeral container e with envVar E referencing secret.secretName="other" ${because} secret`,
  ],
  [
    { envFrom: [{ secretRef: { name: "other" } }] },
    `ephemeral container e with envFrom referencing secret.secretName="other" ${because} secret`,
  ],
])("an account that restricts secrets, and a debugging container: %j", async (container, problem) => {
  const ephemeralContainers = [{ name: "e", image: "a", ...container }];
  const object = podWith({ serviceAccountName: "restricted", ephemeralContainers });
  const write = {
    resource: "pods/ephemeralcontainers",
    operation: "UPDATE",
    object,
    old: podWith(),
  } as const;
  const { refusal } = await new PluginGround(serviceAccount, { known }).admit(write);
  expect(refusal).toBe(problem && `pods "pod" is forbidden: ${problem}`);
});

test.each(["pods", "pods/status"])("an update of %s is left as it is", async (resource) => {
  const volumes = [{ name: "v", secret: { secretName: "other" } }];
  const object = podWith({ serviceAccountName: "restricted", volumes });
  const write = { resource, operation: "UPDATE", object, old: object } as const;
  const admitted = await new PluginGround(serviceAccount, { known }).admit(write);
  expect(admitted.refusal).toBeUndefined();
  expect((admitted.object as Pod).spec.volumes).toHaveLength(1);
});

test("volumes from before the account restricted secrets keep no debugging container away", async () => {
  const volumes = [{ name: "v", secret: { secretName: "other" } }];
  const ephemeralContainers = [{ name: "e", image: "a" }];
  const object = podWith({ serviceAccountName: "restricted", volumes, ephemeralContainers });
  const write = {
    resource: "pods/ephemeralcontainers",
    operation: "UPDATE",
    object,
    old: podWith(),
  } as const;
  expect((await new PluginGround(serviceAccount, { known }).admit(write)).refusal).toBeUndefined();
});

test.each([
  [{}, undefined],
  [{ serviceAccountName: "default" }, "a mirror pod may not reference service accounts"],
  [{ volumes: [{ name: "v", secret: { secretName: "s" } }] }, "a mirror pod may not reference secrets"],
  [
    { volumes: [{ name: "v", projected: { sources: [{ serviceAccountToken: { path: "t" } }] } }] },
    "a mirror pod may not use ServiceAccountToken volume projections",
  ],
])("a mirror pod: %j", async (spec, problem) => {
  const annotations = { "kubernetes.io/config.mirror": "x" };
  const { object, refusal } = await admit(podWith(spec, { annotations }));
  expect(refusal).toBe(problem && `pods "pod" is forbidden: ${problem}`);
  if (problem === undefined) expect((object as Pod).spec.serviceAccountName).toBeUndefined();
});
