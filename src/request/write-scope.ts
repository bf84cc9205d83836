import type { UserInfo } from "../apimachinery/requests/request-info.js";
import { turnIfRoundIsOver } from "../event-loop/turns.js";
import type { RequestScope } from "./request-scope.js";

/** The writer: a request after authentication, or the server itself. */
export type Writer = Pick<
  RequestScope,
  | "receivedAt"
  | "signal"
  | "warn"
  | "annotate"
  | "audit"
  | "step"
  | "addMutatingWebhookTime"
  | "addValidatingWebhookTime"
  | "addStorageTime"
> & {
  readonly user: UserInfo;
  /** The request's verb; undefined for the server itself. */
  readonly verb?: string | undefined;
  /** Set for the server itself; a request is answered without a break. */
  beforeStage?(): Promise<void> | undefined;
};

/** What distinguishes one write from others of the same writer. */
export interface WriteTarget {
  /** Empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly dryRun: boolean;
  /** Version in the request's path. The server itself need not name one. */
  readonly version?: string | undefined;
  /** For the server's own writes: their field manager. Unset if ownership does not matter. */
  readonly fieldManager?: string | undefined;
  /** Empty unless the request's path names a subresource. */
  readonly subresource?: string | undefined;
}

/** One write: a request makes one, the deletion of a collection one per object. A class, as `RequestScope` is. */
export class WriteScope {
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly version: string | undefined;
  readonly fieldManager: string | undefined;
  readonly subresource: string;
  readonly #writer: Writer;

  constructor(writer: Writer, { namespace, dryRun, version, fieldManager, subresource = "" }: WriteTarget) {
    this.#writer = writer;
    this.namespace = namespace;
    this.dryRun = dryRun;
    this.version = version;
    this.fieldManager = fieldManager;
    this.subresource = subresource;
  }

  /** A further write of the same writer, in the same namespace. */
  as(target: Pick<WriteTarget, "version" | "fieldManager" | "subresource">): WriteScope {
    const { namespace, dryRun } = this;
    return new WriteScope(this.#writer, { namespace, dryRun, ...target });
  }

  get user(): UserInfo {
    return this.#writer.user;
  }

  /** The request's verb; undefined for the server's own writes. */
  get verb(): string | undefined {
    return this.#writer.verb;
  }

  get now(): Date {
    return this.#writer.receivedAt;
  }

  get signal(): AbortSignal {
    return this.#writer.signal;
  }

  /** Awaited before a stage of the server's own writes: requests come first if this round's time is used up. */
  beforeStage(): Promise<void> | undefined {
    return this.#writer.beforeStage?.();
  }

  warn(text: string): void {
    this.#writer.warn(text);
  }

  /** Adds an annotation to the audit event of the request, if there is one. */
  annotate(key: string, value: string): void {
    this.#writer.annotate(key, value);
  }

  /** Whether the audit event of the request includes objects. */
  get auditsObjects(): boolean {
    const { audit } = this.#writer;
    return audit !== undefined && audit.level !== "Metadata";
  }

  /** See `RequestScope`. */
  step(text: string): void {
    this.#writer.step(text);
  }

  /** See `RequestScope`. Milliseconds. */
  addMutatingWebhookTime(ms: number): void {
    this.#writer.addMutatingWebhookTime(ms);
  }

  addValidatingWebhookTime(ms: number): void {
    this.#writer.addValidatingWebhookTime(ms);
  }

  /** Call it when the store begins to write, and the result at the end. Undefined when no audit event records the time. */
  beginStoring(): (() => void) | undefined {
    if (this.#writer.audit === undefined) return undefined;
    const began = performance.now();
    return () => this.#writer.addStorageTime(performance.now() - began);
  }

  /** A write is stored at this revision. */
  stored(revision: number): void {
    this.#writer.audit?.recordStored(revision);
  }
}

/** The server as a writer. No client waits for its writes, so nothing aborts them. */
export function serverWriter(user: UserInfo, now: Date): Writer {
  return new ServerWriter(user, now);
}

class ServerWriter implements Writer {
  readonly user: UserInfo;
  readonly receivedAt: Date;
  readonly audit = undefined;
  #signal: AbortSignal | undefined;

  constructor(user: UserInfo, now: Date) {
    this.user = user;
    this.receivedAt = now;
  }

  /** Created on demand, which is rare. */
  get signal(): AbortSignal {
    this.#signal ??= new AbortController().signal;
    return this.#signal;
  }

  beforeStage(): Promise<void> | undefined {
    return turnIfRoundIsOver();
  }

  warn(): void {}

  annotate(): void {}

  step(): void {}

  addMutatingWebhookTime(): void {}

  addValidatingWebhookTime(): void {}

  addStorageTime(): void {}
}
