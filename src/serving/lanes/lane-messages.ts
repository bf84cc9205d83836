import type { TokenJudgement } from "../../access/authentication/token-union.js";
import type { Status } from "../../apimachinery/errors/status.js";
import type { AccessInfo, AccessRules, Decision } from "../../apimachinery/requests/authorizer.js";
import type { UserInfo } from "../../apimachinery/requests/request-info.js";
import type { AnsweredList, AuditLevel, AuditTrail } from "../../request/audit-trail.js";
import type { LogValues, Verbosity } from "../../telemetry/logger.js";
import type { MetricChange } from "../../telemetry/metric-changes.js";
import type { SpanRecord } from "../../telemetry/span-record.js";
import type { RequestHeaders } from "../http/exchange.js";
import type { ObjectForm } from "../responses/large-forms.js";

/** A request that passed the filters, as it crosses to the thread that answers it. */
export interface LaneRequest {
  /** Unique among the requests of one thread. */
  readonly id: number;
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: RequestHeaders;
  readonly remoteAddress: string;
  readonly remotePort: number;
  readonly authenticatedUser: UserInfo;
  /** The user in effect. */
  readonly user: UserInfo;
  /** Undefined when nothing is recorded. */
  readonly auditLevel: AuditLevel | undefined;
  /** Headers that continue the trace of the request; undefined when it is not traced. */
  readonly trace: Readonly<Record<string, string>> | undefined;
  readonly receivedAtMs: number;
  readonly body: Uint8Array;
  /** If set, the lane only makes this form of an object, for an answer of the serving thread. */
  readonly form: ObjectForm | undefined;
}

/** One call of an `AuditTrail`, with the result of its callback. */
export type AuditNote =
  | { readonly kind: "annotate"; readonly key: string; readonly value: string }
  | { readonly kind: "identify"; readonly object: Parameters<AuditTrail["identify"]>[0] }
  | { readonly kind: "request" | "response"; readonly json: string | Uint8Array }
  | { readonly kind: "responseList"; readonly list: AnsweredList }
  | { readonly kind: "stored"; readonly revision: number }
  | { readonly kind: "status"; readonly status: Status };

/** What a request reports besides its answer. */
export interface LaneNotes {
  readonly warnings: readonly string[];
  readonly audit: readonly AuditNote[];
  /** `atMs`: as `sharedTimeOf` returns it. */
  readonly steps: readonly { readonly text: string; readonly atMs: number }[];
  /** From `LaneTracer.take`, for the tracer of the serving thread. */
  readonly spans: readonly SpanRecord[];
  readonly mutatingWebhooksMs: number;
  readonly validatingWebhooksMs: number;
  readonly storageMs: number;
}

export type LaneOutcome =
  | {
      readonly kind: "answer";
      readonly status: number;
      readonly headers: Readonly<Record<string, string | number | readonly string[]>>;
      readonly body: Uint8Array<ArrayBuffer>;
    }
  | { readonly kind: "error"; readonly status: Status };

/** From the serving thread to a lane. */
export type ToLane =
  | { readonly kind: "request"; readonly request: LaneRequest }
  /** The answer is no longer needed. */
  | { readonly kind: "abort"; readonly id: number }
  /** The lane's event loop answers it. */
  | { readonly kind: "ping" }
  | { readonly kind: "told"; readonly id: number; readonly value: LaneAnswer }
  | { readonly kind: "refused"; readonly id: number; readonly message: string };

/** From a lane to the serving thread. */
export type FromLane =
  /** `thread`: as `systemThread` returns it. */
  | { readonly kind: "ready"; readonly thread?: number | undefined }
  | {
      readonly kind: "done";
      readonly id: number;
      readonly outcome: LaneOutcome;
      readonly notes: LaneNotes;
    }
  | { readonly kind: "pong" }
  /** Metric changes since the last message. */
  | { readonly kind: "counted"; readonly changes: readonly MetricChange[] }
  | { readonly kind: "log"; readonly entry: LogEntry }
  | { readonly kind: "ask"; readonly id: number; readonly question: LaneQuestion };

/** A line for the log of the serving thread. */
export interface LogEntry {
  readonly severity: "info" | "warn" | "error" | Verbosity;
  readonly message: string;
  readonly values: LogValues | undefined;
  /** Stacks of an error and its causes. */
  readonly stack: string | undefined;
}

/** Questions that only the serving thread can answer: authorization and tokens. */
export type LaneQuestion =
  | { readonly kind: "authorize"; readonly user: UserInfo; readonly info: AccessInfo }
  | { readonly kind: "rules"; readonly user: UserInfo; readonly namespace: string }
  | { readonly kind: "token"; readonly token: string; readonly audiences: readonly string[] | undefined };

/** The answers, by the kind of the question. */
export interface LaneAnswers {
  readonly authorize: Decision;
  readonly rules: AccessRules;
  readonly token: TokenJudgement;
}

export type LaneAnswer = LaneAnswers[LaneQuestion["kind"]];
