import { afterAll, beforeAll, expect, test } from "vitest";
import { createNaming } from "../../src/naming/naming.js";
import { ApiClient } from "../support/api-client.js";
import { type ServerHere, startServerHere } from "../support/in-process-server.js";

const naming = createNaming("kubernetes");
const group = `/apis/${naming.group("flowcontrol.apiserver")}/v1beta2`;
const schemas = `${group}/flowschemas`;
const levels = `${group}/prioritylevelconfigurations`;
const debug = "/debug/api_priority_and_fairness";

let server: ServerHere;
let api: ApiClient;

beforeAll(async () => {
  server = await startServerHere({
    args: ["--max-requests-inflight=2", "--max-mutating-requests-inflight=1"],
  });
  api = new ApiClient(server);
});

afterAll(async () => {
  await api.close();
  await server.dispose();
});

const as = (user: string, group = "people") => ({
  headers: { "impersonate-user": user, "impersonate-group": group },
});

async function classified(answer: {
  headers: Record<string, string | string[] | undefined>;
}): Promise<string[]> {
  const nameOf = async (path: string, uid: unknown): Promise<string> => {
    const { items } = (await api.get(path)).body;
    return items.find((item: { metadata: { uid: string } }) => item.metadata.uid === uid)?.metadata.name;
  };
  return [
    await nameOf(schemas, answer.headers["x-kubernetes-pf-flowschema-uid"]),
    await nameOf(levels, answer.headers["x-kubernetes-pf-prioritylevel-uid"]),
  ];
}

test("answers say by which objects a request was classified", async () => {
  expect(await classified(await api.get("/api/v1/pods"))).toEqual(["exempt", "exempt"]);
  const account = as("system:serviceaccount:a:b", "system:serviceaccounts");
  expect(await classified(await api.ask("GET", "/api/v1/pods", account))).toEqual([
    "service-accounts",
    "workload-low",
  ]);
  expect(await classified(await api.ask("GET", "/api/v1/pods", as("jane")))).toEqual([
    "global-default",
    "global-default",
  ]);
});

test("a schema takes effect, and says when its level does not exist", async () => {
  const schema = {
    metadata: { name: "mine" },
    spec: {
      priorityLevelConfiguration: { name: "my-level" },
      matchingPrecedence: 50,
      rules: [
        {
          subjects: [{ kind: "User", user: { name: "mina" } }],
          resourceRules: [
            { verbs: ["*"], apiGroups: ["*"], resources: ["*"], clusterScope: true, namespaces: ["*"] },
          ],
        },
      ],
    },
  };
  expect((await api.post(schemas, schema)).status).toBe(201);
  const dangling = async () => (await api.get(`${schemas}/mine`)).body.status.conditions?.[0];
  await expect.poll(dangling).toMatchObject({
    type: "Dangling",
    status: "True",
    reason: "NotFound",
    message:
      'This FlowSchema references the PriorityLevelConfiguration object named "my-level" but there is no such object',
  });
  const spec = {
    type: "Limited",
    limited: { assuredConcurrencyShares: 1, limitResponse: { type: "Reject" } },
  };
  expect((await api.post(levels, { metadata: { name: "my-level" }, spec })).status).toBe(201);
  await expect.poll(dangling).toMatchObject({ status: "False", reason: "Found" });
  await expect
    .poll(async () => classified(await api.ask("GET", "/api/v1/pods", as("mina"))))
    .toEqual(["mine", "my-level"]);
});

