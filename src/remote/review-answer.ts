import { JsonSyntaxError } from "../apimachinery/json/json-scanner.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json/json-value.js";
import { jsonTypeName, unmarshalProblem } from "../apimachinery/json/unmarshal-problem.js";
import { parseApiVersion } from "../apimachinery/objects/meta.js";
import { type Codec, DecodeError, type TypeMeta } from "../apimachinery/schema/codec.js";
import type { RemoteAnswer } from "./remote-call.js";
import { RemoteError } from "./remote-error.js";

/** The type of the review that was sent, which is also that of its answer. */
export interface ReviewType<T> {
  readonly typeMeta: TypeMeta;
  readonly codec: Pick<Codec<T>, "fromJson">;
}

/** The review that a webhook sends back. */
export interface AnsweredReview<T> {
  readonly review: T;
  /** The apiVersion and kind that the answer states; empty if it omits them. */
  readonly stated: TypeMeta;
}

/**
 * Parses the review that a webhook returns. If the answer is not of the type, throws `RemoteError` in the words of Kubernetes' client.
 * `parse` throws `JsonSyntaxError`.
 */
export async function reviewOfAnswer<T>(
  { status, headers, body }: RemoteAnswer,
  type: ReviewType<T>,
  parse: (body: Uint8Array) => JsonValue | Promise<JsonValue>,
): Promise<AnsweredReview<T>> {
  if (body.length === 0) {
    const contentType = String(headers["content-type"] ?? "application/json");
    throw unusable(`0-length response with status code: ${status} and content type: ${contentType}`);
  }
  let value: JsonValue;
  try {
    value = await parse(body);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    // Kubernetes parses an answer that does not begin like a JSON object as YAML, in which plain text is a string.
    const isObject = /^\s*\{/.test(body.subarray(0, 1024).toString("latin1"));
    throw unreadable(isObject ? error.message : unmarshalProblem("", typeMeta));
  }
  return readReview(value, type);
}

/** The same for an answer that is parsed. Null is an empty object to Kubernetes. */
export function readReview<T>(sent: JsonValue, type: ReviewType<T>): AnsweredReview<T> {
  const value = sent ?? {};
  if (!isJsonObject(value)) throw unreadable(unmarshalProblem(value, typeMeta));
  const stated = { apiVersion: typeText(value, "apiVersion"), kind: typeText(value, "kind") };
  checkType(stated, type.typeMeta);
  try {
    return { review: type.codec.fromJson(value), stated };
  } catch (error) {
    throw error instanceof DecodeError ? unusable(error.message) : error;
  }
}

const typeMeta =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

function typeText(value: JsonObject, field: "apiVersion" | "kind"): string {
  const text = value[field] ?? "";
  if (typeof text === "string") return text;
  throw unreadable(
    `json: cannot unmarshal ${jsonTypeName(text)} into Go struct field .${field} of type string`,
  );
}

/** An answer may omit its type. In another version or kind, fields have other meanings. */
function checkType(stated: TypeMeta, sent: TypeMeta): void {
  const apiVersion = stated.apiVersion || sent.apiVersion;
  const kind = stated.kind || sent.kind;
  if (apiVersion === sent.apiVersion && kind === sent.kind) return;
  const given = parseApiVersion(apiVersion);
  if (given === undefined) throw unusable(`unexpected GroupVersion string: ${apiVersion}`);
  const expected = parseApiVersion(sent.apiVersion);
  const isOtherVersion = kind === sent.kind && given.group === expected?.group;
  throw unusable(
    isOtherVersion && knownVersions.includes(given.version)
      ? `converting (${given.version}.${kind}) to (${expected.version}.${kind}): unknown conversion`
      : `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
  );
}

/** The versions of reviews. */
const knownVersions = ["v1", "v1beta1"];

function unreadable(why: string): RemoteError {
  return unusable(`couldn't get version/kind; json parse error: ${why}`);
}

function unusable(why: string): RemoteError {
  return new RemoteError("other", why);
}

/** `group/v1, Kind=Name`; a version without a group begins with a slash. */
export function printedKind({ apiVersion, kind }: TypeMeta): string {
  return `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}, Kind=${kind}`;
}
