import { expect, test } from "vitest";
import { runHostile } from "../hostile/run-hostile.js";

/**
 * A short `npm run hostile`: what made a server fail before, and random requests over everything. Nothing is said of time here. The seed
 * is printed with a failure; `HOSTILE_SEED` takes it back.
 */
const seed = Number(process.env.HOSTILE_SEED ?? Date.now() % 1_000_000);
/** They take long on a machine that others use too, and are right. */
const long = new Set([
  "JSON patches",
  "selectors",
  "quantities",
  "many items",
  "lists of pods",
  "lists of other kinds",
  "owners",
  "definitions",
  "served definitions",
  "YAML",
  "unread lists",
  "refused patches",
  "long URLs",
  "long headers",
  "many parts",
  "large objects",
]);
/** One of each way to make a definition expensive; all of them would take minutes on a shared machine. */
const definitionKinds =
  /^(nested: |definition, (create|update|bad update|apply), (nested|lists|pattern, nested|anyOf, unspecified|versions of one name|short names)$)/;
const patchKinds = /^refused (strategic|merge|JSON) patch, (objects|directive|long key)$/;
const lineKinds =
  /^long (name|labelSelector|timeout|header (accept|traceparent|authorization)) (%ff|\(|1h|,|;|00-)$/;
const partKinds =
  /^parts of (GET \S+ (limit=1&|%61=%ff&|command=a&|ports=1&|exclude=a&|%ff&)|POST .* dryRun=All&|subprotocols .*,|Content-Type ;)$/;

test("definitions, refused patches, and URLs of a megabyte are answered in order", async () => {
  const cases = new Set([
    "definitions",
    "served definitions",
    "refused patches",
    "long URLs",
    "long headers",
    "many parts",
  ]);
  const report = await runHostile({
    seed,
    durationMs: 0,
    objects: 0,
    connections: 0,
    fullLanes: { requests: 0, ms: 0 },
    quietMs: 0,
    wants: (name) => cases.has(name),
    wantsKind: (kind) =>
      [definitionKinds, patchKinds, lineKinds, partKinds].some((kinds) => kinds.test(kind)),
  });
  expect(report.violations).toEqual([]);
  expect(report.requests).toBeGreaterThan(60);
});

test(`hostile requests crash nothing, hang nowhere and are answered in order (seed ${seed})`, async () => {
  const report = await runHostile({
    seed,
    durationMs: 2_000,
    objects: 50,
    connections: 20,
    // Twice the places of one lane.
    fullLanes: { requests: 8, ms: 100 },
    quietMs: 0,
    wants: (name) => !long.has(name),
  });
  expect(report.violations, `seed ${seed}`).toEqual([]);
  expect(report.requests).toBeGreaterThan(400);
});
