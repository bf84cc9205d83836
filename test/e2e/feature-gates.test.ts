import { expect, test } from "vitest";
import { openGroundHere, until } from "../support/fixtures.js";

const maps = "/api/v1/namespaces/default/configmaps";
const table = "application/json;as=Table;v=v1;g=meta.k8s.io";
const partial = "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io";

test("without RemoveSelfLink objects and lists say where they are, and nothing of it is stored", async () => {
  const ground = await openGroundHere(["--feature-gates=RemoveSelfLink=false"]);
  const { api } = ground;
  try {
    const created = await api.post(maps, { metadata: { name: "linked" }, data: { a: "1" } });
    const link = `${maps}/linked`;
    expect(created.body.metadata.selfLink).toBe(link);
    const { body } = await api.get(link);
    expect(body).toMatchObject({
      kind: "ConfigMap",
      metadata: { name: "linked", selfLink: link },
      data: { a: "1" },
    });
    const replaced = await api.ask("PUT", link, { body: { ...body, data: { a: "2" } } });
    expect(replaced.body.metadata.selfLink).toBe(link);
    expect(JSON.stringify(replaced.body.metadata.managedFields)).not.toContain("selfLink");

    const list = await api.get(maps);
    expect(list.body.metadata.selfLink).toBe(maps);
    const item = list.body.items.find(
      ({ metadata }: { metadata: { name: string } }) => metadata.name === "linked",
    );
    expect(item.metadata.selfLink).toBe(link);
    const asTable = await api.ask("GET", maps, { headers: { accept: table } });
    expect(asTable.body.rows.at(-1).object.metadata.selfLink).toMatch(new RegExp(`^${maps}/`));
    const metadata = await api.ask("GET", link, { headers: { accept: partial } });
    expect(metadata.body.metadata.selfLink).toBe(link);
    expect((await api.get("/api/v1/namespaces/default")).body.metadata.selfLink).toBe(
      "/api/v1/namespaces/default",
    );
    const proto = await api.ask("GET", maps, { headers: { accept: "application/vnd.kubernetes.protobuf" } });
    expect(proto.bytes.includes(Buffer.from(link))).toBe(true);
    const watching = api.watch(`${maps}?watch=1&fieldSelector=metadata.name=linked`);
    expect((await watching.next()).value?.object.metadata.selfLink).toBe(link);
    await watching.return(undefined);
  } finally {
    await ground.dispose();
  }
});

test("with RemoveSelfLink, which is the default, there are no such links", async () => {
  const ground = await openGroundHere();
  try {
    expect((await ground.api.get("/api/v1/namespaces")).text).not.toContain("selfLink");
  } finally {
    await ground.dispose();
  }
});

test("with StorageVersionAPI each server tells what it writes, and is forgotten when it is gone", async () => {
  const versions = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";
  const ground = await openGroundHere(["--feature-gates=StorageVersionAPI=true,APIServerIdentity=true"]);
  const { api } = ground;
  try {
    const { body } = await api.get(`${versions}/apps.deployments`);
    const [server] = body.status.storageVersions;
    expect(server).toMatchObject({
      apiServerID: expect.stringMatching(/^kube-apiserver-/),
      encodingVersion: "apps/v1",
      decodableVersions: ["apps/v1"],
    });
    expect(body.status.commonEncodingVersion).toBe("apps/v1");
    expect(body.status.conditions).toMatchObject([{ type: "AllEncodingVersionsEqual", status: "True" }]);
    expect((await api.get(`${versions}/core.pods`)).body.status.commonEncodingVersion).toBe("v1");
    expect((await api.get("/readyz?verbose")).text).toContain(
      "built-in-resources-storage-version-updater ok",
    );

    // A server that never had a lease.
    const stranger = {
      ...body,
      status: {
        ...body.status,
        storageVersions: [server, { ...server, apiServerID: "stranger", encodingVersion: "apps/v1" }],
      },
    };
    expect((await api.ask("PUT", `${versions}/apps.deployments/status`, { body: stranger })).status).toBe(
      200,
    );
    const collected = await until(
      () => api.get(`${versions}/apps.deployments`),
      (answer) => answer.body.status.storageVersions.length === 1,
    );
    expect(collected.body.status.storageVersions).toEqual([server]);
  } finally {
    await ground.dispose();
  }
});

