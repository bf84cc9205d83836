import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";

/** Errors in the words of kube-apiserver 1.23, which tools and people compare. */

const core = "/api/v1/namespaces/default";
const networking = "/apis/networking.k8s.io/v1";
let ground: GroundHere;

beforeAll(async () => {
  ground = await openGroundHere();
});

afterAll(() => ground.dispose());

test.each([
  ["1.23", "/version", "406: Not Acceptable"],
  ["1.25", "/version", "406: Not Acceptable\n\nAvailable representations: application/json"],
] as const)("at %s an Accept that does not fit %s is told so", async (level, path, message) => {
  const own = level === "1.23" ? ground : await openGroundHere([`--api-level=${level}`]);
  if (own !== ground) onTestFinished(() => own.dispose());
  const { status, body } = await own.api.ask("GET", path, { headers: { accept: "image/png" } });
  expect([status, body.message, body.reason]).toEqual([406, message, "NotAcceptable"]);
});

test("a patch of no known type is refused before it reaches a built-in kind", async () => {
  const { status, body } = await ground.api.ask("PATCH", `${core}/configmaps/x`, { body: {} });
  expect([status, body.message]).toEqual([415, "415: Unsupported Media Type"]);
});

test.each<[method: string, path: string, contentType: string, raw: string, code: number]>([
  ["POST", `${core}/configmaps?dryRun=Some`, "text/plain", "a", 415],
  ["POST", `${core}/pods/x/eviction?dryRun=Some`, "text/plain", "a", 415],
  ["POST", "/apis/authentication.k8s.io/v1/tokenreviews?dryRun=Some", "text/plain", "a", 415],
  ["POST", `${core}/configmaps?dryRun=Some`, "application/json", "a", 422],
  ["PUT", `${core}/configmaps/x?dryRun=Some`, "text/plain", "a", 422],
  ["DELETE", `${core}/configmaps/x?dryRun=Some`, "text/plain", "a", 415],
  ["DELETE", `${core}/configmaps?limit=x`, "text/plain", "a", 400],
  ["DELETE", `${core}/configmaps?fieldSelector=a`, "application/json", '{"dryRun":["Some"]}', 400],
  ["DELETE", `${core}/configmaps?resourceVersion=x`, "application/json", '{"dryRun":["Some"]}', 422],
])(
  "of several problems with %s %s of %s, the first is told",
  async (method, path, contentType, raw, code) => {
    expect((await ground.api.ask(method, path, { raw, contentType })).status).toBe(code);
  },
);

test.each([
  ["PATCH", 415],
  ["PUT", 406],
])(
  "the body of a %s that is of no known type is told before or after the answer: %s",
  async (method, code) => {
    const headers = { accept: "image/png" };
    for (const path of [`${core}/configmaps/x`, "/apis/apps/v1/namespaces/default/deployments/x/scale"]) {
      const answer = await ground.api.ask(method, path, { raw: "a", contentType: "text/plain", headers });
      expect(answer.status).toBe(code);
    }
  },
);

test.each<[method: string, path: string, body: unknown, code: number, message: string]>([
  [
    "GET",
    "/apis/apps/v1/namespaces/default/deployments/x/scale",
    undefined,
    404,
    'deployments/scale.apps "x" not found',
  ],
  [
    "GET",
    `${core}/replicationcontrollers/x/scale`,
    undefined,
    404,
    'replicationcontrollers/scale.autoscaling "x" not found',
  ],
  [
    "POST",
    `${networking}/namespaces/default/ingresses`,
    { metadata: { name: "x" }, spec: { defaultBackend: { resource: { kind: "", name: "" } } } },
    422,
    'Ingress.extensions "x" is invalid: [spec.defaultBackend.resource.kind: Required value: kind is required, spec.defaultBackend.resource.name: Required value: name is required]',
  ],
  [
    "POST",
    `${networking}/namespaces/default/networkpolicies`,
    { metadata: { name: "x" }, spec: { podSelector: {}, policyTypes: ["Sideways"] } },
    422,
    'NetworkPolicy.extensions "x" is invalid: spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"',
  ],
  [
    "POST",
    "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    { spec: { user: "u" } },
    422,
    '.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified',
  ],
  [
    "POST",
    "/apis/policy/v1beta1/podsecuritypolicies",
    {
      metadata: { name: "x" },
      spec: {
        allowedProcMountTypes: ["Odd"],
        fsGroup: { rule: "Odd" },
        runAsUser: { rule: "RunAsAny" },
        seLinux: { rule: "RunAsAny" },
        supplementalGroups: { rule: "RunAsAny" },
      },
    },
    422,
    'PodSecurityPolicy.policy "x" is invalid: spec.fsGroup.rule: Unsupported value: "Odd": supported values: "MayRunAs", "MustRunAs", "RunAsAny"',
  ],
])("%s %s", async (method, path, body, code, message) => {
  const answer = await ground.api.ask(method, path, { body });
  expect([answer.status, answer.body.message]).toEqual([code, message]);
});

test("a certificate request without a signer", async () => {
  const { body } = await ground.api.post("/apis/certificates.k8s.io/v1/certificatesigningrequests", {
    metadata: { name: "x" },
    spec: { request: "YQ==", usages: ["client auth"] },
  });
  expect(body.message).toContain("spec.signerName: Required value: signerName must be provided");
});

test("a webhook of a service that is not there", async () => {
  const { api } = ground;
  const hooks = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  await api.post(hooks, {
    metadata: { name: "x" },
    webhooks: [
      {
        name: "h.x.io",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        clientConfig: { service: { name: "x", namespace: "nope", path: "/check" } },
        rules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
      },
    ],
  });
  const create = () => api.post(`${core}/configmaps?dryRun=All`, { metadata: { name: "a" } });
  await expect
    .poll(async () => (await create()).body.message)
    .toBe(
      'Internal error occurred: failed calling webhook "h.x.io": failed to call webhook: Post "https://x.nope.svc:443/check?timeout=10s": service "x" not found',
    );
  await api.delete(`${hooks}/x`);
});
