import { Http1Client, type Target } from "./http1-client.js";

/** A process that keeps connections to several servers open, and sends gets to one at a time. */
export interface TurnJob {
  readonly connections: number;
  readonly subjects: readonly { readonly target: Target; readonly path: string }[];
}

export interface Turn {
  readonly subject: number;
  readonly durationMs: number;
}

export interface TurnResult {
  readonly operations: number;
  readonly failures: number;
  readonly seconds: number;
}

let subjects: readonly { readonly clients: readonly Http1Client[]; readonly path: string }[] = [];

process.on("message", (message: TurnJob | Turn) => {
  const done = "subjects" in message ? open(message) : turn(message);
  done.then(
    (result) => process.send?.(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

async function open({ connections, subjects: asked }: TurnJob): Promise<"open"> {
  subjects = await Promise.all(
    asked.map(async ({ target, path }) => ({
      clients: await Promise.all(Array.from({ length: connections }, () => Http1Client.open(target))),
      path,
    })),
  );
  return "open";
}

async function turn({ subject, durationMs }: Turn): Promise<TurnResult> {
  const { clients = [], path = "" } = subjects[subject] ?? {};
  let operations = 0;
  let failures = 0;
  const began = performance.now();
  const end = began + durationMs;
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end) {
        const { status } = await client.request("GET", path);
        operations++;
        if (status !== 200) failures++;
      }
    }),
  );
  return { operations, failures, seconds: (performance.now() - began) / 1000 };
}
