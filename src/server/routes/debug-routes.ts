import type { Session } from "node:inspector";
import { setTimeout as delay } from "node:timers/promises";
import { badRequest } from "../../apimachinery/status.js";
import type { HttpExchange } from "../../serving/http/exchange.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";

const prefix = "/debug/pprof";
const defaultSeconds = 30;
const secondsMax = 300;

const profiles: Readonly<Record<string, string>> = {
  cmdline: "the command line of this process",
  heap: "a snapshot of the heap, for the memory panel of Chrome's developer tools (.heapsnapshot)",
  profile:
    "a CPU profile over ?seconds=30, for the performance panel of Chrome's developer tools (.cpuprofile)",
};

/** `--profiling`: what the process spends its time and memory on (contract 2, §4 "Other served paths"). */
export function debugRoutes(): Route[] {
  return [
    { path: prefix, listed: false, handle: async ({ exchange }) => toIndex(exchange) },
    { path: `${prefix}/`, listed: false, handle: async (context) => index(context) },
    { path: `${prefix}/cmdline`, listed: false, handle: async (context) => commandLine(context) },
    { path: `${prefix}/profile`, listed: false, handle: cpuProfile },
    { path: `${prefix}/heap`, listed: false, handle: heapSnapshot },
  ];
}

function toIndex(exchange: HttpExchange): void {
  exchange.respond(301, { Location: `${prefix}/` });
}

function index(context: RequestContext): void {
  const items = Object.entries(profiles).map(
    ([name, what]) => `<li><a href="${prefix}/${name}">${name}</a>: ${what}</li>`,
  );
  const page = `<html><head><title>${prefix}/</title></head><body><h1>${prefix}/</h1><ul>${items.join("")}</ul></body></html>\n`;
  context.exchange.respond(200, { "Content-Type": "text/html; charset=utf-8" }, page);
}

function commandLine(context: RequestContext): void {
  context.exchange.respond(200, { "Content-Type": "text/plain; charset=utf-8" }, process.argv.join("\0"));
}

async function cpuProfile(context: RequestContext): Promise<void> {
  const seconds = Number(context.query.get("seconds") ?? defaultSeconds);
  if (!(seconds > 0 && seconds <= secondsMax)) {
    throw badRequest(`seconds: must be more than 0 and at most ${secondsMax}`);
  }
  const profile = await withSession(async (post) => {
    await post("Profiler.enable");
    await post("Profiler.start");
    await delay(seconds * 1000, undefined, { signal: context.signal });
    return await post("Profiler.stop");
  });
  const { profile: samples } = profile as { profile: unknown }; // the inspector protocol's answer to Profiler.stop
  context.exchange.respond(
    200,
    {
      "Content-Type": "application/json",
      "Content-Disposition": 'attachment; filename="apiserver.cpuprofile"',
    },
    JSON.stringify(samples),
  );
}

async function heapSnapshot(context: RequestContext): Promise<void> {
  const { getHeapSnapshot } = await import("node:v8");
  const stream = context.exchange.startStream(200, {
    "Content-Type": "application/json",
    "Content-Disposition": 'attachment; filename="apiserver.heapsnapshot"',
  });
  for await (const piece of getHeapSnapshot()) {
    if (stream.closed) return;
    if (!stream.write(piece)) await stream.drained();
  }
  stream.end();
}

type Post = (method: string) => Promise<unknown>;

async function withSession<R>(work: (post: Post) => Promise<R>): Promise<R> {
  const { Session: InspectorSession } = await import("node:inspector");
  const session: Session = new InspectorSession();
  session.connect();
  try {
    return await work(
      (method) =>
        new Promise((resolve, reject) => {
          session.post(method, (error, answer) => (error === null ? resolve(answer) : reject(error)));
        }),
    );
  } finally {
    session.disconnect();
  }
}
