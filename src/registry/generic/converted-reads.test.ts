import { expect, test } from "vitest";
import { configMaps } from "../../apis/core/config-map/resource.js";
import type { RemoteConversion, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { ConfigMap } from "../../apis/gen/core-v1.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { toRevision } from "../../storage/kv.js";
import { createStoredObject } from "../../storage/stored-object.js";
import { ConvertedReads } from "./converted-reads.js";
import { createResourceCodec } from "./resource-codec.js";

const definition = configMaps(testApiContext());
const codec = createResourceCodec(definition, "json");
/** Reads, and how many objects each webhook call had. */
function readsOf(): { readonly reads: ConvertedReads<ConfigMap>; readonly groups: number[] } {
  const groups: number[] = [];
  const conversion: RemoteConversion<ConfigMap> = {
    hub: false,
    remote: true,
    check: () => undefined,
    toHub: () => Promise.reject(new Error("nothing is written")),
    fromHub: () => Promise.reject(new Error("nothing is converted alone")),
    sharesBody: () => false,
    selectableFields: {
      names: ["colour"],
      values: ({ metadata }) => ({ colour: metadata.annotations?.colour ?? "" }),
    },
    async fromHubs(hubs) {
      groups.push(hubs.length);
      return hubs.map((hub) => ({ ...hub, data: { size: String(hub.data?.text?.length) } }));
    },
  };
  const [version] = definition.versions as readonly VersionDefinition<ConfigMap>[];
  if (version === undefined) throw new Error("config maps have no version");
  return { reads: new ConvertedReads(version, conversion), groups };
}

const stored = (name: string, bytes: number) =>
  createStoredObject(codec, name, { metadata: { name }, data: { text: "x".repeat(bytes) } }, undefined);

test("large objects are converted in groups, and each is decoded and printed on its own", async () => {
  const { reads, groups } = readsOf();
  let pieces = 0;
  const scope = {
    signal: new AbortController().signal,
    runWork: async <R>(work: () => R): Promise<R> => {
      pieces++;
      return work();
    },
  };
  const sizes = [100_000, 100_000, 100_000, 400_000, 10, 10];
  const objects = sizes.map((size, index) => stored(`m${index}`, size));
  const converted = await reads.objects(objects, scope);
  expect(converted.map((one) => one.decode().data)).toEqual(sizes.map((size) => ({ size: String(size) })));
  expect(groups).toEqual([2, 1, 1, 2]);
  expect(pieces).toBe(12);
  await reads.objects(objects, scope);
  expect(groups).toHaveLength(4);
});

test("small objects are converted together", async () => {
  const { reads, groups } = readsOf();
  const scope = { signal: new AbortController().signal, runWork: <R>(work: () => R) => work() };
  await reads.objects(
    Array.from({ length: 100 }, (_, index) => stored(`m${index}`, 100)),
    scope,
  );
  expect(groups).toEqual([100]);
});

test("those who want an object at the same time share its conversion, until its request is given up", async () => {
  const { reads, groups } = readsOf();
  const scopeOf = ({ signal }: AbortController) => ({ signal, runWork: <R>(work: () => R) => work() });
  const three = (object: ReturnType<typeof stored>, first = new AbortController()) =>
    [first, new AbortController(), new AbortController()].map((request) =>
      reads.objects([object], scopeOf(request)),
    );
  const results = await Promise.all(three(stored("a", 10)));
  expect(groups).toEqual([1]);
  expect(new Set(results.flat()).size).toBe(1);

  const failing = {
    ...stored("b", 10),
    decode: () => {
      throw new Error("unreadable");
    },
  };
  const outcomes = await Promise.allSettled(three(failing));
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);

  let decoded = 0;
  const first = new AbortController();
  const slow = stored("c", 10);
  const given = {
    ...slow,
    key: slow.key,
    body: slow.body,
    decode: () => {
      if (decoded++ > 0) return slow.decode();
      first.abort();
      throw new Error("given up");
    },
  };
  const [gone, ...others] = await Promise.allSettled(three(given, first));
  expect(gone?.status).toBe("rejected");
  expect(others.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(decoded).toBe(2);
});

test("watchers that select converted objects see what enters and leaves, whoever else watches", async () => {
  const { reads } = readsOf();
  const scope = { signal: new AbortController().signal, runWork: <R>(work: () => R) => work() };
  const coloured = (colour: string, resourceVersion: string) =>
    createStoredObject(
      codec,
      "boat",
      { metadata: { name: "boat", annotations: { colour }, resourceVersion } },
      undefined,
    );
  const red = coloured("red", "5");
  const event = {
    type: "MODIFIED",
    object: coloured("blue", "6"),
    previous: red,
    revision: toRevision(6),
  } as const;
  const plain = await reads.events([event], scope);
  expect(plain.map(({ type }) => type)).toEqual(["MODIFIED"]);
  expect(await reads.events([event], scope)).toEqual(plain);
  const seenBy = (colour: string) => reads.events([event], scope, ({ fields }) => fields.colour === colour);
  const [entered] = await seenBy("blue");
  const [left] = await seenBy("red");
  expect([entered?.type, left?.type]).toEqual(["ADDED", "DELETED"]);
  expect((await seenBy("red"))[0]).toBe(left);
  expect(left?.type === "DELETED" && left.object.decode().metadata).toMatchObject({
    annotations: { colour: "red" },
    resourceVersion: "6",
  });
  expect(await seenBy("green")).toEqual([]);
});
