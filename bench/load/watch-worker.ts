import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
import { answerJobs } from "./answer-jobs.js";
import type { Target } from "./http1-client.js";

export interface WatchJob {
  readonly target: Target;
  readonly protocol: "http1" | "http2";
  readonly path: string;
  readonly watchers: number;
}

/** `open` when every watch has its headers; then the bytes received so far, for each `count` message. */
export type WatchReport = "open" | { readonly bytes: number };

const streamsPerConnection = 100;
const openedAtOnce = 50;
let bytes = 0;

answerJobs(
  async (job: WatchJob | "count"): Promise<WatchReport> => (job === "count" ? { bytes } : await open(job)),
);

async function open(job: WatchJob): Promise<"open"> {
  const one = job.protocol === "http1" ? () => openHttp1(job) : () => openHttp2(job);
  const step = job.protocol === "http1" ? 1 : streamsPerConnection;
  const batch = job.protocol === "http1" ? openedAtOnce : 1;
  for (let opened = 0; opened < job.watchers; opened += step * batch) {
    await Promise.all(Array.from({ length: Math.min(batch, (job.watchers - opened) / step) }, one));
  }
  return "open";
}

function openHttp1({ target, path }: WatchJob): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connectTls({ ...target, ALPNProtocols: ["http/1.1"] }, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${target.host}\r\n\r\n`);
    });
    socket.once("data", () => resolve());
    socket.on("data", count);
    socket.on("error", reject);
  });
}

async function openHttp2({ target, path }: WatchJob): Promise<void> {
  const { host, port, ...tls } = target;
  const session = connectHttp2(`https://${host}:${port}`, {
    ...tls,
    settings: { initialWindowSize: 2 ** 24 },
  });
  await new Promise<void>((resolve, reject) => {
    session.once("connect", () => resolve());
    session.once("error", reject);
  });
  session.setLocalWindowSize(2 ** 26);
  await Promise.all(
    Array.from({ length: streamsPerConnection }, () => {
      const stream = session.request({ ":path": path });
      stream.on("data", count);
      return new Promise<void>((resolve, reject) => {
        stream.once("response", () => resolve());
        stream.once("error", reject);
      });
    }),
  );
}

function count(piece: Buffer): void {
  bytes += piece.length;
}
