import { afterAll, beforeAll, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { boatDefinition } from "../support/boat-definition.js";
import { type GroundHere, openGroundHere } from "../support/fixtures.js";
import { minimalObjects } from "../support/minimal-objects.js";

const flowControl = "/apis/flowcontrol.apiserver.k8s.io/v1beta2";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";
const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const producer = "api-priority-and-fairness-config-producer-v1";
const consumer = "api-priority-and-fairness-config-consumer-v1";
let ground: GroundHere;

beforeAll(async () => {
  ground = await openGroundHere(["--advertise-address=10.7.0.1"]);
});

afterAll(async () => {
  await ground.dispose();
});

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  readonly fieldsV1: Readonly<Record<string, object>>;
}

async function entriesOf(path: string): Promise<readonly Entry[]> {
  return (await ground.api.get(path)).body.metadata?.managedFields ?? [];
}

const condition = {
  ".": {},
  "f:lastTransitionTime": {},
  "f:message": {},
  "f:reason": {},
  "f:status": {},
  "f:type": {},
};
const marks = {
  "f:annotations": { ".": {}, "f:rbac.authorization.kubernetes.io/autoupdate": {} },
  "f:labels": { ".": {}, "f:kubernetes.io/bootstrapping": {} },
};

test.each<[path: string, manager: string, apiVersion: string, fields: object]>([
  [
    "/api/v1/namespaces/kube-system",
    "kube-apiserver",
    "v1",
    { "f:metadata": { "f:labels": { ".": {}, "f:kubernetes.io/metadata.name": {} } } },
  ],
  [
    `${rbac}/clusterroles/system:node`,
    "kube-apiserver",
    "rbac.authorization.k8s.io/v1",
    { "f:metadata": marks, "f:rules": {} },
  ],
  [
    `${rbac}/clusterrolebindings/cluster-admin`,
    "kube-apiserver",
    "rbac.authorization.k8s.io/v1",
    { "f:metadata": marks, "f:roleRef": {}, "f:subjects": {} },
  ],
  [
    `${rbac}/namespaces/kube-system/rolebindings/system:controller:token-cleaner`,
    "kube-apiserver",
    "rbac.authorization.k8s.io/v1",
    { "f:metadata": marks, "f:roleRef": {}, "f:subjects": {} },
  ],
  [
    "/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical",
    "kube-apiserver",
    "scheduling.k8s.io/v1",
    { "f:description": {}, "f:preemptionPolicy": {}, "f:value": {} },
  ],
  [
    `${apiServices}/v1.apps`,
    "kube-apiserver",
    "apiregistration.k8s.io/v1",
    {
      "f:metadata": { "f:labels": { ".": {}, "f:kube-aggregator.kubernetes.io/automanaged": {} } },
      "f:spec": { "f:group": {}, "f:groupPriorityMinimum": {}, "f:version": {}, "f:versionPriority": {} },
    },
  ],
  [
    `${flowControl}/prioritylevelconfigurations/exempt`,
    producer,
    "flowcontrol.apiserver.k8s.io/v1beta2",
    {
      "f:metadata": { "f:annotations": { ".": {}, "f:apf.kubernetes.io/autoupdate-spec": {} } },
      "f:spec": { "f:type": {} },
    },
  ],
])("%s", async (path, manager, apiVersion, fieldsV1) => {
  expect(await entriesOf(path)).toMatchObject([{ manager, operation: "Update", apiVersion, fieldsV1 }]);
  expect((await entriesOf(path))[0]?.fieldsV1).toEqual(fieldsV1);
});

test.each([
  ["1.25", "v1beta2"],
  ["1.26", "v1beta3"],
  ["1.29", "v1"],
])("at %s, the objects of flow control are written in %s", async (level, version) => {
  const other = await openGroundHere([`--api-level=${level}`]);
  const path = `/apis/flowcontrol.apiserver.k8s.io/${version}/flowschemas/catch-all`;
  const versions = async () => {
    const { body } = await other.api.get(path);
    return body.metadata.managedFields.map(({ apiVersion }: Entry) => apiVersion);
  };
  const own = `flowcontrol.apiserver.k8s.io/${version}`;
  await expect.poll(versions).toEqual([own, own]);
  await other.dispose();
});

test.each([
  ["1.25", "Update", "v1beta2"],
  ["1.26", "Apply", "v1beta3"],
])("at %s, the condition of a flow schema is its consumer's by %s", async (level, operation, version) => {
  const other = await openGroundHere([`--api-level=${level}`]);
  const flowSchemas = `/apis/flowcontrol.apiserver.k8s.io/${version}/flowschemas`;
  const spec = {
    matchingPrecedence: 9000,
    priorityLevelConfiguration: { name: "missing" },
    distinguisherMethod: { type: "ByUser" },
  };
  await other.api.post(flowSchemas, { metadata: { name: "own" }, spec });
  for (const name of ["own", "catch-all"]) {
    const entries = async () => (await other.api.get(`${flowSchemas}/${name}`)).body.metadata.managedFields;
    await expect
      .poll(entries)
      .toContainEqual(expect.objectContaining({ manager: consumer, operation, subresource: "status" }));
  }
  await other.dispose();
});

