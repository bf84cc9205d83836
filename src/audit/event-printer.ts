import type { UserInfo } from "../apimachinery/requests/request-info.js";
import { formatTime } from "../apimachinery/values/time.js";
import type { AuditEvent, AuditedObject, AuditStage } from "./audit-event.js";
import type { EventText } from "./event-queue.js";
import { MicroTimePrinter } from "./micro-time-printer.js";

export type AuditVersion = "v1" | "v1beta1" | "v1alpha1";

/**
 * Prints events as compact JSON, with their members in Kubernetes' order. Built by hand and partly cached, because events are many and have
 * much in common: with certificates and token files, all requests of a user share one user object, and often come from one client.
 */
export class EventPrinter {
  readonly #version: AuditVersion;
  readonly #start: string;
  /** By level. */
  readonly #openings = new Map<string, string>();
  readonly #users = new WeakMap<UserInfo, PrintedUser>();
  readonly #words = new Map<string, string>();
  /** By name. */
  readonly #resources = new Map<string, PrintedResource>();
  readonly #times = new MicroTimePrinter();
  #annotations: PrintedAnnotations = { annotations: new Map(), count: 0, json: "" };

  /** `apiVersion` begins a standalone event; undefined for items of a list. */
  constructor(version: AuditVersion, apiVersion?: string) {
    this.#version = version;
    this.#start =
      apiVersion === undefined ? "{" : `{"kind":"Event","apiVersion":${JSON.stringify(apiVersion)},`;
  }

  print(event: AuditEvent): EventText {
    const { requestObject, responseObject } = event;
    const head = this.#head(event);
    const tail = `,"requestReceivedTimestamp":"${this.#times.print(event.receivedAt)}","stageTimestamp":"${this.#times.print(event.stageAt)}"${this.#annotationsJson(event.annotations)}`;
    if (requestObject === undefined && responseObject === undefined) return head + tail;
    const pieces: (string | Uint8Array)[] = [head];
    if (requestObject !== undefined) {
      pieces.push(',"requestObject":');
      for (const piece of requestObject) pieces.push(piece);
    }
    if (responseObject !== undefined) {
      pieces.push(',"responseObject":');
      for (const piece of responseObject) pieces.push(piece);
    }
    pieces.push(tail);
    return pieces;
  }

  /** Everything before the request and response objects. */
  #head(event: AuditEvent): string {
    const { objectRef, responseStatus } = event;
    return (
      `${this.#opening(event)}${escaped(event.auditId)}${stageTexts[event.stage]}${escaped(event.requestUri)}` +
      this.#sender(event) +
      (objectRef === undefined ? "" : this.#object(objectRef)) +
      (responseStatus === undefined ? "" : statusJson(responseStatus))
    );
  }

  /** Verb, users and client, after the URI. */
  #sender(event: AuditEvent): string {
    const { verb, user, impersonatedUser, sourceAddresses, userAgent } = event;
    if (user === undefined || impersonatedUser !== undefined) {
      const as = impersonatedUser && `,"impersonatedUser":${this.#user(impersonatedUser).json}`;
      const constraint = event.impersonationConstraint ?? "";
      const metadata =
        constraint === ""
          ? ""
          : `,"authenticationMetadata":{"impersonationConstraint":${JSON.stringify(constraint)}}`;
      return `${verbJson(verb)}${user === undefined ? "{}" : this.#user(user).json}${as ?? ""}${metadata}${clientJson(event)}`;
    }
    const printed = this.#user(user);
    if (printed.sourceAddresses !== sourceAddresses || printed.userAgent !== userAgent) {
      printed.sourceAddresses = sourceAddresses;
      printed.userAgent = userAgent;
      printed.senders.clear();
    }
    let sender = printed.senders.get(verb);
    if (sender === undefined) {
      sender = flat(`${verbJson(verb)}${printed.json}${clientJson(event)}`);
      if (printed.senders.size < sendersMax) printed.senders.set(verb, sender);
    }
    return sender;
  }

  #object(object: AuditedObject): string {
    const { resource, namespace, name, uid, resourceVersion, subresource } = object;
    const { start, version } = this.#resource(object);
    const json =
      start +
      member(',"namespace":"', namespace) +
      member(',"name":"', name) +
      member(',"uid":"', uid) +
      version +
      member(',"resourceVersion":"', resourceVersion) +
      member(',"subresource":"', subresource);
    // Cutting a composed text copies it.
    return resource === "" ? `,"objectRef":{${json.slice(1)}}` : `${json}}`;
  }

  #resource(object: AuditedObject): PrintedResource {
    const { resource, apiGroup, apiVersion } = object;
    const known = this.#resources.get(resource);
    if (known?.apiGroup === apiGroup && known.apiVersion === apiVersion) return known;
    const printed = printedResource(object, this.#version);
    // Paths name resources that do not exist too.
    const text = resource + apiGroup + apiVersion;
    if (text.length > wordLengthMax || needsEscape.test(text)) return printed;
    if (known === undefined && this.#resources.size >= resourcesMax) this.#resources.clear();
    this.#resources.set(flat(resource), printed);
    return printed;
  }

  /** Up to the audit id. The older versions have members that v1 lacks. */
  #opening({ level, receivedAt, stageAt }: AuditEvent): string {
    if (this.#version !== "v1") {
      const metadata = `"metadata":{"creationTimestamp":"${secondsOf(stageAt)}"}`;
      return `${this.#start}${metadata},"level":"${level}","timestamp":"${secondsOf(receivedAt)}","auditID":"`;
    }
    let opening = this.#openings.get(level);
    if (opening === undefined) {
      opening = `${this.#start}"level":"${level}","auditID":"`;
      this.#openings.set(level, opening);
    }
    return opening;
  }

  #user(user: UserInfo): PrintedUser {
    let printed = this.#users.get(user);
    if (printed === undefined) {
      printed = { json: userJson(user), sourceAddresses: [], userAgent: "", senders: new Map() };
      this.#users.set(user, printed);
    }
    return printed;
  }

  /** Includes the end of the event. */
  #annotationsJson(annotations: AuditEvent["annotations"]): string {
    if (annotations.size === 0) return "}";
    // Most requests have only the annotations of a decision, which share a map that does not change.
    const last = this.#annotations;
    if (last.annotations === annotations && last.count === annotations.size) return last.json;
    const sorted = [...annotations].sort(([a], [b]) => (a < b ? -1 : 1));
    let json = "";
    for (const [key, value] of sorted) json += `,${this.#word(key)}:${this.#word(value)}`;
    json = `,"annotations":{${json.slice(1)}}}`;
    this.#annotations = { annotations, count: annotations.size, json };
    return json;
  }

  /** The server's own texts are few. The cache is bounded because webhooks choose keys and values of annotations. */
  #word(text: string): string {
    let json = this.#words.get(text);
    if (json === undefined) {
      json = JSON.stringify(text);
      if (this.#words.size < wordsMax && text.length < wordLengthMax) this.#words.set(text, json);
    }
    return json;
  }
}

