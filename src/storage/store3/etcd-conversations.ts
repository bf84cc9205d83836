import type { ClientHttp2Session } from "node:http2";
import type { Clock } from "../../time/clock.js";
import { callStreaming, GrpcFailure, type GrpcStream, grpcStatus } from "../grpc/grpc-call.js";
import type { GrpcObserver } from "../grpc/grpc-metrics.js";
import { type LeaseId, type Revision, toRevision } from "../kv.js";
import type { ConnectionPool } from "./connection-pool.js";
import { decodeKeepAlive, decodeWatch, encodeLease, encodeWatchCreate, methods } from "./etcd-messages.js";

/** Seconds; 0 when there is no such lease. etcd has only a stream for this; one message each way suffices. */
export function keepLeaseAlive(
  pool: ConnectionPool,
  clock: Clock,
  lease: LeaseId,
  timeoutMs: number,
): Promise<number> {
  return converse(pool, clock, timeoutMs, {
    method: methods.keepLeaseAlive,
    question: encodeLease(lease),
    answer: decodeKeepAlive,
  });
}

/** The revision where history starts, which etcd reports only to a watch that starts earlier. History must be compacted. */
export function findCompactedRevision(
  pool: ConnectionPool,
  clock: Clock,
  timeoutMs: number,
): Promise<Revision> {
  return converse(pool, clock, timeoutMs, {
    method: methods.watch,
    question: encodeWatchCreate({ start: "health" }, toRevision(1)),
    answer: (message) => {
      const { compactRevision } = decodeWatch(message);
      return compactRevision > 0 ? toRevision(compactRevision) : undefined;
    },
  });
}

interface Conversation<T> {
  readonly method: string;
  readonly question: Buffer;
  /** Undefined for a message that is not the answer yet. */
  readonly answer: (message: Buffer) => T | undefined;
}

/** Asks one endpoint after the other until one answers, within `timeoutMs`. */
async function converse<T>(
  pool: ConnectionPool,
  clock: Clock,
  timeoutMs: number,
  conversation: Conversation<T>,
): Promise<T> {
  const deadline = clock.now() + timeoutMs;
  const onTimeout = (expired: (failure: GrpcFailure) => void) =>
    clock.schedule(Math.max(1, deadline - clock.now()), () =>
      expired(new GrpcFailure(grpcStatus.deadlineExceeded, `no answer within ${timeoutMs} ms`)),
    );
  for (;;) {
    const connection = pool.pick();
    const end = connection.begin();
    try {
      return await ask(await connection.session(), conversation, onTimeout, pool.observer);
    } catch (error) {
      if (!(error instanceof GrpcFailure)) throw error;
      if (error.status !== grpcStatus.unavailable || clock.now() >= deadline) throw error;
      connection.failed();
      await clock.pause(50);
    } finally {
      end();
    }
  }
}

/** Asks over a stream, and ends it after the answer. */
function ask<T>(
  session: ClientHttp2Session,
  { method, question, answer }: Conversation<T>,
  onTimeout: (expired: (failure: GrpcFailure) => void) => () => void,
  observer: GrpcObserver | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancelTimer = onTimeout((failure) => {
      reject(failure);
      stream.cancel();
    });
    const onMessage = (message: Buffer): void => {
      const answered = answer(message);
      if (answered === undefined) return;
      resolve(answered);
      stream.cancel();
    };
    const onEnd = (failure: GrpcFailure | undefined): void => {
      cancelTimer();
      reject(failure ?? new GrpcFailure(grpcStatus.unavailable, "the stream ended without an answer"));
    };
    const stream: GrpcStream = callStreaming(session, method, {}, { onMessage, onEnd }, observer);
    stream.send(question);
  });
}
