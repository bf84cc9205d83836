import type { RequestInfo, UserInfo } from "../apimachinery/requests/request-info.js";
import type { Span } from "../telemetry/span.js";
import type { AuditTrail } from "./audit-trail.js";
import { callListeners, type Listeners, withListener } from "./listeners.js";
import type { QueryParameters } from "./query-parameters.js";
import { noBody, type RequestBody } from "./request-body.js";
import type { RequestOrigin } from "./request-origin.js";
import { sourceAddresses } from "./source-addresses.js";
import { Warnings } from "./warnings.js";

/**
 * One request, created when it arrives and handed down to every layer, each of which sees it through a narrow view. A class with lazy
 * getters, because requests are many and few need a signal, warnings or their source addresses.
 */
export class RequestScope {
  readonly info: RequestInfo;
  /** A filter may replace it. */
  query: QueryParameters;
  /** A revision, set by a filter: a read that may be answered from an older state is answered from this revision. */
  olderState?: number | undefined;
  readonly receivedAt: Date;
  /** Milliseconds of the monotonic clock at arrival, for durations. */
  readonly startedAtMs: number;
  /** Watches and connections to nodes: no deadline, and not counted as in flight. */
  readonly longRunning: boolean;
  /** Identifies the request in audit events and to the client, which may choose it. `standardHeaders` sets it. */
  auditId = "";
  /** The sender of the request; undefined before authentication. */
  authenticatedUser: UserInfo | undefined;
  /** The user in effect: `authenticatedUser`, or the user that it impersonates. Undefined before authentication. */
  user: UserInfo | undefined;
  /** The verb by which `user` is impersonated for this request only; empty without such a limit. */
  impersonationConstraint = "";
  /** Read before an endpoint runs; empty until then, and for proxied requests. */
  body: RequestBody = noBody;
  /** Absent when the policy does not record the request. */
  audit: AuditTrail | undefined;
  /** Absent when the request is not traced. */
  span: Span | undefined;
  /** Creates the signal on first use. `deadline` replaces it. */
  signalSource: { readonly signal: AbortSignal };
  readonly #origin: RequestOrigin;
  #warnings: Warnings | undefined;
  #steps: RequestStep[] | undefined;
  #earlyAnnotations: Map<string, string> | undefined;
  #watchListeners: Listeners;
  #mutatingWebhooksMs = 0;
  #validatingWebhooksMs = 0;
  #storageMs = 0;

  constructor(origin: RequestOrigin, receivedAt: Date, info: RequestInfo, query: QueryParameters) {
    this.#origin = origin;
    this.info = info;
    this.query = query;
    this.receivedAt = receivedAt;
    this.startedAtMs = performance.now();
    this.longRunning = isLongRunning(info);
    this.signalSource = origin;
  }

  get verb(): string {
    return this.info.verb;
  }

  /** Decoded. */
  get path(): string {
    return this.info.path;
  }

  get method(): string {
    return this.#origin.method;
  }

  /** Path and query as sent. */
  get requestUri(): string {
    return this.#origin.target;
  }

  get userAgent(): string {
    return this.#origin.headers["user-agent"] ?? "";
  }

