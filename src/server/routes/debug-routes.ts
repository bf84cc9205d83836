import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { badRequest, tooManyRequests } from "../../apimachinery/errors/status.js";
import type { HttpExchange } from "../../serving/http/exchange.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import { sendPieces } from "../../serving/responses/send-pieces.js";
import type { Route } from "../../serving/routing/router.js";
import type { PprofParts } from "../profiling/pprof-profile.js";

const prefix = "/debug/pprof";
const secondsMax = 300;

interface ProfileRoute {
  readonly name: string;
  readonly what: string;
  readonly defaultSeconds: number;
  take(durationMs: number, signal: AbortSignal): Promise<PprofParts>;
}

const profiles: readonly ProfileRoute[] = [
  {
    name: "allocs",
    what: "a sampling of all memory allocated during ?seconds=10",
    defaultSeconds: 10,
    take: async (...args) => (await import("../profiling/take-profile.js")).heapProfile(...args, true),
  },
  {
    name: "heap",
    what: "a sampling of the memory allocated during ?seconds=10 that is still in use at its end",
    defaultSeconds: 10,
    take: async (...args) => (await import("../profiling/take-profile.js")).heapProfile(...args, false),
  },
  {
    name: "profile",
    what: "a CPU profile over ?seconds=30",
    defaultSeconds: 30,
    take: async (...args) => (await import("../profiling/take-profile.js")).cpuProfile(...args),
  },
];

/** The only one that is not in pprof's format. */
const traceEvents = {
  name: "trace",
  what: "events over ?seconds=1 in Chrome's format: collections of garbage, requests, and what the processor did",
  defaultSeconds: 1,
} as const;

const waiting = {
  name: "goroutine",
  what: "what the process waits for at this moment: sockets, timers and calls, by kind; ?debug=1 as text",
} as const;

/** `--contention-profiling`. */
const contention: ProfileRoute = {
  name: "block",
  what: "what held the event loop for more than 10 ms at a time during ?seconds=30",
  defaultSeconds: 30,
  take: async (...args) => (await import("../profiling/loop-delay-profile.js")).loopDelayProfile(...args),
};

/** `--profiling`: where the process spends time and memory, for `go tool pprof` and other readers of its format. */
export function debugRoutes(options: { readonly contention: boolean }): Route[] {
  const profiler = new OneAtATime();
  const offered = options.contention ? [...profiles, contention] : profiles;
  return [
    { path: prefix, listed: false, handle: async ({ exchange }) => toIndex(exchange) },
    { path: `${prefix}/`, listed: false, handle: async (context) => index(context, offered) },
    { path: `${prefix}/cmdline`, listed: false, handle: async (context) => commandLine(context) },
    {
      path: `${prefix}/${traceEvents.name}`,
      listed: false,
      handle: (context: RequestContext) => respondTrace(context, profiler),
    },
    { path: `${prefix}/${waiting.name}`, listed: false, handle: respondWaiting },
    ...offered.map((profile) => ({
      path: `${prefix}/${profile.name}`,
      listed: false,
      handle: (context: RequestContext) => profiler.run(() => respond(context, profile)),
    })),
  ];
}

/** V8 has one profiler, and concurrent profiles would measure each other. */
class OneAtATime {
  #running = false;

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running) throw tooManyRequests("another profile is being taken, please try again later", 10);
    this.#running = true;
    try {
      return await work();
    } finally {
      this.#running = false;
    }
  }
}

/** Aborts when the request times out or its client disconnects. */
function untilLeft({ signal, exchange }: RequestContext): AbortSignal {
  return AbortSignal.any([signal, exchange.signal]);
}

function durationOf({ query }: RequestContext, defaultSeconds: number): number {
  const seconds = Number(query.get("seconds") ?? defaultSeconds);
  if (seconds > 0 && seconds <= secondsMax) return seconds * 1000;
  throw badRequest(`seconds: must be more than 0 and at most ${secondsMax}`);
}

async function respondTrace(context: RequestContext, profiler: OneAtATime): Promise<void> {
  const durationMs = durationOf(context, traceEvents.defaultSeconds);
  const { traceEvents: take, traceDocument } = await import("../profiling/trace-events.js");
  const pieces = traceDocument(await profiler.run(() => take(durationMs, untilLeft(context))));
  const headers = {
    "Content-Type": "application/json",
    "Content-Disposition": `attachment; filename="trace.json"`,
    "X-Content-Type-Options": "nosniff",
  };
  await sendPieces(context.exchange, {
    status: 200,
    headers,
    pieces,
    compress: true,
    signal: context.signal,
  });
}

async function respondWaiting(context: RequestContext): Promise<void> {
  const { waits, waitsProfile } = await import("../profiling/take-profile.js");
  const debug = context.query.get("debug") ?? "0";
  if (debug === "0") return await respondPprof(context, waiting.name, waitsProfile());
  const lines = waits();
  const total = lines.reduce((sum, [, count]) => sum + count, 0);
  const text = lines.map(([kind, count]) => `${count} @ ${kind}\n`).join("");
  const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };
  context.exchange.respond(200, headers, `${waiting.name} profile: total ${total}\n${text}`);
}

async function respond(context: RequestContext, profile: ProfileRoute): Promise<void> {
  const parts = await profile.take(durationOf(context, profile.defaultSeconds), untilLeft(context));
  await respondPprof(context, profile.name, parts);
}

async function respondPprof({ exchange }: RequestContext, name: string, parts: PprofParts): Promise<void> {
  const { encodePprof } = await import("../profiling/pprof-profile.js");
  const headers = {
    "Content-Type": "application/octet-stream",
    "Content-Disposition": `attachment; filename="${name}"`,
    "X-Content-Type-Options": "nosniff",
  };
  exchange.respond(200, headers, await promisify(gzip)(await encodePprof(parts)));
}

function toIndex(exchange: HttpExchange): void {
  exchange.respond(301, { Location: `${prefix}/` });
}

function index(context: RequestContext, offered: readonly ProfileRoute[]): void {
  const pages = [
    { name: "cmdline", what: "the command line of this process" },
    waiting,
    traceEvents,
    ...offered,
  ];
  const items = pages.map(({ name, what }) => `<li><a href="${prefix}/${name}">${name}</a>: ${what}</li>`);
  const page = `<html><head><title>${prefix}/</title></head><body><h1>${prefix}/</h1><ul>${items.join("")}</ul></body></html>\n`;
  context.exchange.respond(200, { "Content-Type": "text/html; charset=utf-8" }, page);
}

function commandLine(context: RequestContext): void {
  context.exchange.respond(200, { "Content-Type": "text/plain; charset=utf-8" }, process.argv.join("\0"));
}
