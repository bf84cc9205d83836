import type { UserInfo } from "../apimachinery/request-info.js";
import { formatTime } from "../apimachinery/time.js";
import type { AuditEvent, AuditedObject } from "./audit-event.js";
import type { TextPieces } from "./text-pieces.js";

export type AuditVersion = "v1" | "v1beta1" | "v1alpha1";

/** An event as a backend writes it. */
export interface EncodedEvent {
  readonly pieces: TextPieces;
  readonly byteLength: number;
}

/**
 * Prints events as compact JSON, with their members in Kubernetes' order. Built by hand and partly cached: events are many and have much in
 * common. Certificates and token files give every request the same user object, and consecutive requests often come from the same client.
 */
export class EventPrinter {
  readonly #version: AuditVersion;
  readonly #start: string;
  readonly #users = new WeakMap<UserInfo, string>();
  readonly #words = new Map<string, string>();
  readonly #userAgent = new LastText((text: string) => JSON.stringify(text));
  readonly #address = new LastText((text: string) => JSON.stringify(text));
  readonly #micros = new LastText((time: number) => `${new Date(time).toISOString().slice(0, -1)}000Z`);

  /** `apiVersion` begins a standalone event; undefined for the items of a list. */
  constructor(version: AuditVersion, apiVersion?: string) {
    this.#version = version;
    this.#start =
      apiVersion === undefined ? "{" : `{"kind":"Event","apiVersion":${JSON.stringify(apiVersion)},`;
  }

  print(event: AuditEvent): EncodedEvent {
    const { requestObject, responseObject } = event;
    const head = this.#head(event);
    const tail =
      `,"requestReceivedTimestamp":"${this.#micros.of(event.receivedAt.getTime())}"` +
      `,"stageTimestamp":"${this.#micros.of(event.stageAt.getTime())}"${this.#annotations(event.annotations)}}`;
    if (requestObject === undefined && responseObject === undefined) {
      const text = head + tail;
      return { pieces: [text], byteLength: Buffer.byteLength(text) };
    }
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
    let byteLength = 0;
    for (const piece of pieces) byteLength += Buffer.byteLength(piece);
    return { pieces, byteLength };
  }

  /** Everything before the request and response objects. */
  #head(event: AuditEvent): string {
    const { sourceAddresses, userAgent, objectRef, responseStatus } = event;
    let text = this.#start;
    // Deprecated members of the older versions, absent from v1.
    if (this.#version !== "v1") text += `"metadata":{"creationTimestamp":"${secondsOf(event.stageAt)}"},`;
    text += `"level":"${event.level}",`;
    if (this.#version !== "v1") text += `"timestamp":"${secondsOf(event.receivedAt)}",`;
    text +=
      `"auditID":${JSON.stringify(event.auditId)},"stage":"${event.stage}",` +
      `"requestURI":${JSON.stringify(event.requestUri)},"verb":${this.#word(event.verb)},"user":${this.#user(event.user)}`;
    if (event.impersonatedUser !== undefined) {
      text += `,"impersonatedUser":${this.#user(event.impersonatedUser)}`;
    }
    if (sourceAddresses.length > 0) {
      text += `,"sourceIPs":[${sourceAddresses.map((address) => this.#address.of(address)).join(",")}]`;
    }
    if (userAgent !== "") text += `,"userAgent":${this.#userAgent.of(userAgent)}`;
    if (objectRef !== undefined) text += `,"objectRef":${objectJson(objectRef, this.#version)}`;
    if (responseStatus !== undefined) text += `,"responseStatus":${statusJson(responseStatus)}`;
    return text;
  }

  #user(user: UserInfo | undefined): string {
    if (user === undefined) return "{}";
    let json = this.#users.get(user);
    if (json === undefined) {
      json = userJson(user);
      this.#users.set(user, json);
    }
    return json;
  }

  #annotations(annotations: ReadonlyMap<string, string>): string {
    if (annotations.size === 0) return "";
    const keys = [...annotations.keys()];
    if (keys.length > 1) keys.sort();
    let json = "";
    for (const key of keys) json += `,${this.#word(key)}:${this.#word(annotations.get(key) ?? "")}`;
    return `,"annotations":{${json.slice(1)}}`;
  }

  /** Verbs, and what the server itself annotates, are few. The cache is bounded because webhooks choose keys and values of their own. */
  #word(text: string): string {
    let json = this.#words.get(text);
    if (json === undefined) {
      json = JSON.stringify(text);
      if (this.#words.size < wordsMax && text.length < wordLengthMax) this.#words.set(text, json);
    }
    return json;
  }
}

const wordsMax = 100;
const wordLengthMax = 200;

/** Caches the text of the last value. */
class LastText<V> {
  readonly #print: (value: V) => string;
  #value: V | undefined;
  #text = "";

  constructor(print: (value: V) => string) {
    this.#print = print;
  }

  of(value: V): string {
    if (value !== this.#value) {
      this.#value = value;
      this.#text = this.#print(value);
    }
    return this.#text;
  }
}

function userJson({ name, uid, groups, extra }: UserInfo): string {
  let json = member("username", name) + member("uid", uid);
  if (groups.length > 0) json += `,"groups":${JSON.stringify(groups)}`;
  if (Object.keys(extra).length > 0) json += `,"extra":${JSON.stringify(extra)}`;
  return `{${json.slice(1)}}`;
}

function objectJson(object: AuditedObject, version: AuditVersion): string {
  const { apiGroup, apiVersion } = object;
  // v1alpha1 has group and version in one field.
  const isJoined = version === "v1alpha1" && apiGroup !== "";
  const json =
    member("resource", object.resource) +
    member("namespace", object.namespace) +
    member("name", object.name) +
    member("uid", object.uid) +
    (isJoined
      ? member("apiVersion", `${apiGroup}/${apiVersion}`)
      : member("apiGroup", apiGroup) + member("apiVersion", apiVersion)) +
    member("resourceVersion", object.resourceVersion) +
    member("subresource", object.subresource);
  return `{${json.slice(1)}}`;
}

/** Preceded by a comma; nothing for an empty value. */
function member(name: string, value: string): string {
  return value === "" ? "" : `,"${name}":${JSON.stringify(value)}`;
}

function statusJson(given: NonNullable<AuditEvent["responseStatus"]>): string {
  const { status, message, reason, details, code } = given;
  // Most have only a code.
  if (status === undefined && message === undefined) return `{"metadata":{},"code":${code ?? 0}}`;
  return JSON.stringify({ metadata: {}, status, message, reason, details, code });
}

function secondsOf(time: Date): string {
  return formatTime(Math.floor(time.getTime() / 1000));
}