  /** The client first, the other end of the connection last. */
  get sourceAddresses(): readonly string[] {
    return sourceAddresses(this.#origin);
  }

  /** Aborts when the client is gone, time is up or the server stops. */
  get signal(): AbortSignal {
    return this.signalSource.signal;
  }

  /** Records a step, for the log of slow requests. `atMs`: by `performance.now`. */
  step(text: string, atMs: number = performance.now()): void {
    this.#steps ??= [];
    this.#steps.push({ text, atMs });
    this.span?.addEvent(text);
  }

  get steps(): readonly RequestStep[] {
    return this.#steps ?? [];
  }

  /** The status of the answer, 0 before it begins. */
  get statusCode(): number {
    return this.#origin.statusCode;
  }

  /** Adds a `Warning` header to the answer. */
  warn(text: string): void {
    this.#warnings ??= new Warnings(this.#origin);
    this.#warnings.add(text);
  }

  /** The texts given to `warn`. */
  get warnings(): readonly string[] {
    return this.#warnings?.texts ?? [];
  }

  /**
   * Adds an annotation to the audit event, if there is one; the first value of a key stays. Check `audit` before composing a costly
   * value.
   */
  annotate(key: string, value: string): void {
    if (this.audit !== undefined) {
      this.audit.annotate(key, value);
    } else if (this.authenticatedUser === undefined) {
      // The policy depends on the user, so earlier annotations are kept until it has decided.
      this.#earlyAnnotations ??= new Map();
      if (!this.#earlyAnnotations.has(key)) this.#earlyAnnotations.set(key, value);
    }
  }

  /** Begins the audit event, with the earlier annotations. */
  beginAudit(audit: AuditTrail): void {
    this.audit = audit;
    if (this.#earlyAnnotations === undefined) return;
    for (const [key, value] of this.#earlyAnnotations) audit.annotate(key, value);
    this.#earlyAnnotations = undefined;
  }

  /** Calls `listener` once, just before the head of the answer is sent. */
  onAnswerBegins(listener: () => void): void {
    this.#origin.onStarted(listener);
  }

  /** Calls `listener` once when the answer is complete or the client has gone; for a watch, when it ends. */
  onAnswerEnded(listener: () => void): void {
    this.#origin.onFinished(listener);
  }

  /**
   * Calls `listener` once when a watch has sent its initial state and is open. A failed watch only ends.
   */
  onWatchInitialized(listener: () => void): void {
    this.#watchListeners = withListener(this.#watchListeners, listener);
  }

  /** Called by endpoints that serve watches. */
  watchInitialized(): void {
    const listeners = this.#watchListeners;
    this.#watchListeners = undefined;
    callListeners(listeners);
  }

  /** Mutating webhooks are called in sequence: their times add up. */
  addMutatingWebhookTime(ms: number): void {
    this.#mutatingWebhooksMs += ms;
  }

  /** Validating webhooks are called in parallel: the slowest counts. */
  addValidatingWebhookTime(ms: number): void {
    this.#validatingWebhooksMs = Math.max(this.#validatingWebhooksMs, ms);
  }

  /** Time that the store took for the request's writes. */
  addStorageTime(ms: number): void {
    this.#storageMs += ms;
  }

  get storageMs(): number {
    return this.#storageMs;
  }

  get mutatingWebhooksMs(): number {
    return this.#mutatingWebhooksMs;
  }

  get validatingWebhooksMs(): number {
    return this.#validatingWebhooksMs;
  }

  /** Time spent in webhooks, in milliseconds. */
  get webhooksMs(): number {
    return this.#mutatingWebhooksMs + this.#validatingWebhooksMs;
  }
}

export interface RequestStep {
  readonly text: string;
  /** Milliseconds of the monotonic clock. */
  readonly atMs: number;
}

/** A request after authentication. */
export type AuthenticatedRequest = RequestScope & {
  readonly authenticatedUser: UserInfo;
  readonly user: UserInfo;
};

/** Narrows the type of a request after authentication. Throws before it, because the filters are in the wrong order then. */
export function authenticated<R extends RequestScope>(request: R): R & AuthenticatedRequest {
  if (!isAuthenticated(request)) throw new Error("the request is not authenticated yet");
  return request;
}

function isAuthenticated<R extends RequestScope>(request: R): request is R & AuthenticatedRequest {
  return request.user !== undefined && request.authenticatedUser !== undefined;
}

/** The user in effect. Throws before authentication. */
export function userOf({ user }: Pick<RequestScope, "user">): UserInfo {
  if (user === undefined) throw new Error("the request is not authenticated yet");
  return user;
}

const longRunningSubresources = new Set(["attach", "exec", "proxy", "log", "portforward"]);

function isLongRunning(info: RequestInfo): boolean {
  return (
    info.isResourceRequest &&
    (info.verb === "watch" || info.verb === "proxy" || longRunningSubresources.has(info.subresource))
  );
}
