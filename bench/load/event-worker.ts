import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
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
const eventStart = Buffer.from('{"type":"MODIFIED"');
let events = 0;
let ended = 0;
let lagsMs: number[] = [];
/** How many watches have received each event. */
let reachedBy = new Map<string, number>();
let total = 0;

process.on("message", (sent: EventJob | "take") => {
  if (sent === "take") {
    tell({ kind: "received", events, lagsMs, ended });
    events = 0;
    ended = 0;
    lagsMs = [];
    reachedBy = new Map();
    return;
  }
  total = sent.watchers;
  openWatches(sent).then(
    () => tell({ kind: "open" }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});

function tell(report: EventReport): void {
  process.send?.(report);
}

async function openWatches(job: EventJob): Promise<void> {
  const { target, protocol, watchers } = job;
  // Ignore everything written earlier.
  const path = `${job.collection}?watch=1&resourceVersion=${await newestVersion(job)}`;
  const { authorization } = tokenHeader(target);
  const credentials = authorization === undefined ? "" : `Authorization: ${authorization}\r\n`;
  if (protocol === "http1") {
    for (let index = 0; index < watchers; index += 50)
      await Promise.all(
        Array.from({ length: Math.min(50, watchers - index) }, async (_, offset) => {
          const socket = connectTls({
            host: target.host,
            port: target.port,
            ...tlsOf(target),
            ALPNProtocols: ["http/1.1"],
          });
          await once(socket, "secureConnect");
          socket.write(`GET ${path} HTTP/1.1\r\nHost: ${target.host}\r\n${credentials}\r\n`);
          socket.on("data", chunkedBody(receiver(index + offset)));
          const [head] = (await once(socket, "data")) as [Buffer];
          if (!head.toString("latin1", 0, 15).includes(" 200")) throw new Error(head.toString());
          socket.on("close", closed);
        }),
      );
    return;
  }
  for (let index = 0; index < watchers; index += streamsPerConnection) {
    const { host, port } = target;
    const session = connectHttp2(`https://${host}:${port}`, {
      ...tlsOf(target),
      settings: { initialWindowSize: 2 ** 24 },
    });
    await once(session, "connect");
    session.setLocalWindowSize(2 ** 26);
    await Promise.all(
      Array.from({ length: Math.min(streamsPerConnection, watchers - index) }, async (_, offset) => {
        const stream = session.request({ ":path": path, ...tokenHeader(target) });
        stream.on("data", receiver(index + offset));
        stream.on("close", closed);
        const [headers] = await once(stream, "response");
        if (headers[":status"] !== 200) throw new Error(`a watch was answered ${headers[":status"]}`);
      }),
    );
  }
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

/** Splits the stream of one watch, in pieces of any size. */
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
    tell({ kind: "reached", turn: Number(turn) });
  }
}