test("mandatory objects come back, and keep their specs", async () => {
  const { uid } = (await api.get(`${schemas}/catch-all`)).body.metadata;
  await api.delete(`${schemas}/catch-all`);
  await expect
    .poll(async () => (await api.get(`${schemas}/catch-all`)).body.metadata?.uid ?? uid)
    .not.toBe(uid);
  const level = (await api.get(`${levels}/workload-low`)).body;
  level.spec.limited.assuredConcurrencyShares = 7;
  await api.put(`${levels}/workload-low`, level);
  const shares = async (): Promise<unknown> =>
    (await api.get(`${levels}/workload-low`)).body.spec.limited.assuredConcurrencyShares;
  await expect.poll(shares).toBe(100);
  const annotation = `apf.${naming.domain}/autoupdate-spec`;
  const kept = (await api.get(`${levels}/workload-low`)).body;
  kept.metadata.annotations[annotation] = "false";
  kept.spec.limited.assuredConcurrencyShares = 7;
  expect((await api.put(`${levels}/workload-low`, kept)).status).toBe(200);
  // What the server would write comes before what it does with the next object.
  const other = (await api.get(`${levels}/system`)).body;
  other.spec.limited.assuredConcurrencyShares = 8;
  await api.put(`${levels}/system`, other);
  await expect
    .poll(async () => (await api.get(`${levels}/system`)).body.spec.limited.assuredConcurrencyShares)
    .toBe(30);
  expect(await shares()).toBe(7);
});

test("an annotation that is no boolean counts as none: an object that was edited belongs to the operator", async () => {
  const annotation = `apf.${naming.domain}/autoupdate-spec`;
  const edit = async (value: string, shares: number): Promise<void> => {
    const level = (await api.get(`${levels}/leader-election`)).body;
    level.metadata.annotations[annotation] = value;
    level.spec.limited.assuredConcurrencyShares = shares;
    await api.put(`${levels}/leader-election`, level);
  };
  const now = async (): Promise<unknown> => {
    const { metadata, spec } = (await api.get(`${levels}/leader-election`)).body;
    return [metadata.annotations[annotation], spec.limited.assuredConcurrencyShares];
  };
  await edit("maybe", 11);
  await expect.poll(now).toEqual(["false", 11]);
  // As Go reads it.
  await edit("T", 12);
  await expect.poll(now).toEqual(["T", 10]);
});

test("objects that claim to be maintained by the server, and that it does not know, are deleted", async () => {
  const annotation = `apf.${naming.domain}/autoupdate-spec`;
  const spec = {
    type: "Limited",
    limited: { assuredConcurrencyShares: 1, limitResponse: { type: "Reject" } },
  };
  const create = (name: string, value: string) =>
    api.post(levels, { metadata: { name, annotations: { [annotation]: value } }, spec });
  await create("own", "false");
  await create("of-a-former-version", "true");
  const schema = { priorityLevelConfiguration: { name: "own" }, matchingPrecedence: 70 };
  await api.post(schemas, {
    metadata: { name: "of-a-former-version", annotations: { [annotation]: "true" } },
    spec: schema,
  });
  const status = async (path: string): Promise<number> => (await api.get(path)).status;
  await expect.poll(() => status(`${levels}/of-a-former-version`)).toBe(404);
  await expect.poll(() => status(`${schemas}/of-a-former-version`)).toBe(404);
  expect(await status(`${levels}/own`)).toBe(200);
});

test("objects in shape are left alone", async () => {
  const versions = async (): Promise<string[]> =>
    (await api.get(schemas)).body.items.map(
      (item: { metadata: { resourceVersion: string } }) => item.metadata.resourceVersion,
    );
  const before = await versions();
  await api.get(levels);
  expect(await versions()).toEqual(before);
});

test("the debug pages list levels, queues and requests", async () => {
  const text = async (name: string): Promise<string> => (await api.ask("GET", `${debug}/${name}`)).text;
  expect(await text("dump_priority_levels")).toMatch(
    /^PriorityLevelName, ActiveQueues, IsIdle,.*\n(.*\n)*exempt, +<none>/,
  );
  expect(await text("dump_queues")).toMatch(/\nworkload-low, +127, +0, +0, +0, /);
  expect(await text("dump_requests?includeRequestDetails=1")).toMatch(/AdditionalLatency, UserName, Verb, /);
  const { text: metrics } = await api.ask("GET", "/metrics");
  expect(metrics).toMatch(
    /apiserver_flowcontrol_dispatched_requests_total\{priority_level="global-default",flow_schema="global-default"\} [1-9]/,
  );
});