test("the readiness of the default service CIDR is applied by its controller, without a reason", async () => {
  const { "f:reason": _, ...applied } = condition;
  const other = await openGroundHere(["--api-level=1.35"]);
  const path = "/apis/networking.k8s.io/v1/servicecidrs/kubernetes";
  const entries = async () => (await other.api.get(path)).body.metadata.managedFields;
  await expect.poll(entries).toContainEqual(
    expect.objectContaining({
      manager: "kubernetes-service-cidr-controller",
      operation: "Apply",
      subresource: "status",
      fieldsV1: { "f:status": { "f:conditions": { 'k:{"type":"Ready"}': applied } } },
    }),
  );
  await other.dispose();
});

test("the endpoints of the server's own service are its own", async () => {
  const path = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices/kubernetes";
  await expect
    .poll(() => entriesOf(path))
    .toMatchObject([{ manager: "kube-apiserver", apiVersion: "discovery.k8s.io/v1" }]);
});

test("a flow schema has a producer, and a consumer that says whether its priority level exists", async () => {
  const path = `${flowControl}/flowschemas/catch-all`;
  await expect.poll(async () => (await entriesOf(path)).length).toBe(2);
  const entries = new Map((await entriesOf(path)).map((entry) => [entry.manager, entry]));
  expect(entries.get(producer)?.subresource).toBeUndefined();
  expect(entries.get(consumer)).toMatchObject({ operation: "Update", subresource: "status" });
  expect(entries.get(consumer)?.fieldsV1).toEqual({
    "f:status": { "f:conditions": { ".": {}, 'k:{"type":"Dangling"}': condition } },
  });
});

test("the status of a definition is the server's, and the rest its author's", async () => {
  await ground.api.post(definitions, boatDefinition());
  const path = `${definitions}/boats.example.com`;
  await expect.poll(async () => (await entriesOf(path)).length).toBe(2);
  const entries = await entriesOf(path);
  expect(entries.map(({ subresource }) => subresource)).toEqual(
    expect.arrayContaining(["status", undefined]),
  );
  const own = entries.find(({ subresource }) => subresource === "status");
  expect(own).toMatchObject({ manager: "kube-apiserver", operation: "Update" });
  expect(own?.fieldsV1).toMatchObject({
    "f:status": {
      "f:acceptedNames": { "f:kind": {}, "f:plural": {} },
      "f:conditions": { 'k:{"type":"Established"}': condition, 'k:{"type":"NamesAccepted"}': condition },
    },
  });
  // The server tells that the definition is served: to know who owns what must not stop anyone.
  const kept = await ground.api.get(path);
  expect((await ground.api.ask("PUT", path, { body: kept.body })).status).toBe(200);
});

test("the availability of an extension server's version is the server's", async () => {
  await ground.api.post(apiServices, {
    metadata: { name: "v1.gone.example.com" },
    spec: {
      group: "gone.example.com",
      version: "v1",
      groupPriorityMinimum: 100,
      versionPriority: 10,
      insecureSkipTLSVerify: true,
      service: { namespace: "default", name: "gone" },
    },
  });
  const own = async () =>
    (await entriesOf(`${apiServices}/v1.gone.example.com`)).find(
      ({ subresource }) => subresource === "status",
    );
  await expect.poll(own).toMatchObject({
    manager: "kube-apiserver",
    fieldsV1: { "f:status": { "f:conditions": { 'k:{"type":"Available"}': condition } } },
  });
});

test("the author of a daemon set manages the generation of its template, too", async () => {
  const labels = { app: "a" };
  const { body } = await ground.api.post("/apis/apps/v1/namespaces/default/daemonsets?fieldManager=author", {
    metadata: { name: "everywhere" },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
  });
  expect(body.metadata.annotations).toEqual({ "deprecated.daemonset.template.generation": "1" });
  expect(body.metadata.managedFields).toMatchObject([
    {
      manager: "author",
      fieldsV1: {
        "f:metadata": { "f:annotations": { ".": {}, "f:deprecated.daemonset.template.generation": {} } },
      },
    },
  ]);
});

test("nobody manages the fields of a signing request, which never change", async () => {
  const kinds = await minimalObjects(createNaming("kubernetes"));
  const { status, body } = await ground.api.post("/apis/certificates.k8s.io/v1/certificatesigningrequests", {
    metadata: { name: "asked" },
    ...kinds["certificatesigningrequests.certificates"],
  });
  expect(status).toBe(201);
  expect(body.metadata.managedFields).toBeUndefined();
});
