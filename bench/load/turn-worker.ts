import { answerJobs } from "./answer-jobs.js";
import { type Answer, Http1Client, type Target } from "./http1-client.js";
import { podJson } from "./objects.js";

/** A process that keeps connections to several servers open, and sends requests to one at a time. */
export interface TurnJob {
  readonly connections: number;
  /** Gets of the path, or creates of pods in a namespace. */
  readonly subjects: readonly { readonly target: Target; readonly path: string; readonly creates?: string }[];
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

interface OpenSubject {
  readonly clients: readonly Http1Client[];
  readonly ask: (client: Http1Client) => Promise<Answer>;
}

let subjects: readonly OpenSubject[] = [];

answerJobs(
  (job: TurnJob | Turn): Promise<TurnResult | "open"> => ("subjects" in job ? open(job) : turn(job)),
);

async function open({ connections, subjects: asked }: TurnJob): Promise<"open"> {
  subjects = await Promise.all(
    asked.map(async ({ target, path, creates }) => ({
      clients: await Promise.all(Array.from({ length: connections }, () => Http1Client.open(target))),
      ask: creates === undefined ? (client: Http1Client) => client.request("GET", path) : creator(creates),
    })),
  );
  return "open";
}

function creator(namespace: string): OpenSubject["ask"] {
  const collection = `/api/v1/namespaces/${namespace}/pods`;
  let next = 0;
  return (client) => client.request("POST", collection, podJson(`turn-${next}`, namespace, next++));
}

async function turn({ subject, durationMs }: Turn): Promise<TurnResult> {
  const open = subjects[subject];
  if (open === undefined) throw new RangeError(`there is no subject ${subject}`);
  let operations = 0;
  let failures = 0;
  const began = performance.now();
  const end = began + durationMs;
  await Promise.all(
    open.clients.map(async (client) => {
      while (performance.now() < end) {
        const { status } = await open.ask(client);
        operations++;
        if (status !== 200 && status !== 201) failures++;
      }
    }),
  );
  return { operations, failures, seconds: (performance.now() - began) / 1000 };
}
