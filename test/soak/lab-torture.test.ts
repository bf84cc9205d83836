import { expect, test } from "vitest";
import type { ApiClient } from "../support/api-client.js";
import { startLab } from "../support/lab-server.js";

const maps = "/api/v1/namespaces/default/configmaps";
const roots = (name: string) => name.startsWith("kube-root-ca");

/** Numbers below `bound` that repeat themselves with their seed. */
function seeded(seed: number): (bound: number) => number {
  let state = seed * 2_654_435_761;
  return (bound) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return (state >> 8) % bound;
  };
}

interface Known {
  readonly uid: string;
  readonly version: number;
  readonly text: string;
}

/** What a client makes of a watch: the state, and what is wrong with it. */
class Follower {
  readonly objects = new Map<string, Known>();
  readonly violations: string[] = [];
  readonly #api: ApiClient;
  readonly #stop = new AbortController();
  #last = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(api: ApiClient) {
    this.#api = api;
  }

  async start(): Promise<void> {
    const { body } = await this.#api.get(maps);
    for (const object of body.items) this.#note("ADDED", object);
    this.#last = Number(body.metadata.resourceVersion);
    this.#running = this.#follow();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running.catch(() => undefined);
  }

  async #follow(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const path = `${maps}?watch=true&resourceVersion=${this.#last}`;
      for await (const { type, object } of this.#api.watch(path, this.#stop.signal)) {
        const version = Number(object.metadata.resourceVersion);
        if (version <= this.#last) this.violations.push(`${type} at ${version}, after ${this.#last}`);
        this.#last = version;
        this.#note(type, object);
      }
    }
  }

  // biome-ignore lint/suspicious/noExplicitAny: an object of the API
  #note(type: string, { metadata, data }: any): void {
    const { name, uid } = metadata;
    const before = this.objects.get(name);
    if (type === "ADDED" && before !== undefined) this.violations.push(`${name} was added twice`);
    if (type !== "ADDED" && before?.uid !== uid)
      this.violations.push(`${type} of ${name}, which was another`);
    if (type === "DELETED") this.objects.delete(name);
    else this.objects.set(name, { uid, version: Number(metadata.resourceVersion), text: data?.text ?? "" });
  }
}

async function stateOf(api: ApiClient): Promise<Map<string, Known>> {
  const { body } = await api.get(maps);
  const state = new Map<string, Known>();
  for (const { metadata, data } of body.items) {
    const version = Number(metadata.resourceVersion);
    state.set(metadata.name, { uid: metadata.uid, version, text: data?.text ?? "" });
  }
  return state;
}

const withoutVersions = (state: ReadonlyMap<string, Known>) =>
  [...state].map(([name, { uid, text }]) => `${name} ${uid} ${text}`).sort();

test.each([1, 2, 3])(
  "writers, watches, snapshots and rewinds at once break nothing (seed %i)",
  async (seed) => {
    const lab = await startLab({ options: { storeCompactionIntervalMs: 300 } });
    const { api, server } = lab;
    const random = seeded(seed);
    const followers = Array.from({ length: 4 }, () => new Follower(api));
    try {
      for (const follower of followers) await follower.start();
      const change = async (): Promise<void> => {
        const name = `map-${random(20)}`;
        const kind = random(4);
        if (kind === 0) await api.delete(`${maps}/${name}`);
        else if (kind === 1) await api.post(maps, { metadata: { name }, data: { text: `${random(1000)}` } });
        else {
          const patch = { data: { text: `${random(1000)}` } };
          await api.patch(`${maps}/${name}`, "application/merge-patch+json", patch);
        }
      };
      const changes = (count: number) =>
        Promise.all(
          Array.from({ length: 6 }, async () => {
            for (let i = 0; i < count; i++) await change();
          }),
        );
      await changes(5);
      const kept: { readonly name: string; readonly state: readonly string[] }[] = [];
      for (let round = 0; round < 12; round++) {
        const { name } = await server.snapshot();
        kept.push({ name, state: withoutVersions(await stateOf(api)) });
        await changes(5);
        const at = kept[random(kept.length)];
        if (at === undefined) throw new Error("there is one");
        // Every third one while others write: then only watches and versions are held to something.
        const meanwhile = round % 3 === 2 ? changes(5) : undefined;
        await server.rewind(at.name);
        await meanwhile;
        if (meanwhile === undefined) expect(withoutVersions(await stateOf(api))).toEqual(at.state);
      }
      const last = kept[0];
      if (last === undefined) throw new Error("there is one");
      await server.rewind(last.name);
      const state = await stateOf(api);
      expect(withoutVersions(state)).toEqual(last.state);
      for (const follower of followers) {
        await expect.poll(() => [...follower.objects].sort()).toEqual([...state].sort());
        expect(follower.violations).toEqual([]);
      }
      expect([...state.keys()].every((name) => name.startsWith("map-") || roots(name))).toBe(true);
    } finally {
      for (const follower of followers) await follower.stop();
      await lab.dispose();
    }
  },
);
