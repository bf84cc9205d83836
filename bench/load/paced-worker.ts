import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { Agent, request } from "node:https";
import { constants, setPriority } from "node:os";
import { answerOneJob } from "./answer-jobs.js";
import type { Target } from "./http1-client.js";

/** Clients that repeat one request, each with its own connection and user. */
export interface PacedJob {
  readonly target: Target;
  readonly clients: number;
  /** `{n}` is the number of the client. */
  readonly user: string;
  readonly group: string;
  readonly path: string;
  readonly durationMs: number;
  /** Time between the starts of two requests of a client; 0 means no pause. */
  readonly periodMs: number;
  /** Whether each request begins a trace. */
  readonly traced?: boolean;
}

/** When a request was sent and answered, in milliseconds since 1970. */
export interface TracedRequest {
  readonly traceId: string;
  readonly sentAt: number;
  readonly answeredAt: number;
}

export interface PacedResult {
  /** Only requests that were answered with 200. */
  readonly latenciesMs: readonly number[];
  readonly refused: number;
  readonly traces: readonly TracedRequest[];
}

answerOneJob((job: PacedJob) => {
  if (job.periodMs === 0) takeWhatOthersLeave();
  return run(job);
});

/**
 * Greedy clients would be on other machines. Here they run in the scheduling class that every other process preempts at once
 * (`SCHED_IDLE`). A low priority is not enough: the Linux scheduler lets such a process finish its slice, a timer tick of 4 ms, during
 * which the server and the polite clients wait.
 */
function takeWhatOthersLeave(): void {
  const changed = spawnSync("chrt", ["--all-tasks", "--idle", "--pid", "0", String(process.pid)]);
  if (changed.status === 0) return;
  console.error(
    "chrt failed: the greedy clients run at a low priority, and hold a processor for a tick at a time",
  );
  setPriority(constants.priority.PRIORITY_LOW);
}

async function run(job: PacedJob): Promise<PacedResult> {
  const { host, port, ca, cert, key } = job.target;
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, ca, cert, key });
  const latencies: number[] = [];
  let refused = 0;
  const traces: TracedRequest[] = [];
  const ask = (client: number, traceId: string | undefined): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = {
        "impersonate-user": job.user.replace("{n}", String(client)),
        "impersonate-group": job.group,
        ...(traceId !== undefined && { traceparent: `00-${traceId}-${traceId.slice(16)}-01` }),
      };
      const call = request({ host, port, path: job.path, agent, headers }, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode ?? 0));
      });
      call.once("error", reject);
      call.end();
    });
  const end = performance.now() + job.durationMs;
  await Promise.all(
    Array.from({ length: job.clients }, async (_, client) => {
      // Spreads the clients over the period.
      await pause((job.periodMs * client) / job.clients);
      await ask(client, undefined);
      while (performance.now() < end) {
        const began = performance.now();
        const traceId = job.traced === true ? randomBytes(16).toString("hex") : undefined;
        const status = await ask(client, traceId);
        const answered = performance.now();
        if (status === 200) latencies.push(answered - began);
        else refused++;
        if (traceId !== undefined && status === 200) {
          const { timeOrigin } = performance;
          traces.push({ traceId, sentAt: timeOrigin + began, answeredAt: timeOrigin + answered });
        }
        await pause(job.periodMs - (performance.now() - began));
      }
    }),
  );
  agent.destroy();
  return { latenciesMs: latencies, refused, traces };
}

function pause(ms: number): Promise<void> {
  return ms <= 0 ? Promise.resolve() : new Promise((resolve) => setTimeout(resolve, ms));
}