/** The text between audit id and URI. */
const stageTexts: Readonly<Record<AuditStage, string>> = {
  RequestReceived: '","stage":"RequestReceived","requestURI":"',
  ResponseStarted: '","stage":"ResponseStarted","requestURI":"',
  ResponseComplete: '","stage":"ResponseComplete","requestURI":"',
  Panic: '","stage":"Panic","requestURI":"',
};

const wordsMax = 100;
const wordLengthMax = 200;

/** More than there are verbs; on non-resource paths a client may send any method. */
const sendersMax = 20;
const resourcesMax = 1000;

/** A user, and the client of the last request. Requests of one peer without forwarded addresses share an array. */
interface PrintedUser {
  readonly json: string;
  sourceAddresses: readonly string[];
  userAgent: string;
  /** By verb: verb, user and client. */
  readonly senders: Map<string, string>;
}

/** What events about objects of one resource share. */
interface PrintedResource {
  readonly apiGroup: string;
  readonly apiVersion: string;
  /** The text before the namespace. Without a resource, it lacks the opening brace. */
  readonly start: string;
  /** The text before the resourceVersion. */
  readonly version: string;
}

/** Annotations are added but never replaced. */
interface PrintedAnnotations {
  readonly annotations: AuditEvent["annotations"];
  readonly count: number;
  readonly json: string;
}

type Client = Pick<AuditEvent, "sourceAddresses" | "userAgent">;

function verbJson(verb: string): string {
  return `","verb":"${escaped(verb)}","user":`;
}

function clientJson({ sourceAddresses, userAgent }: Client): string {
  const addresses = sourceAddresses.length === 0 ? "" : `,"sourceIPs":${JSON.stringify(sourceAddresses)}`;
  return addresses + member(',"userAgent":"', userAgent);
}

function userJson({ name, uid, groups, extra }: UserInfo): string {
  let json = member(',"username":"', name) + member(',"uid":"', uid);
  if (groups.length > 0) json += `,"groups":${JSON.stringify(groups)}`;
  if (Object.keys(extra).length > 0) json += `,"extra":${JSON.stringify(extra)}`;
  return `{${json.slice(1)}}`;
}

function printedResource(object: AuditedObject, printedVersion: AuditVersion): PrintedResource {
  const { resource, apiGroup, apiVersion } = object;
  // v1alpha1 has group and version in one field.
  const isJoined = printedVersion === "v1alpha1" && apiGroup !== "";
  const version = isJoined
    ? member(',"apiVersion":"', `${apiGroup}/${apiVersion}`)
    : member(',"apiGroup":"', apiGroup) + member(',"apiVersion":"', apiVersion);
  return {
    apiGroup: flat(apiGroup),
    apiVersion: flat(apiVersion),
    start: flat(member(',"objectRef":{"resource":"', resource)),
    version: flat(version),
  };
}

/** A copy in one piece: a concatenated text is slower to read, and keeps its parts alive, such as the request's URI. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}

/** `head` is a comma, the member's name and a quote. Nothing for an empty value. */
function member(head: string, value: string): string {
  return value === "" ? "" : `${head}${escaped(value)}"`;
}

/** A character that JSON escapes, or half of a pair. */
const needsEscape = /[^ !#-[\]-\ud7ff\ue000-\uffff]/;

/** The inside of a JSON string. `JSON.stringify` takes twice as long. */
function escaped(text: string): string {
  return needsEscape.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

function statusJson(given: NonNullable<AuditEvent["responseStatus"]>): string {
  const { status, message, reason, details, code } = given;
  // Most responses have only a code.
  if (status === undefined && message === undefined) {
    return code === 200 ? okJson : `,"responseStatus":{"metadata":{},"code":${code ?? 0}}`;
  }
  return `,"responseStatus":${JSON.stringify({ metadata: {}, status, message, reason, details, code })}`;
}

const okJson = ',"responseStatus":{"metadata":{},"code":200}';

function secondsOf(timeMs: number): string {
  return formatTime(Math.floor(timeMs / 1000));
}
