import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { ApiAnswer } from "../support/api-client.js";
import {
  applyPatch,
  type GroundHere,
  jsonPatch,
  mergePatch,
  openGroundHere,
  strategicPatch,
} from "../support/fixtures.js";

/** What must hold for any sequence of writes, of a few kinds over HTTP. The library's own properties are beside it. */

type Json = ApiAnswer["body"];

let ground: GroundHere;
let made = 0;
const core = "/api/v1/namespaces/default";
const deployments = "/apis/apps/v1/namespaces/default/deployments";

beforeAll(async () => {
  // At 1.23, a strategic merge patch makes empty texts of nulls in a map that the object does not have.
  ground = await openGroundHere(["--api-level=1.24"]);
});

afterAll(async () => {
  await ground.dispose();
});

const key = fc.constantFrom("a", "b", "c", "d");
const value = fc.constantFrom("1", "2", "3");
const mapOf = (values: fc.Arbitrary<string>) => fc.dictionary(key, values, { maxKeys: 4 });

/** The state that an edit leads to; everything else of the deployment stays. */
interface Wanted {
  readonly labels: Readonly<Record<string, string>>;
  readonly containers: Readonly<Record<string, string>>;
  readonly replicas: number;
  readonly paused: boolean;
}

const wanted: fc.Arbitrary<Wanted> = fc.record({
  labels: mapOf(value),
  containers: fc.dictionary(key, value, { minKeys: 1, maxKeys: 4 }),
  replicas: fc.nat(4),
  paused: fc.boolean(),
});

function deploymentOf(name: string, state: Wanted): Json {
  const selector = { app: "fixed" };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, labels: state.labels },
    spec: {
      replicas: state.replicas,
      paused: state.paused,
      selector: { matchLabels: selector },
      template: { metadata: { labels: selector }, spec: { containers: containersOf(state) } },
    },
  };
}

function containersOf(state: Wanted): Json[] {
  return Object.entries(state.containers).map(([name, tag]) => ({ name, image: `i:${tag}` }));
}

/** Null for removed fields, and all fields of the new value. */
function mapPatch(from: Readonly<Record<string, string>>, to: Readonly<Record<string, string>>): Json {
  return { ...Object.fromEntries(Object.keys(from).map((name) => [name, null])), ...to };
}

const patches: Readonly<Record<string, (from: Wanted, to: Wanted) => readonly [type: string, body: Json]>> = {
  merge: (from, to) => [
    mergePatch,
    {
      metadata: { labels: mapPatch(from.labels, to.labels) },
      spec: {
        replicas: to.replicas,
        paused: to.paused,
        template: { spec: { containers: containersOf(to) } },
      },
    },
  ],
  strategic: (from, to) => [
    strategicPatch,
    {
      metadata: { labels: mapPatch(from.labels, to.labels) },
      spec: {
        replicas: to.replicas,
        paused: to.paused,
        template: {
          spec: {
            "$setElementOrder/containers": Object.keys(to.containers).map((name) => ({ name })),
            containers: [
              ...containersOf(to),
              ...Object.keys(from.containers)
                .filter((name) => to.containers[name] === undefined)
                .map((name) => ({ name, $patch: "delete" })),
            ],
          },
        },
      },
    },
  ],
  json: (_from, to) => [
    jsonPatch,
    [
      { op: "add", path: "/metadata/labels", value: to.labels },
      { op: "replace", path: "/spec/replicas", value: to.replicas },
      { op: "add", path: "/spec/paused", value: to.paused },
      // Replaced bare, so that both ways the defaults are those of new containers.
      { op: "replace", path: "/spec/template/spec/containers", value: containersOf(to) },
    ],
  ],
};

const content = ({ body }: ApiAnswer): Json => ({
  labels: body.metadata.labels,
  generation: body.metadata.generation,
  spec: body.spec,
});

test("any sequence of patches gives the same object as the same edits made by update", async () => {
  const step = fc.record({ to: wanted, by: fc.constantFrom(...Object.keys(patches)) });
  await fc.assert(
    fc.asyncProperty(wanted, fc.array(step, { minLength: 1, maxLength: 5 }), async (start, steps) => {
      const id = made++;
      const [patched, updated] = [`patched-${id}`, `updated-${id}`];
      for (const name of [patched, updated]) {
        expect((await ground.api.post(deployments, deploymentOf(name, start))).status).toBe(201);
      }
      let from = start;
      for (const { to, by } of steps) {
        const [type, body] = patches[by]?.(from, to) ?? ["", undefined];
        const first = await ground.api.patch(`${deployments}/${patched}`, type, body);
        expect(first.status, first.text).toBe(200);
        const second = await ground.api.put(`${deployments}/${updated}`, deploymentOf(updated, to));
        expect(second.status, second.text).toBe(200);
        expect(content(first)).toEqual(content(second));
        const again = await ground.api.patch(`${deployments}/${patched}`, type, body);
        expect(again.body.metadata.resourceVersion).toBe(first.body.metadata.resourceVersion);
        from = to;
      }
    }),
    { numRuns: 25 },
  );
});

