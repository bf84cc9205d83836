import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { type RemotePeer, startRemotePeer } from "../support/remote-peer.js";
import { TestAuthority } from "../support/test-authority.js";
import type { Answer } from "./api-caller.js";
import { type ApiGround, openApiGround } from "./api-ground.js";

/**
 * Objects of three versions that a webhook converts, v1 stored, and admission webhooks for each of the versions. Each version has its own
 * name for the same number.
 */
const fields = { v1: "sails", v2: "masts", v3: "poles" } as const;
type Version = keyof typeof fields;
const versions: readonly Version[] = ["v1", "v2", "v3"];
const group = "example.com";
const boats = (version: Version, name = "", query = "") =>
  `/apis/${group}/${version}/namespaces/default/boats${name === "" ? "" : `/${name}`}${query}`;

interface Boat {
  readonly apiVersion: string;
  readonly metadata: { readonly name: string; readonly uid?: string };
  readonly spec?: Record<string, unknown>;
}

interface Seen {
  /** `validating`, `mutating`, or `convert`. */
  readonly path: string;
  /** Of the object that the webhook was sent. */
  readonly request: {
    readonly uid: string;
    readonly operation: string;
    readonly kind: { readonly version: string };
    readonly object: Boat | null;
    readonly oldObject: Boat | null;
    readonly desiredAPIVersion: string;
    readonly objects: readonly Boat[];
  };
}

/** An admission webhook; its path names it. */
interface Hook {
  readonly type: "mutating" | "validating";
  readonly rule: Version;
  readonly matchPolicy: "Equivalent" | "Exact";
  readonly failurePolicy: "Fail" | "Ignore";
}

const hooks: readonly Hook[] = (["mutating", "validating"] as const).flatMap((type) =>
  versions.flatMap((rule) =>
    (["Equivalent", "Exact"] as const).flatMap((matchPolicy) =>
      (["Fail", "Ignore"] as const).map((failurePolicy) => ({ type, rule, matchPolicy, failurePolicy })),
    ),
  ),
);
const pathOf = ({ type, rule, matchPolicy, failurePolicy }: Hook): string =>
  `/${type}/${rule}/${matchPolicy}/${failurePolicy}`;

let ground: ApiGround;
let peer: RemotePeer;
let caBundle: string;
let seen: Seen[] = [];
/** What a webhook answers, where a test wants something else. */
let misbehave: ((path: string, request: Seen["request"]) => object | undefined) | undefined;

function versionOf({ apiVersion }: Boat): Version {
  const version = versions.find((one) => apiVersion === `${group}/${one}`);
  if (version === undefined) throw new Error(`no version: ${apiVersion}`);
  return version;
}

function converted(boat: Boat, apiVersion: string): Boat {
  const to = versionOf({ ...boat, apiVersion });
  const { [fields[versionOf(boat)]]: count, ...spec } = boat.spec ?? {};
  return { ...boat, apiVersion, spec: { ...spec, ...(count !== undefined && { [fields[to]]: count }) } };
}

/** A mutating webhook counts up, in the version that it is sent. */
function admitted({ object }: Seen["request"], isMutating: boolean): object {
  if (!isMutating || object === null) return { allowed: true };
  const field = fields[versionOf(object)];
  const patch = [{ op: "replace", path: `/spec/${field}`, value: Number(object.spec?.[field]) + 1 }];
  return {
    allowed: true,
    patchType: "JSONPatch",
    patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
  };
}

function answerTo(path: string, review: { readonly request: Seen["request"] }): object {
  const { request } = review;
  const { uid } = request;
  const wanted = misbehave?.(path, request);
  if (wanted !== undefined) return { ...review, response: { uid, ...wanted } };
  const response =
    path === "/convert"
      ? {
          convertedObjects: request.objects.map((boat) => converted(boat, request.desiredAPIVersion)),
          result: { status: "Success" },
        }
      : admitted(request, path.startsWith("/mutating"));
  return { ...review, response: { uid, ...response } };
}

