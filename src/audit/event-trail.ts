import type { Status } from "../apimachinery/errors/status.js";
import type { UserInfo } from "../apimachinery/requests/request-info.js";
import type { AnsweredList, AuditLevel, AuditTrail } from "../request/audit-trail.js";
import type { RequestScope } from "../request/request-scope.js";
import { shownUri } from "../request/shown-uri.js";
import type { AuditEvent, AuditedObject, AuditStage, JsonPieces } from "./audit-event.js";
import { withoutManagedFields } from "./managed-fields-cut.js";
import type { AuditDecision } from "./policy/policy.js";

/** What an event takes from its request. */
export type AuditedRequest = Pick<
  RequestScope,
  | "info"
  | "auditId"
  | "requestUri"
  | "receivedAt"
  | "authenticatedUser"
  | "impersonationConstraint"
  | "user"
  | "userAgent"
  | "sourceAddresses"
>;

/** Receives which user's write was stored at a revision. */
export type WriteObserver = (revision: number, user: string) => void;

const noAnnotations: ReadonlyMap<string, string> = new Map();
const userAgentMax = 1024;
const itemStart = Buffer.from("{");
const comma = Buffer.from(",");
const listEnd = Buffer.from("]}");
const newline = 0x0a;

export interface TrailSettings extends Pick<AuditDecision, "level" | "omitManagedFields"> {
  /** Whether events repeat message and details of a refusal: from 1.24 on. */
  readonly tellsReasons: boolean;
  readonly onStored?: WriteObserver | undefined;
}

/** Collects the contents of a request's audit events. Each event shows the facts known at its stage. */
export class EventTrail implements AuditTrail {
  readonly level: AuditLevel;
  readonly #request: AuditedRequest;
  readonly #omitManagedFields: boolean;
  readonly #tellsReasons: boolean;
  readonly #onStored: WriteObserver | undefined;
  readonly #userAgent: string;
  readonly #sourceAddresses: readonly string[];
  #annotations: ReadonlyMap<string, string> = noAnnotations;
  /** The request's own map, once it has one. */
  #ownAnnotations: Map<string, string> | undefined;
  #object: AuditedObject | undefined;
  #requestObject: JsonPieces | undefined;
  #responseObject: JsonPieces | undefined;
  #status: Partial<Status> | undefined;

  constructor(request: AuditedRequest, { level, omitManagedFields, tellsReasons, onStored }: TrailSettings) {
    this.#onStored = onStored;
    this.#tellsReasons = tellsReasons;
    this.level = level;
    this.#omitManagedFields = omitManagedFields;
    this.#request = request;
    this.#userAgent = shortened(request.userAgent);
    this.#sourceAddresses = request.sourceAddresses;
    const { info } = request;
    if (!info.isResourceRequest) return;
    const { resource, namespace, name, apiGroup, apiVersion, subresource } = info;
    this.#object = {
      resource,
      namespace,
      name,
      uid: "",
      apiGroup,
      apiVersion,
      resourceVersion: "",
      subresource,
    };
  }

  annotate(key: string, value: string): void {
    if (this.#annotations.has(key)) return;
    if (this.#ownAnnotations === undefined) {
      this.#ownAnnotations = new Map(this.#annotations);
      this.#annotations = this.#ownAnnotations;
    }
    this.#ownAnnotations.set(key, value);
  }

  annotateAll(facts: ReadonlyMap<string, string>): void {
    if (this.#annotations.size === 0) this.#annotations = facts;
    else for (const [key, value] of facts) this.annotate(key, value);
  }

  identify(sent: Parameters<AuditTrail["identify"]>[0]): void {
    const known = this.#object;
    if (known === undefined) return;
    this.#object = {
      ...known,
      namespace: known.namespace || (sent.namespace ?? ""),
      name: known.name || (sent.name ?? ""),
      uid: known.uid || (sent.uid ?? ""),
      resourceVersion: known.resourceVersion || (sent.resourceVersion ?? ""),
    };
  }

  recordRequest(json: () => string | Uint8Array): void {
    if (this.level === "Metadata") return;
    this.#requestObject = this.#objectOf(json());
  }

  recordResponse(json: () => string | Uint8Array): void {
    if (this.level === "RequestResponse") this.#responseObject = this.#objectOf(json());
  }

  recordResponseList({ head, member, items, itemHead }: AnsweredList): void {
    if (this.level !== "RequestResponse") return;
    const pieces: Uint8Array[] = [Buffer.from(`${head},"${member}":[`)];
    for (const [index, item] of items.entries()) {
      if (index > 0) pieces.push(comma);
      pieces.push(itemHead);
      if (this.#omitManagedFields) pieces.push(...withoutManagedFields(item, member === "rows"));
      else pieces.push(item);
    }
    pieces.push(listEnd);
    this.#responseObject = pieces;
  }

  recordStored(revision: number): void {
    this.#onStored?.(revision, this.#request.user?.name ?? "");
  }

  recordStatus({ status, message, reason, details, code }: Status): void {
    this.#status = this.#tellsReasons ? { status, message, reason, details, code } : { status, reason, code };
  }

  /** Describes an outcome that has no Status. */
  recordOutcome(status: Partial<Status>): void {
    this.#status = status;
  }

  /** A body of compact JSON without trailing white space. */
  #objectOf(printed: string | Uint8Array): JsonPieces {
    const bytes = typeof printed === "string" ? Buffer.from(printed) : printed;
    const end = bytes[bytes.length - 1] === newline ? bytes.length - 1 : bytes.length;
    const object = bytes.subarray(0, end);
    if (!this.#omitManagedFields) return [object];
    return [itemStart, ...withoutManagedFields(object.subarray(1))];
  }

  /** The event of a stage. `code` is that of the answer; 0 when there is none yet or the client left before. */
  event(stage: AuditStage, code: number, at: number): AuditEvent {
    const { auditId, requestUri, info, authenticatedUser, user, receivedAt, impersonationConstraint } =
      this.#request;
    return {
      level: this.level,
      auditId,
      stage,
      requestUri: shownUri(requestUri),
      verb: info.verb,
      user: authenticatedUser,
      impersonatedUser: impersonated(authenticatedUser, user),
      impersonationConstraint,
      sourceAddresses: this.#sourceAddresses,
      userAgent: this.#userAgent,
      objectRef: this.#object,
      responseStatus: code === 0 ? this.#status : withCode(this.#status, code),
      requestObject: this.#requestObject,
      responseObject: this.#responseObject,
      receivedAt: receivedAt.getTime(),
      stageAt: at,
      annotations: this.#annotations,
    };
  }
}

function withCode(status: Partial<Status> | undefined, code: number): Partial<Status> {
  return status === undefined ? { code } : { ...status, code };
}

function impersonated(authenticated: UserInfo | undefined, user: UserInfo | undefined): UserInfo | undefined {
  return user === authenticated ? undefined : user;
}

function shortened(userAgent: string): string {
  return userAgent.length <= userAgentMax ? userAgent : `${userAgent.slice(0, userAgentMax)}...TRUNCATED`;
}
