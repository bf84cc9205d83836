import { checkValues, parseJsonBody, quantitiesMax, schemasMax } from "../apimachinery/bounded-json.js";
import { FieldPath, invalid } from "../apimachinery/field-error.js";
import { JsonSyntaxError } from "../apimachinery/json-parse.js";
import { parsingSteps } from "../apimachinery/json-parse-steps.js";
import { printJson } from "../apimachinery/json-print.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json-value.js";
import { parsingLeavingSets } from "../apimachinery/managed-fields/unread-sets.js";
import { mediaTypeOf } from "../apimachinery/media-range.js";
import type { ApiObject } from "../apimachinery/meta.js";
import { jsonPatchSteps, parseJsonPatch } from "../apimachinery/patch/json-patch.js";
import { mergePatchSteps } from "../apimachinery/patch/merge-patch.js";
import { PatchError, statusOfPatchError } from "../apimachinery/patch/patch-error.js";
import { strategicMergePatchSteps } from "../apimachinery/patch/strategic-merge-patch.js";
import { DecodeError } from "../apimachinery/schema/codec.js";
import { goMapText, sortedJsonText } from "../apimachinery/shown-value.js";
import {
  badRequest,
  invalidObject,
  notFound,
  type StatusError,
  unsupportedMediaType,
} from "../apimachinery/status.js";
import { type Steps, stepsInTurns } from "../apimachinery/steps.js";
import type { Strategy } from "../apis/definition/strategy.js";
import type { CurrentObject } from "../registry/generic/resource-registry.js";
import type { VersionedView } from "../registry/generic/versioned-view.js";
import type { ApiRequest } from "./api-request.js";
import type { ObjectResult } from "./api-result.js";
import { applyConfiguration } from "./apply.js";
import { type BodyType, readValue, typeProblem } from "./decode-object.js";
import { type FieldValidation, fieldValidationOf, reportsMax, warnOf } from "./field-validation.js";
import type { ResourceEndpoint } from "./resource-endpoint.js";
import { duplicateField, jsonPatchStrictErrors, sortedByKey, unknownField } from "./strict-errors.js";
import { storeUpdate } from "./update.js";
import { writeOptionsOf } from "./write-options.js";

export const patchMediaTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
} as const;

/** PATCH of an object, or of a part of it when `part` gives the part's strategy. Throws 400, 409, 413, 415 and 422. */
export async function patchObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  part?: Strategy<T>,
): Promise<ObjectResult<T>> {
  const { view, settings } = endpoint;
  const mediaType = patchTypeOf(request, view.version.codec.schema !== undefined);
  const options = writeOptionsOf(request, "PatchOptions", settings, mediaType === patchMediaTypes.apply);
  if (mediaType === patchMediaTypes.apply) return await applyConfiguration(endpoint, request, options, part);

  const validation = fieldValidationOf(request.query, settings);
  const patch = await readPatch(mediaType, request, view, validation !== "Ignore");
  const mentionsManagers = mayMention(request.body.bytes, "managedFields");
  return await storeUpdate(endpoint, request, {
    options,
    part,
    async transform(current) {
      // Some kinds are created by updates, none by a patch.
      if (current === undefined) throw notFound(view.definition, request.info.name);
      const body = await bodyOf(view, current, request);
      const document = await stepsInTurns(parsingDocument(view, body, mentionsManagers), (parts) =>
        request.takeTurn(parts),
      );
      await request.takeTurn();
      const patched = await applied(patch, document, request);
      await request.takeTurn();
      checkValues(patched);
      await request.takeTurn();
      const type = { ...view, ignoresKind: part !== undefined };
      return view.hubOfSent(await decodePatched(type, patch, patched, validation, request), request);
    },
  });
}

/** The result of a patch must fit the type; strict validation checks the patch as well as its result. */
export async function decodePatched<V>(
  type: BodyType<V>,
  patch: Patch,
  patched: JsonValue,
  validation: FieldValidation,
  request: ApiRequest,
): Promise<V> {
  const errors = [...patch.strictErrors];
  const refuse = async (why: string): Promise<StatusError> => {
    await request.takeTurn();
    const shown = patch.print(patched);
    await request.takeTurn();
    return invalidObject({ group: "", kind: "" }, "", [invalid(FieldPath.of("patch"), shown, why)]);
  };
  const typed = patch.keepsType && isJsonObject(patched) ? { ...patched, ...type.typeMeta } : patched;
  const problem = typeProblem(type, typed);
  if (problem !== undefined) throw await refuse(problem);
  let object: V;
  try {
    const sorted = validation === "Ignore" ? typed : sortedByKey(typed);
    await request.takeTurn();
    object = readValue(type, sorted, {
      quantitiesMax,
      schemasMax,
      ...(validation !== "Ignore" && { onUnknownField: (path) => errors.push(unknownField(path)) }),
    });
  } catch (error) {
    throw error instanceof DecodeError ? await refuse(error.message) : error;
  }
  if (validation === "Strict" && errors.length > 0) {
    throw await refuse(`strict decoding error: ${errors.slice(0, reportsMax).join(", ")}`);
  }
  warnOf(request, errors);
  return object;
}

