import type { Clock } from "../../time/clock.js";
import { callStreaming, GrpcFailure, type GrpcStream } from "../grpc/grpc-call.js";
import { type KvEvent, type Revision, toRevision } from "../kv.js";
import { StorageError } from "../storage-error.js";
import type { ConnectionPool } from "./connection-pool.js";
import { decodeWatch, encodeWatchCreate, methods, type WatchMessage } from "./etcd-messages.js";

const reconnectMs = 100;

export interface EtcdWatchOptions {
  readonly pool: ConnectionPool;
  readonly clock: Clock;
  /** Deliver everything after this revision. */
  readonly after: Revision;
  /** One revision with all its events; in order, none twice. */
  readonly onEvents: (events: readonly KvEvent[], revision: Revision) => void;
  /** Nothing up to this revision is outstanding. */
  readonly onProgress: (revision: Revision) => void;
  /** The watch has ended: its position was compacted, or etcd refuses it. */
  readonly onEnd: (reason: StorageError) => void;
}

/**
 * A watch of everything in etcd that survives lost connections: it continues from the last whole revision it delivered, on whichever endpoint
 * answers. It requires a leader, so that a member cut off from the others ends the stream instead of going silent.
 */
export class EtcdWatch {
  readonly #options: EtcdWatchOptions;
  #position: Revision;
  #stream: GrpcStream | undefined;
  #endCall: () => void = () => undefined;
  #fragments: KvEvent[] = [];
  #paused = false;
  #closed = false;
  #failures = 0;

  constructor(options: EtcdWatchOptions) {
    this.#options = options;
    this.#position = options.after;
    void this.#connect();
  }

  /** All revisions up to this one have been delivered. */
  get position(): Revision {
    return this.#position;
  }

  pause(): void {
    this.#paused = true;
    this.#stream?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#stream?.resume();
  }

  close(): void {
    this.#closed = true;
    this.#stream?.cancel();
  }

  async #connect(): Promise<void> {
    const { pool } = this.#options;
    const connection = pool.pick();
    try {
      const session = await connection.session();
      if (this.#closed) return;
      this.#fragments = [];
      this.#endCall = connection.begin();
      this.#stream = callStreaming(
        session,
        methods.watch,
        { hasleader: "true" },
        {
          onMessage: (message) => {
            connection.succeeded();
            this.#receive(decodeWatch(message));
          },
          onEnd: (failure) => {
            this.#endCall();
            this.#stream = undefined;
            if (failure !== undefined && !this.#closed) connection.failed();
            this.#reconnect();
          },
        },
        pool.observer,
      );
      this.#stream.send(encodeWatchCreate("everything", toRevision(this.#position + 1)));
      if (this.#paused) this.#stream.pause();
    } catch (error) {
      this.#endCall();
      if (!(error instanceof GrpcFailure)) throw error;
      connection.failed();
      this.#reconnect();
    }
  }

  #reconnect(): void {
    if (this.#closed) return;
    this.#failures += 1;
    // No delay the first time, because another endpoint may answer.
    if (this.#failures === 1) void this.#connect();
    else {
      this.#options.clock.schedule(reconnectMs, () => {
        if (!this.#closed) void this.#connect();
      });
    }
  }

  #receive(message: WatchMessage): void {
    if (this.#closed) return;
    if (message.compactRevision > 0) {
      const compacted = message.compactRevision;
      const text = `revision ${this.#position + 1} has been compacted: history starts at ${compacted}`;
      this.#end(new StorageError("Compacted", text, { revision: compacted }));
    } else if (message.canceled) {
      if (/permission denied|auth/i.test(message.cancelReason)) {
        this.#end(new StorageError("Unavailable", `the store refuses a watch: ${message.cancelReason}`));
      } else {
        // For instance because there is no leader.
        this.#stream?.cancel();
      }
    } else if (message.events.length > 0 || this.#fragments.length > 0) {
      this.#failures = 0;
      this.#fragments.push(...message.events);
      if (message.fragment) return;
      const events = this.#fragments;
      this.#fragments = [];
      this.#deliver(events);
    } else if (!message.created && message.revision >= this.#position) {
      this.#position = message.revision;
      this.#options.onProgress(message.revision);
    }
  }

  /** A response holds whole revisions. */
  #deliver(events: readonly KvEvent[]): void {
    let start = 0;
    for (let index = 0; index < events.length; index++) {
      const revision = events[index]?.kv.modRevision;
      if (revision === undefined || events[index + 1]?.kv.modRevision === revision) continue;
      if (revision > this.#position) {
        this.#position = revision;
        this.#options.onEvents(
          start === 0 && index === events.length - 1 ? events : events.slice(start, index + 1),
          revision,
        );
      }
      start = index + 1;
    }
  }

  #end(reason: StorageError): void {
    this.close();
    this.#options.onEnd(reason);
  }
}
