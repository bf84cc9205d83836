import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiGround, openApiGround } from "../../../test/registry/api-ground.js";
import { badRequest } from "../../apimachinery/errors/status.js";
import { oldestLevel } from "../../apimachinery/levels/api-level.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { typePackages } from "../../apis/type-packages.js";
import { createNaming } from "../../naming/naming.js";
import type { StoredObject, WatchEvent, WatchSink } from "../../storage/object-store.js";
import { Metrics } from "../../telemetry/metrics.js";
import { openContext } from "../request/open-context.js";
import { LargeForms, makeForm } from "./large-forms.js";
import { Negotiator } from "./negotiator.js";
import { StatusResponder } from "./status-response.js";
import { RecordedExchange } from "./testing/recorded-exchange.js";
import { WatchMetrics } from "./watch-metrics.js";
import { WatchOutbox } from "./watch-outbox.js";
import { WatchResponder } from "./watch-responder.js";
import { WebSocketWatches } from "./web-socket-watch.js";

const naming = createNaming("kubernetes");
const maps = "/api/v1/namespaces/default/configmaps";
const table = `application/json;as=Table;g=${naming.group("meta")};v=v1`;
const schemas = new SchemaRegistry(typePackages, {
  level: oldestLevel,
  fieldName: (neutral) => naming.field(neutral),
});
const partialMetadata = schemas.codec("meta/v1.PartialObjectMetadata");
let ground: ApiGround;
const stored = new Map<string, StoredObject<ApiObject>>();

beforeAll(async () => {
  ground = await openApiGround();
  for (const name of ["a", "large", "c"]) {
    const data = { text: name === "large" ? "x".repeat(4000) : "" };
    await ground.api.post(maps, { metadata: { name }, data });
    const result = await ground.api.result("GET", `${maps}/${name}`);
    if (result.kind !== "object") throw new Error("no object");
    stored.set(name, result.stored);
  }
});
afterAll(() => ground.dispose());

function added(name: string): WatchEvent<ApiObject> {
  const object = stored.get(name);
  if (object === undefined) throw new Error(`${name} was not created`);
  return { type: "ADDED", object, revision: object.revision };
}

/** A watch of tables whose large objects are made when `make` says. */
async function watchTables(make: LargeForms) {
  const negotiator = new Negotiator(naming);
  const exchange = new RecordedExchange({ target: `${maps}?watch=1`, headers: { accept: table } });
  const outbox = new WatchOutbox();
  const responder = new WatchResponder({
    status: new StatusResponder(negotiator, schemas.codec("meta/v1.Status"), new YamlConverter(undefined)),
    partialMetadata,
    outbox,
    large: make,
    metrics: new WatchMetrics(new Metrics(), "1.36"),
    webSockets: new WebSocketWatches(),
    initialEventsEnd: { end: "true" },
    now: () => new Date(),
    draining: new AbortController().signal,
    terminationGraceMs: 0,
  });
  const view = ground.server.catalog.find("", "v1", "configmaps")?.endpoint?.view;
  if (view === undefined) throw new Error("config maps are not served");
  const sinks: WatchSink<ApiObject>[] = [];
  let isStopped = false;
  const negotiated = {
    representation: "json" as const,
    contentType: "application/json",
    pretty: false,
    parameters: new Map<string, string>(),
    transform: { kind: "Table" as const, group: naming.group("meta"), version: "v1" },
  };
  await responder.watch(openContext(exchange, new Date()), negotiated, {
    kind: "watch",
    view,
    timeoutMs: 60_000,
    start: async (given) => {
      sinks.push(given);
      return {
        stop() {
          isStopped = true;
        },
      };
    },
  });
  const [sink] = sinks;
  if (sink === undefined) throw new Error("the watch did not start");
  return {
    sink,
    /** The names of the events' objects; ERROR events as such. */
    seen: () =>
      [...exchange.body.toString().matchAll(/"cells":\["(\w+)"|ERROR/g)].map(([all, name]) => name ?? all),
    isStopped: () => isStopped,
  };
}

test("events wait in order for those of large objects, and the watch pauses", async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { sink, seen } = await watchTables(
    new LargeForms({
      async make(form) {
        await released;
        return makeForm({ catalog: ground.server.catalog, partialMetadata }, form);
      },
      bytesMin: 3000,
    }),
  );
  sink.events([added("a")]);
  expect(sink.ready?.()).toBeUndefined();
  sink.events([added("large"), added("c")]);
  sink.events([added("a")]);
  const pause = sink.ready?.();
  expect(pause).toBeInstanceOf(Promise);
  await setImmediate();
  expect(seen()).toEqual(["a"]);
  release();
  await expect.poll(seen).toEqual(["a", "large", "c", "a"]);
  await pause;
  expect(sink.ready?.()).toBeUndefined();
  // Kept for a while.
  sink.events([added("large")]);
  await expect.poll(seen).toEqual(["a", "large", "c", "a", "large"]);
  sink.end(undefined);
});

test("a watch whose large object cannot be made ends with an error, and sends nothing after it", async () => {
  const { sink, seen, isStopped } = await watchTables(
    new LargeForms({ make: () => Promise.reject(badRequest("no")), bytesMin: 3000 }),
  );
  sink.events([added("a"), added("large")]);
  sink.events([added("c")]);
  await expect.poll(isStopped).toBe(true);
  expect(seen()).toEqual(["ERROR"]);
});