/** A parsed patch. */
export interface Patch {
  /** Applied to the newest object on every attempt. Throws `PatchError`. */
  apply(document: JsonObject): Steps<JsonValue>;
  /** Complaints about its own fields; empty unless requested. */
  readonly strictErrors: readonly string[];
  /** Whether the object keeps its kind and version, whatever the patch says. */
  readonly keepsType: boolean;
  /** The bad value that an error shows, or as much of it as is shown. */
  print(patched: JsonValue): string;
}

/** Parses the patch once. Throws 400 and 413. */
export async function readPatch<T extends ApiObject>(
  mediaType: string,
  request: ApiRequest,
  view: Pick<VersionedView<T>, "version">,
  isStrict = false,
): Promise<Patch> {
  const { bytes } = request.body;
  const duplicates: string[] = [];
  const document = await parsePatch(
    request,
    mediaType,
    isStrict ? (path) => duplicates.push(duplicateField(path)) : undefined,
  );
  request.audit?.recordRequest(() => printJson(document));
  if (mediaType === patchMediaTypes.json) {
    const operations = orStatus(() => parseJsonPatch(document));
    return {
      apply: (target) => jsonPatchSteps(target, operations),
      strictErrors: isStrict ? jsonPatchStrictErrors(bytes) : [],
      keepsType: false,
      print: sortedJsonText,
    };
  }
  if (mediaType === patchMediaTypes.merge) {
    return {
      apply: (target) => mergePatchSteps(target, document),
      strictErrors: duplicates,
      keepsType: false,
      print: sortedJsonText,
    };
  }
  const { schema } = view.version.codec;
  if (schema === undefined) throw unsupportedMediaType([patchMediaTypes.json, patchMediaTypes.merge]);
  return {
    apply: (target) => strategicMergePatchSteps(target, document, schema),
    strictErrors: duplicates,
    keepsType: true,
    print: () => goMapText(document),
  };
}

/** The type of the patch, without parameters. Custom resources have no strategic merge. Throws 415. */
export function patchTypeOf(request: ApiRequest, hasStrategic = true): string {
  const mediaType = mediaTypeOf(request.body.contentType ?? "");
  const all: readonly string[] = Object.values(patchMediaTypes);
  const known = hasStrategic ? all : all.filter((type) => type !== patchMediaTypes.strategic);
  if (!known.includes(mediaType)) throw unsupportedMediaType(known);
  return mediaType;
}

/** Whether a JSON text may have this name in it: in plain letters, or behind an escape. */
function mayMention(text: Uint8Array, name: string): boolean {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  return bytes.includes(name) || bytes.includes("\\u");
}

/** The object as its version's JSON, without opening brace, kind and apiVersion. */
async function bodyOf<T extends ApiObject>(
  view: VersionedView<T>,
  current: CurrentObject<T>,
  request: ApiRequest,
): Promise<Buffer> {
  const { conversion, codec } = view.version;
  // A stored custom resource may predate its schema.
  if (conversion.hub && codec.schema !== undefined && current.body !== undefined) return current.body;
  const copy = await current.copyInTurns();
  await request.takeTurn();
  const converting = view.fromHub(copy, request);
  const object = converting instanceof Promise ? await converting : converting;
  const texts: string[] = [];
  const printing = codec.printSteps?.(object, (text) => texts.push(text));
  if (printing === undefined) texts.push(codec.toJson(object));
  else await stepsInTurns(printing, (parts) => request.takeTurn(parts));
  await request.takeTurn();
  return Buffer.from(texts.join("")).subarray(1);
}

/** What a patch is applied to. Large sets of managers, half of a large object, are only read for a patch that may be about them. */
function* parsingDocument<T extends ApiObject>(
  view: VersionedView<T>,
  body: Buffer,
  mentionsManagers: boolean,
): Steps<JsonObject> {
  const isWhole = mentionsManagers || view.version.codec.schema === undefined;
  const value = yield* isWhole ? parsingSteps(`{${body.toString("utf8")}`) : parsingLeavingSets(body);
  if (!isJsonObject(value)) throw new Error("a stored object is a JSON object");
  const { kind, apiVersion } = view.typeMeta;
  return { kind, apiVersion, ...value };
}

/** Kubernetes parses a patch again to find complaints; its syntax errors depend on which pass found them. */
async function parsePatch(
  request: ApiRequest,
  mediaType: string,
  onDuplicateField: ((path: string) => void) | undefined,
): Promise<JsonValue> {
  try {
    return parseJsonBody(request.body.bytes, { onDuplicateField });
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (mediaType === patchMediaTypes.strategic) throw badRequest(error.message, error);
    if (onDuplicateField !== undefined) throw badRequest(`error decoding patch: ${error.message}`, error);
    throw badRequest(mediaType === patchMediaTypes.merge ? "Invalid JSON Patch" : error.message, error);
  }
}

function orStatus<R>(apply: () => R): R {
  try {
    return apply();
  } catch (error) {
    throw error instanceof PatchError ? statusOfPatchError(error) : error;
  }
}

/** What the patch makes of the document. Throws `StatusError`. */
export async function applied(patch: Patch, document: JsonObject, request: ApiRequest): Promise<JsonValue> {
  try {
    return await stepsInTurns(patch.apply(document), (parts) => request.takeTurn(parts));
  } catch (error) {
    throw error instanceof PatchError ? statusOfPatchError(error) : error;
  }
}
