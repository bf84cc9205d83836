import type { UserInfo } from "../apimachinery/request-info.js";
import { formatTime } from "../apimachinery/time.js";
import type { AuditEvent, AuditedObject, JsonPieces } from "./audit-event.js";

export type AuditVersion = "v1" | "v1beta1" | "v1alpha1";

/** An event as the bytes that a backend writes. */
export interface EncodedEvent {
  readonly pieces: JsonPieces;
  readonly byteLength: number;
}

/**
 * One event as compact JSON, with its members in Kubernetes' order. `type` begins a standalone event; in a list it is left out. Built
 * by hand: events are many, and the objects in them are already bytes.
 */
export function encodeEvent(
  event: AuditEvent,
  version: AuditVersion,
  type?: { readonly apiVersion: string },
): EncodedEvent {
  const { requestObject, responseObject } = event;
  let head = type === undefined ? "{" : `{"kind":"Event","apiVersion":${JSON.stringify(type.apiVersion)},`;
  // Deprecated members of the older versions, absent from v1.
  if (version !== "v1") head += `"metadata":{"creationTimestamp":"${secondsOf(event.stageAt)}"},`;
  head += `"level":"${event.level}",`;
  if (version !== "v1") head += `"timestamp":"${secondsOf(event.receivedAt)}",`;
  head +=
    `"auditID":${JSON.stringify(event.auditId)},"stage":"${event.stage}",` +
    `"requestURI":${JSON.stringify(event.requestUri)},"verb":${JSON.stringify(event.verb)},"user":${userJson(event.user)}`;
  if (event.impersonatedUser !== undefined) {
    head += `,"impersonatedUser":${userJson(event.impersonatedUser)}`;
  }
  if (event.sourceAddresses.length > 0) head += `,"sourceIPs":${JSON.stringify(event.sourceAddresses)}`;
  if (event.userAgent !== "") head += `,"userAgent":${JSON.stringify(event.userAgent)}`;
  if (event.objectRef !== undefined) head += `,"objectRef":${objectJson(event.objectRef, version)}`;
  if (event.responseStatus !== undefined) head += `,"responseStatus":${statusJson(event.responseStatus)}`;

  const times = `,"requestReceivedTimestamp":"${microsOf(event.receivedAt)}","stageTimestamp":"${microsOf(event.stageAt)}"`;
  const tail = `${times}${annotationsJson(event.annotations)}}`;
  if (requestObject === undefined && responseObject === undefined) return encoded([Buffer.from(head + tail)]);
  const pieces: Uint8Array[] = [];
  if (requestObject !== undefined) {
    pieces.push(Buffer.from(`${head},"requestObject":`), ...requestObject);
    head = "";
  }
  if (responseObject !== undefined) {
    pieces.push(Buffer.from(`${head},"responseObject":`));
    for (const piece of responseObject) pieces.push(piece);
  }
  pieces.push(Buffer.from(tail));
  return encoded(pieces);
}

function encoded(pieces: readonly Uint8Array[]): EncodedEvent {
  let byteLength = 0;
  for (const piece of pieces) byteLength += piece.length;
  return { pieces, byteLength };
}

function userJson(user: UserInfo | undefined): string {
  if (user === undefined) return "{}";
  const { name, uid, groups, extra } = user;
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

function annotationsJson(annotations: ReadonlyMap<string, string>): string {
  if (annotations.size === 0) return "";
  let json = "";
  for (const key of [...annotations.keys()].sort()) {
    json += `,${JSON.stringify(key)}:${JSON.stringify(annotations.get(key))}`;
  }
  return `,"annotations":{${json.slice(1)}}`;
}

/** `2026-01-02T03:04:05.678000Z`. */
function microsOf(time: Date): string {
  return `${time.toISOString().slice(0, -1)}000Z`;
}

function secondsOf(time: Date): string {
  return formatTime(Math.floor(time.getTime() / 1000));
}
