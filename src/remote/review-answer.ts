import { JsonSyntaxError } from "../apimachinery/json/json-scanner.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json/json-value.js";
import { unmarshalProblem } from "../apimachinery/json/unmarshal-problem.js";
import type { RemoteAnswer } from "./remote-call.js";

/**
 * Reads the review that a webhook sends back. Throws an `Error` in the words of Kubernetes' client when the answer is not a JSON object.
 * `parse` throws `JsonSyntaxError`.
 */
export async function reviewOfAnswer(
  { status, headers, body }: RemoteAnswer,
  parse: (body: Uint8Array) => JsonValue | Promise<JsonValue>,
): Promise<JsonObject> {
  if (body.length === 0) {
    const type = String(headers["content-type"] ?? "application/json");
    throw new Error(`0-length response with status code: ${status} and content type: ${type}`);
  }
  try {
    const value = await parse(body);
    if (isJsonObject(value)) return value;
    throw unreadable(unmarshalProblem(value, typeMeta));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    // Kubernetes takes what does not begin like an object for YAML, in which plain text is a string.
    const isObject = /^\s*\{/.test(body.subarray(0, 1024).toString("latin1"));
    throw unreadable(isObject ? error.message : unmarshalProblem("", typeMeta));
  }
}

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function unreadable(why: string): Error {
  return new Error(`couldn't get version/kind; json parse error: ${why}`);
}

interface PrintedType {
  readonly apiVersion?: JsonValue | undefined;
  readonly kind?: JsonValue | undefined;
}

/** `group/v1, Kind=Name`; a version without a group begins with a slash. */
export function printedKind({ apiVersion = "", kind = "" }: PrintedType): string {
  const version = String(apiVersion);
  return `${version.includes("/") ? version : `/${version}`}, Kind=${String(kind)}`;
}