/** A stored empty map or list equals an absent one, so naming one would claim a missing field. */
function unlessEmpty(field: Readonly<Record<string, object>>): object {
  return Object.values(field).some((value) => Object.keys(value).length > 0) ? field : {};
}

/** How a kind carries named values that several managers can own apart. */
const carriers: readonly (readonly [
  what: string,
  collection: string,
  configuration: (name: string, values: Readonly<Record<string, string>>) => Json,
  values: (object: Json) => Record<string, string>,
])[] = [
  [
    "keys of a config map",
    `${core}/configmaps`,
    (name, data) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...unlessEmpty({ data }) }),
    (object) => object.data ?? {},
  ],
  [
    "labels of a namespace's service account",
    `${core}/serviceaccounts`,
    (name, labels) => ({
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name, ...unlessEmpty({ labels }) },
    }),
    (object) => object.metadata.labels ?? {},
  ],
  [
    "variables of a deployment's container",
    deployments,
    (name, values) => ({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name },
      spec: {
        selector: { matchLabels: { app: "x" } },
        template: {
          metadata: { labels: { app: "x" } },
          spec: {
            containers: [
              {
                name: "a",
                image: "a",
                ...unlessEmpty({ env: Object.entries(values).map(([n, v]) => ({ name: n, value: v })) }),
              },
            ],
          },
        },
      },
    }),
    (object) =>
      Object.fromEntries(
        (object.spec.template.spec.containers[0].env ?? []).map((e: Json) => [e.name, e.value]),
      ),
  ],
];

test.each(carriers)(
  "applying fewer fields removes exactly those that only the applier owned: %s",
  async (...carrier) => {
    const [, collection, configuration, values] = carrier;
    const apply = async (
      name: string,
      manager: string,
      wantedValues: Record<string, string>,
    ): Promise<Json> => {
      const answer = await ground.api.patch(
        `${collection}/${name}?fieldManager=${manager}&force=true`,
        applyPatch,
        configuration(name, wantedValues),
      );
      expect(answer.status, answer.text).toBeLessThan(300);
      return answer.body;
    };
    await fc.assert(
      fc.asyncProperty(
        mapOf(value),
        mapOf(value),
        fc.subarray(["a", "b", "c", "d"]),
        async (mine, others, kept) => {
          const name = `owned-${made++}`;
          await apply(name, "me", mine);
          await apply(name, "other", others);
          const less = Object.fromEntries(Object.entries(mine).filter(([n]) => kept.includes(n)));
          const after = await apply(name, "me", less);
          expect(values(after)).toEqual({ ...others, ...less });
          const again = await apply(name, "me", less);
          expect(again.metadata.resourceVersion).toBe(after.metadata.resourceVersion);
        },
      ),
      { numRuns: 20 },
    );
  },
);

test("what a patch makes is valid, or nothing changes", async () => {
  const name = `whole-${made++}`;
  const path = `${deployments}/${name}`;
  await ground.api.post(
    deployments,
    deploymentOf(name, { labels: {}, containers: { a: "1" }, replicas: 1, paused: false }),
  );
  const odd = fc.record(
    {
      replicas: fc.constantFrom(-1, 0, 3),
      minReadySeconds: fc.constantFrom(-5, 0, 5),
      strategy: fc.constantFrom(
        { type: "Recreate" },
        { type: "Sometimes" },
        { rollingUpdate: { maxSurge: "x%" } },
      ),
      template: fc.constantFrom(
        { metadata: { labels: { app: null } } },
        { spec: { containers: [] } },
        { spec: { restartPolicy: "Never" } },
        { spec: { terminationGracePeriodSeconds: 5 } },
      ),
    },
    { requiredKeys: [] },
  );
  await fc.assert(
    fc.asyncProperty(odd, fc.constantFrom(mergePatch, strategicPatch), async (spec, type) => {
      const before = (await ground.api.get(path)).body;
      const answer = await ground.api.patch(path, type, { spec });
      const after = (await ground.api.get(path)).body;
      if (answer.status === 200) {
        expect(after).toEqual(answer.body);
        expect((await ground.api.put(path, after)).status).toBe(200);
      } else {
        expect([answer.status, answer.body.reason]).toEqual([422, "Invalid"]);
        expect(answer.body.details.causes.length).toBeGreaterThan(0);
        expect(after).toEqual(before);
      }
    }),
    { numRuns: 60 },
  );
});
