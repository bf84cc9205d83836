import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
import { answerJobs } from "./answer-jobs.js";
import { chunkedBody } from "./chunked.js";
import type { Target } from "./http1-client.js";
import { tlsOf } from "./http2-client.js";
import { machineNow } from "./machine-now.js";

/**
 * A process that opens watches and counts events by their first bytes. It parses only every twentieth watch, which gives the lag, and
 * reports an event when the last watch has received it.
 */

export interface EventJob {
  readonly target: Target;
  readonly protocol: "http1" | "http2";
  readonly watchers: number;
  /** Path of the collection that is watched. */
  readonly collection: string;
}

/** What the watchers of a process have received since the last report. */
export interface Received {
  readonly kind: "received";
  readonly events: number;
  readonly lagsMs: readonly number[];
  /** Watches that the server ended. */
  readonly ended: number;
}

export type EventReport =
  | Received
  | { readonly kind: "open" }
  | { readonly kind: "reached"; readonly turn: number };

const streamsPerConnection = 100;
const socketsAtOnce = 50;
const eventStart = Buffer.from('{"type":"MODIFIED"');
let events = 0;
let ended = 0;
let lagsMs: number[] = [];
/** How many watches have received each event. */
let reachedBy = new Map<string, number>();
let total = 0;

answerJobs(async (job: EventJob | "take"): Promise<EventReport> => {
  if (job === "take") return takeReceived();
  total = job.watchers;
  await openWatches(job);
  return { kind: "open" };
});

function takeReceived(): Received {
  const received: Received = { kind: "received", events, lagsMs, ended };
  events = 0;
  ended = 0;
  lagsMs = [];
  reachedBy = new Map();
  return received;
}

async function openWatches(job: EventJob): Promise<void> {
  // Ignore everything written earlier.
  const path = `${job.collection}?watch=1&resourceVersion=${await newestVersion(job)}`;
  const openSome = job.protocol === "http1" ? openHttp1Watches : openHttp2Watches;
  const atOnce = job.protocol === "http1" ? socketsAtOnce : streamsPerConnection;
  for (let first = 0; first < job.watchers; first += atOnce) {
    await openSome(job.target, path, first, Math.min(first + atOnce, job.watchers));
  }
}

/** The watches [first, end), each on a connection of its own. */
async function openHttp1Watches(target: Target, path: string, first: number, end: number): Promise<void> {
  const { authorization } = tokenHeader(target);
  const credentials = authorization === undefined ? "" : `Authorization: ${authorization}\r\n`;
  const openOne = async (index: number): Promise<void> => {
    const { host, port } = target;
    const socket = connectTls({ host, port, ...tlsOf(target), ALPNProtocols: ["http/1.1"] });
    await once(socket, "secureConnect");
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${credentials}\r\n`);
    socket.on("data", chunkedBody(receiver(index)));
    const [head] = (await once(socket, "data")) as [Buffer];
    if (!head.toString("latin1", 0, 15).includes(" 200")) throw new Error(head.toString());
    socket.on("close", closed);
  };
  await Promise.all(Array.from({ length: end - first }, (_, offset) => openOne(first + offset)));
}

/** The same watches on one connection. */
async function openHttp2Watches(target: Target, path: string, first: number, end: number): Promise<void> {
  const { host, port } = target;
  const session = connectHttp2(`https://${host}:${port}`, {
    ...tlsOf(target),
    settings: { initialWindowSize: 2 ** 24 },
  });
  await once(session, "connect");
  session.setLocalWindowSize(2 ** 26);
  const openOne = async (index: number): Promise<void> => {
    const stream = session.request({ ":path": path, ...tokenHeader(target) });
    stream.on("data", receiver(index));
    stream.on("close", closed);
    const [headers] = await once(stream, "response");
    if (headers[":status"] !== 200) throw new Error(`a watch was answered ${headers[":status"]}`);
  };
  await Promise.all(Array.from({ length: end - first }, (_, offset) => openOne(first + offset)));
}

async function newestVersion({ target, collection }: EventJob): Promise<string> {
  const { host, port } = target;
  const session = connectHttp2(`https://${host}:${port}`, tlsOf(target));
  const stream = session.request({ ":path": `${collection}?limit=1`, ...tokenHeader(target) });
  let text = "";
  stream.setEncoding("utf8");
  for await (const piece of stream) text += String(piece);
  session.close();
  return JSON.parse(text).metadata.resourceVersion;
}

function tokenHeader({ tokens: [token] = [] }: Target): { readonly authorization?: string } {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

function closed(): void {
  ended++;
  total--;
}

/** Splits the stream of one watch, which arrives in pieces of any size, into events. */
function receiver(index: number): (bytes: Buffer) => void {
  const isSample = index % 20 === 0;
  let carry = Buffer.alloc(0);
  return (bytes) => {
    const whole = carry.length === 0 ? bytes : Buffer.concat([carry, bytes]);
    let last = -1;
    for (let found = whole.indexOf(eventStart); found >= 0; found = whole.indexOf(eventStart, found + 18)) {
      if (last >= 0) take(whole, last, found, isSample);
      last = found;
    }
    // An event counts when it has arrived completely.
    if (last >= 0 && whole.at(-1) === 10 && whole.lastIndexOf('"}}}\n') > last) {
      take(whole, last, whole.length, isSample);
      carry = Buffer.alloc(0);
    } else carry = Buffer.from(last >= 0 ? whole.subarray(last) : whole.subarray(-eventStart.length));
  };
}

function take(bytes: Buffer, from: number, to: number, isSample: boolean): void {
  events++;
  const turnAt = bytes.indexOf('"turn":"', from);
  const turn = bytes.toString("latin1", turnAt + 8, bytes.indexOf('"', turnAt + 8));
  if (isSample) {
    const sentAt = bytes.indexOf('"sent":"', from);
    if (sentAt < to) {
      const sent = Number(bytes.toString("latin1", sentAt + 8, bytes.indexOf('"', sentAt + 8)));
      lagsMs.push(machineNow() - sent);
    }
  }
  const count = (reachedBy.get(turn) ?? 0) + 1;
  if (count < total) reachedBy.set(turn, count);
  else {
    reachedBy.delete(turn);
    process.send?.({ kind: "reached", turn: Number(turn) } satisfies EventReport);
  }
}
