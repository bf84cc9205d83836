import { createHook } from "node:async_hooks";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import type { Answer } from "./api-caller.js";
import type { ApiGround } from "./api-ground.js";

/** What a small request may make of promises, so that it waits for nothing but the store. Who raises a number says why here. */
const promisesMax = { created: 31, updated: 34, patched: 34, read: 7 } as const;

const maps = "/api/v1/namespaces/default/configmaps";
let ground: ApiGround;

beforeAll(async () => {
  // Servers of other files of this process share what its modules know of the event loop.
  vi.resetModules();
  const { openApiGround } = await import("./api-ground.js");
  ground = await openApiGround();
});

afterAll(async () => {
  await ground.dispose();
});

async function promisesOf(ask: () => Promise<Answer>): Promise<number> {
  let promises = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "PROMISE") promises++;
    },
  });
  hook.enable();
  const { code, body } = await ask();
  hook.disable();
  expect(code, JSON.stringify(body)).toBeLessThan(300);
  return promises;
}

type Counts = Record<keyof typeof promisesMax, number>;

async function countsOf(name: string): Promise<Counts> {
  const { api } = ground;
  const small = (value: string): object => ({ metadata: { name }, data: { a: value } });
  return {
    created: await promisesOf(() => api.post(maps, small("a"))),
    updated: await promisesOf(() => api.put(`${maps}/${name}`, small("b"))),
    patched: await promisesOf(() => api.mergePatch(`${maps}/${name}`, { data: { a: "c" } })),
    read: await promisesOf(() => api.get(`${maps}/${name}`)),
  };
}

test("a small request makes few promises", async () => {
  // What else runs in this process meanwhile only adds to them: the least of some rounds, and of more while it is too many.
  const least: Counts = { created: Infinity, updated: Infinity, patched: Infinity, read: Infinity };
  const kinds = ["created", "updated", "patched", "read"] as const;
  const isFew = (): boolean => kinds.every((kind) => least[kind] <= promisesMax[kind]);
  for (let round = 0; round < 20 || (round < 200 && !isFew()); round++) {
    const counts = await countsOf(`small-${round}`);
    for (const kind of kinds) least[kind] = Math.min(least[kind], counts[kind]);
    await setImmediate();
  }
  for (const kind of kinds) expect(least[kind], kind).toBeLessThanOrEqual(promisesMax[kind]);
});
