import { answerJobs } from "./answer-jobs.js";
import { type Answer, Http1Client, type Target } from "./http1-client.js";
import { Http2Connection } from "./http2-client.js";

/** Opens connections to a server, which stay open for all later jobs. */
export interface PeerConnections {
  readonly kind: "connect";
  readonly target: Target;
  readonly protocol: "http1" | "http2";
  readonly connections: number;
}

/** `count` requests. `%` in path and body is the number of the request, counted from `first`. */
export interface PeerWork {
  readonly kind: "work";
  readonly method: "GET" | "POST" | "PUT";
  readonly path: string;
  readonly body?: string;
  readonly first: number;
  readonly count: number;
  /** After this many requests `%` starts again from `first`. */
  readonly cycle?: number;
}

export interface PeerResult {
  readonly seconds: number;
  readonly failures: number;
}

interface Client {
  request(method: string, path: string, body?: string): Promise<Answer>;
}

let clients: readonly Client[] = [];

answerJobs((job: PeerConnections | PeerWork) => (job.kind === "connect" ? open(job) : work(job)));

async function open({ target, protocol, connections }: PeerConnections): Promise<PeerResult> {
  if (protocol === "http1") {
    clients = await Promise.all(Array.from({ length: connections }, () => Http1Client.open(target)));
  } else {
    // Streams of one connection, as client libraries send them.
    const connection = await Http2Connection.open(target);
    clients = Array.from({ length: connections }, () => connection);
  }
  return { seconds: 0, failures: 0 };
}

async function work({ method, path, body, first, count, cycle = count }: PeerWork): Promise<PeerResult> {
  let next = 0;
  let failures = 0;
  const began = performance.now();
  await Promise.all(
    clients.map(async (client) => {
      while (next < count) {
        const number = String(first + (next++ % cycle));
        const { status } = await client.request(
          method,
          path.replaceAll("%", number),
          body?.replaceAll("%", number),
        );
        if (status !== 200 && status !== 201) failures++;
      }
    }),
  );
  return { seconds: (performance.now() - began) / 1000, failures };
}
