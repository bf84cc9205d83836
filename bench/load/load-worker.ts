import { quantile } from "../support/statistics.js";
import { answerOneJob } from "./answer-jobs.js";
import { type Answer, Http1Client, type Target } from "./http1-client.js";
import { Http2Connection } from "./http2-client.js";
import { podJson } from "./objects.js";

export interface Job {
  readonly target: Target;
  readonly protocol: "http1" | "http2";
  readonly connections: number;
  readonly operation: "get" | "create" | "update" | "delete";
  readonly namespace: string;
  /** Prefix of the names; `get` and `update` use `NAME-0` to `NAME-(count-1)`. */
  readonly name: string;
  readonly count: number;
  /** Path that `get` requests instead of a pod. */
  readonly path?: string | undefined;
  /** Ends after this time, or for `create` and `delete` after `count` objects. */
  readonly durationMs: number;
}

export interface JobResult {
  readonly operations: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly failures: number;
}

interface Client {
  request(method: string, path: string, body?: string): Promise<Answer>;
}

/** Streams of an HTTP/2 connection, as clients multiplex them. */
const streamsPerConnection = 20;

answerOneJob(run);

async function run(job: Job): Promise<JobResult> {
  const clients = await openClients(job);
  const latencies: number[] = [];
  let next = 0;
  let failures = 0;
  const start = performance.now();
  const end = start + job.durationMs;
  const bounded = job.operation === "create" || job.operation === "delete";
  await Promise.all(
    clients.map(async (client) => {
      while (performance.now() < end && !(bounded && next >= job.count)) {
        const began = performance.now();
        const { status } = await perform(job, client, next++);
        latencies.push(performance.now() - began);
        if (status >= 300) failures++;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  return {
    operations: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    failures,
  };
}

async function openClients(job: Job): Promise<readonly Client[]> {
  if (job.protocol === "http1") {
    return await Promise.all(Array.from({ length: job.connections }, () => Http1Client.open(job.target)));
  }
  const connections = await Promise.all(
    Array.from({ length: Math.ceil(job.connections / streamsPerConnection) }, () =>
      Http2Connection.open(job.target),
    ),
  );
  return Array.from({ length: job.connections }, (_, i) => {
    const connection = connections[i % connections.length];
    if (connection === undefined) throw new Error("no connection");
    return connection;
  });
}

function perform(job: Job, client: Client, turn: number): Promise<Answer> {
  const collection = `/api/v1/namespaces/${job.namespace}/pods`;
  const name = `${job.name}-${turn % job.count}`;
  switch (job.operation) {
    case "get":
      return client.request("GET", job.path ?? `${collection}/${name}`);
    case "create":
      return client.request("POST", collection, podJson(name, job.namespace, turn));
    case "update":
      return client.request("PUT", `${collection}/${name}`, podJson(name, job.namespace, turn));
    case "delete":
      return client.request("DELETE", `${collection}/${name}?gracePeriodSeconds=0`);
  }
}
