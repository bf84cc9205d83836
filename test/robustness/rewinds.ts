import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import type { RewindRecord } from "./history.js";
import type { Random } from "./random.js";
import type { Fault } from "./run-round.js";
import type { ServerNode } from "./server-node.js";

const answerMs = 10_000;

/** Snapshots of a server with a lab, and rewinds to them, as faults: whatever clients wrote since is undone while they go on. */
export class Rewinds {
  readonly records: RewindRecord[] = [];
  readonly #node: ServerNode;
  readonly #namespace: string;
  #snapshots: string[] = [];
  #number = 0;

  /** Of a round in a namespace of its own, which is there when the first fault comes. */
  constructor(node: ServerNode, namespace: string) {
    this.#node = node;
    this.#namespace = namespace;
  }

  readonly faults: readonly Fault[] = [
    { name: "snapshot", run: () => this.#snapshot() },
    { name: "rewind", run: (random) => this.#rewind(random, async () => undefined) },
    {
      name: "rewind while a server is killed",
      run: (random) =>
        this.#rewind(random, async () => {
          await sleep(random.between(0, 30));
          await this.#node.kill();
          await sleep(random.between(0, 300));
          await this.#node.restart();
        }),
    },
  ];

  async #snapshot(): Promise<void> {
    const name = `${this.#namespace}-${++this.#number}`;
    if (await this.#post(`/lab/snapshots?name=${name}`)) this.#snapshots.push(name);
  }

  async #rewind(random: Random, meanwhile: () => Promise<void>): Promise<void> {
    const [first, ...others] = this.#snapshots;
    if (first === undefined) return await this.#snapshot();
    const after = await this.#revision();
    const invoked = performance.now();
    const rewound = this.#post(`/lab/snapshots/${random.pick([first, ...others])}/rewind`);
    await meanwhile();
    // A server that was killed or restarted has forgotten its snapshots.
    if (!(await rewound)) this.#snapshots = [];
    const through = await this.#revision();
    this.records.push({ invoked, after, through });
  }

  /** Whether it was answered with success. */
  async #post(path: string): Promise<boolean> {
    const { url, agent } = this.#node.endpoint;
    try {
      const answer = await request(`${url}${path}`, {
        method: "POST",
        dispatcher: agent,
        signal: AbortSignal.timeout(answerMs),
      });
      await answer.body.text();
      return answer.statusCode === 200;
    } catch {
      return false;
    }
  }

  /** The newest of the store. */
  async #revision(): Promise<number> {
    const { url, agent } = this.#node.endpoint;
    for (;;) {
      try {
        const path = `/api/v1/namespaces/${this.#namespace}/configmaps?limit=1`;
        const answer = await request(`${url}${path}`, {
          dispatcher: agent,
          signal: AbortSignal.timeout(answerMs),
        });
        const text = await answer.body.text();
        if (answer.statusCode === 200) return Number(JSON.parse(text).metadata.resourceVersion);
      } catch {
        // It is about to come back.
      }
      await sleep(50);
    }
  }
}
