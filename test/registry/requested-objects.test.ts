import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ApiLevel } from "../../src/apimachinery/levels/api-level.js";
import type { Json } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/** What answers to requests about objects that are not there, or that no path leads to. */

const maps = "/api/v1/namespaces/default/configmaps";
const apps = "/apis/apps/v1/namespaces/default";

interface Missing {
  readonly level: ApiLevel;
  readonly update: number;
  readonly component: readonly [code: number, message: string];
  readonly deploymentScale: string;
}

const plainScale = 'deployments.apps "x" not found';
const ownScale = 'deployments/scale.apps "x" not found';
const plainComponent = [500, "Component not found: x"] as const;

describe.each<Missing>([
  { level: "1.23", update: 409, component: plainComponent, deploymentScale: ownScale },
  { level: "1.32", update: 409, component: plainComponent, deploymentScale: ownScale },
  {
    level: "1.33",
    update: 409,
    component: [404, 'componentstatus "x" not found'],
    deploymentScale: plainScale,
  },
  {
    level: "1.34",
    update: 404,
    component: [404, 'componentstatus "x" not found'],
    deploymentScale: plainScale,
  },
])("at $level", ({ level, update, component, deploymentScale }) => {
  let ground: ApiGround;
  beforeAll(async () => {
    ground = await openApiGround({ apiLevel: level });
  });
  afterAll(() => ground.dispose());

  const problemOf = async (answer: Promise<{ readonly code: number; readonly body: Json }>) => {
    const { code, body } = await answer;
    return [code, body.message];
  };
  const read = (path: string) => problemOf(ground.api.get(path));

  test("missing objects are told apart from others", async () => {
    const { api } = ground;
    expect(await read("/api/v1/componentstatuses/x")).toEqual(component);
    expect(await read(`${apps}/deployments/x/scale`)).toEqual([404, deploymentScale]);
    expect(await read(`${apps}/statefulsets/x/scale`)).toEqual([404, 'statefulsets.apps "x" not found']);
    const deleted = { metadata: { name: "x", uid: "of-before", resourceVersion: "1" } };
    expect((await api.put(`${maps}/x`, deleted)).code).toBe(update);
    // A lease may be created by an update, so one of before is another.
    const lease = "/apis/coordination.k8s.io/v1/namespaces/default/leases/x";
    expect((await api.put(lease, deleted)).code).toBe(409);
  });

  test.each([
    ["..", "may not be '..'"],
    [".", "may not be '.'"],
    ["a%b", "may not contain '%'"],
  ])("no object is named %s", async (name, why) => {
    const refused = [400, `Name parameter invalid: "${name}": ${why}`];
    expect(await read(`${maps}/${name}`)).toEqual(refused);
    expect(await problemOf(ground.api.mergePatch(`${maps}/${name}`, {}))).toEqual(refused);
    expect(await problemOf(ground.api.delete(`${maps}/${name}`))).toEqual(refused);
    expect(await problemOf(ground.api.put(`${maps}/${name}`, { metadata: { name } }))).toEqual(refused);
  });

  test("a namespace is in no namespace", async () => {
    const notServed = [404, "the server could not find the requested resource"];
    expect(await read("/api/v1/namespaces/default/namespaces")).toEqual(notServed);
    expect(await read("/api/v1/namespaces/default/namespaces/kube-system")).toEqual(notServed);
    expect((await ground.api.get("/api/v1/namespaces/default")).code).toBe(200);
    expect((await ground.api.get("/api/v1/namespaces/default/status")).code).toBe(200);
  });

  test("a repeated owner is told about when it is found", async () => {
    const { api } = ground;
    const owner = { apiVersion: "v1", kind: "Pod", name: "a", uid: "u" };
    const metadata = { name: "owned", ownerReferences: [owner, owner] };
    await api.post(maps, { metadata: { name: "owned" } });
    const put = await api.put(`${maps}/owned?dryRun=All`, { metadata });
    expect(put.warnings).toEqual([expect.stringContaining("contains duplicate entries; ")]);
    const patched = await api.mergePatch(`${maps}/owned?dryRun=All`, { metadata });
    expect(patched.warnings).toEqual([
      expect.stringContaining("contains duplicate entries after mutating admission happens; "),
    ]);
    for (const { body } of [put, patched]) expect(body.metadata.ownerReferences).toEqual([owner]);
  });

  test("objects in no namespace have an empty one to be selected by", async () => {
    const names = async (path: string) => {
      const { code, body } = await ground.api.get(path);
      return [code, body.items?.length];
    };
    const classes = "/apis/storage.k8s.io/v1/storageclasses";
    await ground.api.post(classes, { metadata: { name: "slow" }, provisioner: "example.com/slow" });
    expect(await names(`${classes}?fieldSelector=metadata.namespace%3D`)).toEqual([200, 1]);
    expect(await names(`${classes}?fieldSelector=metadata.namespace%3Dx`)).toEqual([200, 0]);
    expect((await ground.api.get("/api/v1/nodes?fieldSelector=metadata.namespace%3Dx")).code).toBe(400);
  });

  test.each(["replicasets", "statefulsets"])("%s are selected by name and namespace only", async (kind) => {
    for (const field of ["status.replicas", "status.successful"]) {
      expect(await read(`${apps}/${kind}?fieldSelector=${field}%3D1`)).toEqual([
        400,
        `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`,
      ]);
    }
  });
});

test("a watch without initial events begins with the next change, at any version", async () => {
  const ground = await openApiGround({ apiLevel: "1.36" });
  try {
    await ground.api.post(maps, { metadata: { name: "before" } });
    const parts = "resourceVersionMatch=NotOlderThan&sendInitialEvents=false";
    for (const version of ["", "resourceVersion=0&"]) {
      const watch = await ground.api.watch(`${maps}?${version}${parts}`);
      await ground.api.post(maps, { metadata: { generateName: "after-" } });
      const [first] = await watch.first(1);
      expect(first?.object.metadata.name).toMatch(/^after-/);
      watch.stop();
    }
  } finally {
    await ground.dispose();
  }
});

test("cron jobs of the first version are selected by a field that they lack, and refuse others in their own words", async () => {
  const ground = await openApiGround({ apiLevel: "1.23" });
  try {
    const list = async (version: string, selector: string) => {
      const query = `fieldSelector=${encodeURIComponent(selector)}`;
      const { code, body } = await ground.api.get(`/apis/batch/${version}/cronjobs?${query}`);
      return [code, body.message];
    };
    expect(await list("v1beta1", "status.successful=1")).toEqual([200, undefined]);
    expect(await list("v1beta1", "spec.suspend=true")).toEqual([
      400,
      'field label "spec.suspend" not supported for "CronJob"',
    ]);
    const plain =
      '"status.successful" is not a known field selector: only "metadata.name", "metadata.namespace"';
    expect(await list("v1", "status.successful=1")).toEqual([400, plain]);
  } finally {
    await ground.dispose();
  }
});