test.each([
  ["1.27", undefined, undefined],
  ["1.28", ["flowcontrol.apiserver.k8s.io/v1beta3", "flowcontrol.apiserver.k8s.io/v1beta2"], ["v1"]],
])("at %s, each server tells which versions it serves", async (level, flowSchemas, events) => {
  const ground = await openGroundHere([
    `--api-level=${level}`,
    "--feature-gates=StorageVersionAPI=true,APIServerIdentity=true",
    "--runtime-config=internal.apiserver.k8s.io/v1alpha1=true",
  ]);
  const versions = "/apis/internal.apiserver.k8s.io/v1alpha1/storageversions";
  const serverOf = async (name: string) =>
    (await ground.api.get(`${versions}/${name}`)).body.status.storageVersions[0];
  const schemas = await serverOf("flowcontrol.apiserver.k8s.io.flowschemas");
  expect(schemas.servedVersions).toEqual(flowSchemas);
  // Events of both groups are the same objects, which are registered once.
  const ofEvents = await serverOf("core.events");
  expect(ofEvents.decodableVersions).toEqual(["v1", "events.k8s.io/v1"]);
  expect(ofEvents.servedVersions).toEqual(events);
  for (const name of ["events.k8s.io.events", "certificates.k8s.io.clustertrustbundles"]) {
    expect((await ground.api.ask("GET", `${versions}/${name}`)).status).toBe(404);
  }
  await ground.dispose();
});

test("without StorageVersionAPI there is no such API", async () => {
  const ground = await openGroundHere();
  try {
    expect((await ground.api.get("/apis/internal.apiserver.k8s.io/v1alpha1")).status).toBe(404);
  } finally {
    await ground.dispose();
  }
});

test.each([
  ["without JobTrackingWithFinalizers, which is the default, jobs are", [], undefined],
  [
    "with it they are not",
    ["--feature-gates=JobTrackingWithFinalizers=true"],
    { "batch.kubernetes.io/job-tracking": "" },
  ],
])("%s counted by their pods", async (_, flags, annotations) => {
  const ground = await openGroundHere(flags);
  try {
    const template = { spec: { restartPolicy: "Never", containers: [{ name: "c", image: "i" }] } };
    const jobs = "/apis/batch/v1/namespaces/default/jobs";
    const { body } = await ground.api.post(jobs, { metadata: { name: "counted" }, spec: { template } });
    expect(body.metadata.annotations).toEqual(annotations);
  } finally {
    await ground.dispose();
  }
});

test("with ServerSideFieldValidation off, what requests ask for is ignored", async () => {
  const ground = await openGroundHere(["--feature-gates=ServerSideFieldValidation=false"]);
  try {
    const unknown = { metadata: { name: "a" }, nonsense: 1 };
    const strict = await ground.api.post(`${maps}?fieldValidation=Strict`, unknown);
    expect([strict.status, strict.headers.warning, strict.body.nonsense]).toEqual([
      201,
      undefined,
      undefined,
    ]);
    const warn = await ground.api.ask("PUT", `${maps}/a?fieldValidation=Warn`, { body: unknown });
    expect([warn.status, warn.headers.warning]).toEqual([200, undefined]);
    expect((await ground.api.post(`${maps}?fieldValidation=Moon`, unknown)).status).toBe(422);
  } finally {
    await ground.dispose();
  }
});

test("without EphemeralContainers pods have no such subresource", async () => {
  const ground = await openGroundHere(["--feature-gates=EphemeralContainers=false"]);
  try {
    const { body } = await ground.api.get("/api/v1");
    const names = body.resources.map(({ name }: { name: string }) => name);
    expect(names).toContain("pods/status");
    expect(names).not.toContain("pods/ephemeralcontainers");
    expect((await ground.api.get("/api/v1/namespaces/default/pods/a/ephemeralcontainers")).status).toBe(404);
  } finally {
    await ground.dispose();
  }
});