const definition = () => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `boats.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { plural: "boats", singular: "boat", kind: "Boat" },
    versions: versions.map((name) => ({
      name,
      served: true,
      storage: name === "v1",
      subresources: { status: {} },
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              // What only v2 asks for.
              ...(name === "v2" && { required: ["colour"] }),
              properties: { [fields[name]]: { type: "integer", maximum: 1000 }, colour: { type: "string" } },
            },
            status: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
        },
      },
    })),
    conversion: {
      strategy: "Webhook",
      webhook: {
        clientConfig: { url: `${peer.url}/convert`, caBundle },
        conversionReviewVersions: ["v1"],
      },
    },
  },
});

const configuration = (type: Hook["type"], chosen: readonly Hook[]) => ({
  metadata: { name: type },
  webhooks: chosen
    .filter((hook) => hook.type === type)
    .map((hook) => ({
      name: `${pathOf(hook).slice(1).replaceAll("/", ".").toLowerCase()}.${group}`,
      clientConfig: { url: `${peer.url}${pathOf(hook)}`, caBundle },
      rules: [
        {
          apiGroups: [group],
          apiVersions: [hook.rule],
          operations: ["CREATE", "UPDATE", "DELETE"],
          resources: ["boats", "boats/status"],
        },
      ],
      matchPolicy: hook.matchPolicy,
      failurePolicy: hook.failurePolicy,
      sideEffects: "None",
      // The longest: a busy machine answers late.
      timeoutSeconds: 30,
      admissionReviewVersions: ["v1"],
    })),
});

const configurations = (type: Hook["type"]) =>
  `/apis/admissionregistration.k8s.io/v1/${type}webhookconfigurations`;

/** Until `check` no longer throws. */
const eventually = (check: () => unknown): Promise<unknown> => vi.waitFor(check, { timeout: 60_000 });

async function expectCode(code: number, asked: Promise<Answer>): Promise<Answer> {
  const answer = await asked;
  expect(answer.code, JSON.stringify(answer.body)).toBe(code);
  return answer;
}

/** Until every webhook is known to the server. */
async function hooksAreInForce(chosen: readonly Hook[]): Promise<void> {
  await eventually(async () => {
    seen = [];
    for (const version of versions)
      await ground.api.post(boats(version, "", "?dryRun=All"), boat(version, "dry", 1));
    const called = new Set(seen.map(({ path }) => path));
    for (const hook of chosen) expect(called).toContain(pathOf(hook));
  });
}

async function configure(chosen: readonly Hook[]): Promise<void> {
  for (const type of ["mutating", "validating"] as const) {
    await expectCode(201, ground.api.post(configurations(type), configuration(type, chosen)));
  }
  await hooksAreInForce(chosen);
}

async function forget(): Promise<void> {
  for (const type of ["mutating", "validating"] as const) {
    await expectCode(200, ground.api.delete(`${configurations(type)}/${type}`));
  }
  await eventually(async () => {
    seen = [];
    await ground.api.post(boats("v1", "", "?dryRun=All"), boat("v1", "dry", 1));
    expect(seen).toEqual([]);
  });
}

const boat = (version: Version, name: string, count: number, more: object = {}) => ({
  apiVersion: `${group}/${version}`,
  kind: "Boat",
  metadata: { name },
  spec: { [fields[version]]: count, colour: "red", ...more },
});

beforeAll(async () => {
  const authority = await TestAuthority.create("converted-admission");
  caBundle = Buffer.from(authority.caPem).toString("base64");
  peer = await startRemotePeer({ authority }, ({ path: asked, body }) => {
    const [path = ""] = asked.split("?");
    const review = JSON.parse(body);
    seen.push({ path, request: review.request });
    return { body: answerTo(path, review) };
  });
  ground = await openApiGround();
  await ground.server.customResources.start();
  await expectCode(
    201,
    ground.api.post("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition()),
  );
  await eventually(() => expect(ground.server.catalog.find(group, "v3", "boats")).toBeDefined());
});
afterAll(async () => {
  await ground.dispose();
  await peer.close();
});
beforeEach(() => {
  seen = [];
});
afterEach(() => {
  misbehave = undefined;
});

let names = 0;
const newName = () => `boat-${names++}`;

interface Operation {
  readonly name: string;
  readonly admits: "CREATE" | "UPDATE" | "DELETE";
  /** The count in the object before, undefined when there is none. */
  readonly before: number | undefined;
  run(version: Version, name: string): Promise<Answer>;
}

const operations: readonly Operation[] = [
  {
    name: "create",
    admits: "CREATE",
    before: undefined,
    run: (version, name) => expectCode(201, ground.api.post(boats(version), boat(version, name, 10))),
  },
  {
    name: "update",
    admits: "UPDATE",
    before: 3,
    async run(version, name) {
      const { body } = await ground.api.get(boats(version, name));
      seen = [];
      const changed = { ...body, spec: { ...body.spec, [fields[version]]: 10 } };
      return await expectCode(200, ground.api.put(boats(version, name), changed));
    },
  },
  {
    name: "merge patch",
    admits: "UPDATE",
    before: 3,
    run: (version, name) =>
      expectCode(200, ground.api.mergePatch(boats(version, name), { spec: { [fields[version]]: 10 } })),
  },
  {
    name: "JSON patch",
    admits: "UPDATE",
    before: 3,
    run: (version, name) =>
      expectCode(
        200,
        ground.api.ask("PATCH", boats(version, name), {
          body: [{ op: "replace", path: `/spec/${fields[version]}`, value: 10 }],
          contentType: "application/json-patch+json",
        }),
      ),
  },
  {
    name: "apply of a new object",
    admits: "CREATE",
    before: undefined,
    run: (version, name) =>
      expectCode(201, ground.api.apply(boats(version, name, "?fieldManager=m"), boat(version, name, 10))),
  },
  {
    name: "apply",
    admits: "UPDATE",
    before: 3,
    run: (version, name) =>
      expectCode(
        200,
        ground.api.apply(boats(version, name, "?fieldManager=m&force=true"), boat(version, name, 10)),
      ),
  },
  {
    name: "delete",
    admits: "DELETE",
    before: 10,
    run: (version, name) => expectCode(200, ground.api.delete(boats(version, name))),
  },
];

function calledFor(version: Version, { rule, matchPolicy }: Hook): boolean {
  return rule === version || matchPolicy === "Equivalent";
}

async function stored(version: Version, name: string, count: number): Promise<void> {
  await expectCode(201, ground.api.post(boats(version), boat(version, name, count)));
}

describe("each admission webhook is called once, with objects of its rule's version", () => {
  const cases = operations.flatMap((operation) =>
    versions.map((version) => ({ operation, version, what: `${operation.name} by ${version}` })),
  );

  describe("all webhooks together", () => {
    beforeAll(async () => {
      await configure(hooks);
    });
    afterAll(forget);

    test.each(cases)("$what", async ({ operation, version }) => {
      const name = newName();
      const { before, admits } = operation;
      // Mutating webhooks have their part in what is stored.
      const mutations = hooks.filter((hook) => hook.type === "mutating" && calledFor(version, hook)).length;
      if (before !== undefined) await stored(version, name, before - mutations);
      seen = [];
      const answer = await operation.run(version, name);
      const calls = seen.filter(({ path }) => path !== "/convert");
      const wanted = hooks.filter((hook) => calledFor(version, hook)).map(pathOf);
      expect(calls.map(({ path }) => path).toSorted()).toEqual(wanted.toSorted());
      const lastCount = admits === "DELETE" ? before : 10 + mutations;
      let count = 10;
      for (const { path, request } of calls) {
        const rule = path.split("/")[2];
        const field = fields[rule as Version];
        expect(request.operation).toBe(admits);
        expect(request.kind.version).toBe(rule);
        if (admits === "DELETE") expect(request.object).toBeNull();
        else {
          const shown = path.startsWith("/mutating") ? count++ : lastCount;
          expect(request.object).toMatchObject({
            apiVersion: `${group}/${rule}`,
            metadata: { name },
            spec: { [field]: shown, colour: "red" },
          });
        }
        if (before === undefined) expect(request.oldObject).toBeNull();
        else {
          expect(request.oldObject).toMatchObject({
            apiVersion: `${group}/${rule}`,
            metadata: { name },
            spec: { [field]: before },
          });
        }
      }
      for (const other of versions) {
        const read = await ground.api.get(boats(other, name));
        if (admits === "DELETE") expect(read.code).toBe(404);
        else expect(read.body).toMatchObject({ spec: { [fields[other]]: lastCount, colour: "red" } });
      }
      if (admits === "DELETE") return;
      expect(answer.body).toMatchObject({
        apiVersion: `${group}/${version}`,
        spec: { [fields[version]]: lastCount },
      });
      // A verb that ran twice would have drawn a second uid.
      for (const { path, request } of calls) {
        const isNew = admits === "CREATE" && path.startsWith("/mutating");
        if (!isNew) expect(request.object?.metadata.uid).toBe(answer.body.metadata.uid);
      }
    });
  });

  // Without others, whose conversions might be in its way.
  const alone = hooks.flatMap((hook) =>
    versions
      .filter((version) => calledFor(version, hook) && version !== hook.rule)
      .map((version) => ({ hook, version, what: `${pathOf(hook).slice(1)} alone, create by ${version}` })),
  );
  test.each(alone)("$what", async ({ hook, version }) => {
    const type = hook.type;
    await expectCode(201, ground.api.post(configurations(type), configuration(type, [hook])));
    await hooksAreInForce([hook]);
    const name = newName();
    seen = [];
    await stored(version, name, 5);
    const calls = seen.filter(({ path }) => path !== "/convert");
    expect(calls.map(({ path }) => path)).toEqual([pathOf(hook)]);
    expect(calls[0]?.request.object).toMatchObject({ spec: { [fields[hook.rule]]: 5 } });
    await ground.api.delete(`${configurations(type)}/${type}`);
    await eventually(async () => {
      seen = [];
      await ground.api.post(boats("v1", "", "?dryRun=All"), boat("v1", "dry", 1));
      expect(seen).toEqual([]);
    });
  });
});

describe.each(["Fail", "Ignore"] as const)("failurePolicy %s", (failurePolicy) => {
  const chosen = (["mutating", "validating"] as const).map(
    (type): Hook => ({ type, rule: "v2", matchPolicy: "Equivalent", failurePolicy }),
  );
  beforeAll(async () => {
    await configure(chosen);
  });
  afterAll(forget);

  test.each(versions)("a webhook of v2 refuses what is created by %s", async (version) => {
    const name = newName();
    misbehave = (path) =>
      path.startsWith("/validating") ? { allowed: false, status: { message: "too many" } } : undefined;
    const refused = await expectCode(400, ground.api.post(boats(version), boat(version, name, 1)));
    expect(refused.body.message).toContain("denied the request: too many");
    misbehave = undefined;
    await expectCode(404, ground.api.get(boats("v1", name)));
  });

  // A failed conversion is no failure of the admission webhook: its policy does not apply.
  test("an object that cannot be converted for a webhook is refused with 500", async () => {
    const name = newName();
    misbehave = (path) => (path === "/convert" ? { result: { status: "Failed", message: "no" } } : undefined);
    const refused = await expectCode(500, ground.api.post(boats("v1"), boat("v1", name, 1)));
    expect(refused.body).toMatchObject({
      reason: "InternalError",
      message: `Internal error occurred: conversion webhook for ${group}/v1, Kind=Boat failed: no`,
    });
    expect(seen.map(({ path }) => path)).toEqual(["/convert"]);
    misbehave = undefined;
    await expectCode(404, ground.api.get(boats("v1", name)));
  });

  test("an object that a mutating webhook makes invalid is refused with 422", async () => {
    const patch = [{ op: "remove", path: "/spec/colour" }];
    misbehave = (path) =>
      path.startsWith("/mutating")
        ? {
            allowed: true,
            patchType: "JSONPatch",
            patch: Buffer.from(JSON.stringify(patch)).toString("base64"),
          }
        : undefined;
    const refused = await expectCode(422, ground.api.post(boats("v2"), boat("v2", newName(), 1)));
    expect(refused.body.message).toContain("spec.colour: Required value");
  });
});

describe("a mutating webhook that sees objects in the stored version", () => {
  const chosen: readonly Hook[] = [
    { type: "mutating", rule: "v1", matchPolicy: "Equivalent", failurePolicy: "Fail" },
  ];
  beforeAll(() => configure(chosen));
  afterAll(forget);

  test.each(["create", "patch"])(
    "cannot make one invalid in the version of the request: %s",
    async (verb) => {
      const name = newName();
      if (verb === "patch") await stored("v1", name, 1);
      misbehave = (path) => {
        if (path === "/convert") return undefined;
        const patch = JSON.stringify([{ op: "replace", path: "/spec/sails", value: 2000 }]);
        return { allowed: true, patchType: "JSONPatch", patch: Buffer.from(patch).toString("base64") };
      };
      const asked =
        verb === "create"
          ? ground.api.post(boats("v3"), boat("v3", name, 1))
          : ground.api.mergePatch(boats("v3", name), { metadata: { labels: { a: "b" } } });
      const refused = await expectCode(422, asked);
      expect(refused.body.message).toContain("spec.poles: Invalid value: 2000");
    },
  );
});

test("the conversion webhook is called when a version is not the stored one, and only then", async () => {
  const name = newName();
  await stored("v1", name, 1);
  await expectCode(200, ground.api.get(boats("v1", name)));
  await expectCode(200, ground.api.mergePatch(boats("v1", name), { spec: { sails: 2 } }));
  await expectCode(200, ground.api.get(boats("v1")));
  expect(seen).toEqual([]);
  await expectCode(200, ground.api.get(boats("v2", name)));
  await expectCode(200, ground.api.get(boats("v2", name)));
  expect(seen.map(({ request }) => request.desiredAPIVersion)).toEqual([`${group}/v2`]);
});

test("a request converts the same object once", async () => {
  const name = newName();
  await stored("v2", name, 1);
  seen = [];
  await expectCode(200, ground.api.mergePatch(boats("v2", name), { spec: { masts: 2 } }));
  const asked = seen.map(({ request }) => JSON.stringify([request.desiredAPIVersion, request.objects]));
  expect(asked.length).toBe(new Set(asked).size);
});

test("the conversion webhook is asked as Kubernetes asks it, with its time limit in the query", async () => {
  await expectCode(200, ground.api.get(boats("v3")));
  expect(
    new Set(peer.requests.filter(({ path }) => path.startsWith("/convert")).map(({ path }) => path)),
  ).toEqual(new Set(["/convert?timeout=30s"]));
});

test("what an apply gives up need not leave an object that is valid in the version of the former apply", async () => {
  const name = newName();
  const apply = (version: Version, object: object) =>
    ground.api.apply(boats(version, name, "?fieldManager=m"), object);
  await expectCode(201, apply("v2", boat("v2", name, 1)));
  const without = await expectCode(200, apply("v1", { ...boat("v1", name, 1), spec: { sails: 1 } }));
  expect(without.body.spec).toEqual({ sails: 1 });
});
