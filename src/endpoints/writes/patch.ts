import { FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { goMapText, sortedJsonText } from "../../apimachinery/errors/shown-value.js";
import {
  badRequest,
  invalidObject,
  noSuchMediaType,
  notFound,
  type StatusError,
  unsupportedMediaType,
} from "../../apimachinery/errors/status.js";
import { copyJson } from "../../apimachinery/json/json-copy.js";
import { parseJson } from "../../apimachinery/json/json-parse.js";
import { printJson } from "../../apimachinery/json/json-print.js";
import { JsonSyntaxError } from "../../apimachinery/json/json-scanner.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { WrittenNumbers, type WrittenValue } from "../../apimachinery/json/written-number.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { type MaybePromise, whenDone } from "../../apimachinery/objects/maybe-promise.js";
import type { ApiObject } from "../../apimachinery/objects/meta.js";
import { applyJsonPatch, parseJsonPatch } from "../../apimachinery/patch/json-patch.js";
import { applyMergePatch } from "../../apimachinery/patch/merge-patch.js";
import { PatchError, statusOfPatchError } from "../../apimachinery/patch/patch-error.js";
import { applyStrategicMergePatch } from "../../apimachinery/patch/strategic-merge-patch.js";
import { mediaTypeOf } from "../../apimachinery/requests/media-range.js";
import { DecodeError, type FromJsonOptions } from "../../apimachinery/schema/codec.js";
import type { Strategy } from "../../apis/definition/strategy.js";
import { type CurrentObject, parseBody } from "../../registry/generic/current-object.js";
import type { VersionedView } from "../../registry/generic/versioned-view.js";
import type { ApiRequest } from "../../request/api-request.js";
import { type BodyType, typeProblem } from "../bodies/decode-object.js";
import { type FieldValidation, fieldValidationOf, reportsMax, warnOf } from "../bodies/field-validation.js";
import { parseWritten } from "../bodies/parse-body.js";
import {
  duplicateField,
  jsonPatchStrictErrors,
  jsonPatchTypeProblem,
  mergePatchTypeProblem,
  sortedByKey,
  sortedUnknownFields,
  unknownField,
} from "../bodies/strict-errors.js";
import type { ObjectResult } from "../resource/api-result.js";
import type { ResourceEndpoint } from "../resource/resource-endpoint.js";
import { writeOptionsOf } from "../resource/write-options.js";
import { applyConfiguration } from "./apply.js";
import { settleName } from "./check-name.js";
import { storeUpdate } from "./update.js";

const patchMediaTypes = {
  json: "application/json-patch+json",
  merge: "application/merge-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
  applyCbor: "application/apply-patch+cbor",
} as const;

export function isApply(mediaType: string): boolean {
  return mediaType === patchMediaTypes.apply || mediaType === patchMediaTypes.applyCbor;
}

/** PATCH of an object, or of a part of it when `part` gives the part's strategy. Throws 400, 409, 413, 415 and 422. */
export async function patchObject<T extends ApiObject>(
  endpoint: ResourceEndpoint<T>,
  request: ApiRequest,
  part?: Strategy<T>,
): Promise<ObjectResult<T>> {
  const { view, settings } = endpoint;
  const mediaType = patchTypeOf(endpoint, request.body.contentType);
  const options = writeOptionsOf(request, "PatchOptions", settings, isApply(mediaType));
  if (isApply(mediaType)) return await applyConfiguration(endpoint, request, options, part);

  const validation = fieldValidationOf(request.query, settings);
  const patch = readPatch(mediaType, request, {
    view,
    level: settings.level,
    isStrict: validation !== "Ignore",
  });
  const mentionsManagers = mayMention(request.body.bytes, "managedFields");
  const type = { ...view, ignoresKind: part !== undefined };
  return await storeUpdate(endpoint, request, {
    options,
    part,
    transform(current) {
      // Some kinds can be created by an update, but none by a patch.
      if (current === undefined) throw notFound(view.definition, request.info.name);
      return whenDone(documentOf(view, current, mentionsManagers, request), (document) => {
        const sent = patched(patch, document, type, validation, request);
        settleName(sent.metadata, request.info, endpoint.registry.definition);
        return view.hubOfSent(sent, request, { current, part });
      });
    },
  });
}

/** Applies the patch to the document. The result must fit the type; strict validation checks both the patch and its result. */
export function patched<V>(
  patch: Patch,
  document: JsonObject,
  type: BodyType<V>,
  validation: FieldValidation,
  request: ApiRequest,
): V {
  const { value: result, numberTexts } = patch.apply(document);
  const unknown: string[] = [];
  const refusal = (why: string): StatusError =>
    invalidObject({ group: "", kind: "" }, "", [invalid(FieldPath.of("patch"), patch.print(result), why)]);
  const typed = patch.keepsType && isJsonObject(result) ? { ...result, ...type.typeMeta } : result;
  const problem = typeProblem(type, typed);
  if (problem !== undefined) throw refusal(problem);
  const { known, others } = membersOf(type, typed);
  if (validation !== "Ignore") unknown.push(...others);
  const object = decoded(type, validation === "Ignore" ? known : sortedByKey(known), refusal, patch.explain, {
    ...(numberTexts !== undefined && { numberTexts }),
    ...(validation !== "Ignore" && { onUnknownField: (path) => unknown.push(path) }),
  });
  const ofResult = type.statesType === true ? sortedUnknownFields(unknown) : unknown.map(unknownField);
  const errors = [...patch.strictErrors, ...ofResult];
  if (validation === "Strict" && errors.length > 0) {
    throw refusal(`strict decoding error: ${errors.slice(0, reportsMax).join(", ")}`);
  }
  warnOf(request, errors);
  return object;
}

/**
 * The part of a patched object that its type has, and the names of other members. Kubernetes takes an object without a version to be of
 * its internal type, which has none of the fields.
 */
function membersOf<V>(
  type: BodyType<V>,
  value: JsonValue,
): { readonly known: JsonValue; readonly others: readonly string[] } {
  if (type.statesType === true || !isJsonObject(value)) return { known: value, others: [] };
  const { apiVersion, kind: _kind, ...others } = value;
  if ((apiVersion ?? "") !== "") return { known: value, others: [] };
  return { known: {}, others: Object.keys(others).toSorted() };
}

function decoded<V>(
  type: BodyType<V>,
  value: JsonValue,
  refusal: (why: string) => StatusError,
  explain: (error: DecodeError) => string,
  options: FromJsonOptions,
): V {
  try {
    return type.fromJson(value, options);
  } catch (error) {
    throw error instanceof DecodeError ? refusal(explain(error)) : error;
  }
}

/** A parsed patch. */
export interface Patch {
  /** Applied to the newest object on every attempt. Throws `StatusError`. */
  apply(document: JsonObject): WrittenValue;
  /** Strict errors in the patch itself; empty unless requested. */
  readonly strictErrors: readonly string[];
  /** Whether the object keeps its kind and version, whatever the patch says. */
  readonly keepsType: boolean;
  /** The error of a result that does not fit its type. */
  explain(error: DecodeError): string;
  /** The bad value as an error shows it, shortened. */
  print(patched: JsonValue): string;
}

export interface PatchSettings<T extends ApiObject> {
  /** The view of the patched objects. */
  readonly view: Pick<VersionedView<T>, "version">;
  readonly level: ApiLevel;
  /** Whether to look for strict errors in the patch itself. */
  readonly isStrict: boolean;
}

/** Parses the patch once. Throws 400, and 413 for a JSON patch of too many operations. */
export function readPatch<T extends ApiObject>(
  mediaType: string,
  request: ApiRequest,
  { view, level, isStrict }: PatchSettings<T>,
): Patch {
  if (mediaType === patchMediaTypes.json) return readJsonPatch(request, isStrict);
  const { bytes } = request.body;
  const duplicates: string[] = [];
  const onDuplicateField = isStrict ? (path: string) => duplicates.push(duplicateField(path)) : undefined;
  const written = orSyntaxError(mediaType, isStrict, () => parseWritten(bytes, onDuplicateField));
  request.audit?.recordRequest(() => printJson(written.value));
  if (mediaType === patchMediaTypes.merge) return mergePatch(written, isStrict, duplicates);
  const { schema } = view.version.codec;
  if (schema === undefined) throw unsupportedMediaType([patchMediaTypes.json, patchMediaTypes.merge]);
  const rules = {
    discardsNulls: isAtLeast(level, "1.24"),
    leavesOutDirected: isAtLeast(level, "1.28"),
  };
  return {
    // Kubernetes converts numbers here, and whole ones fit integer fields however they are written.
    apply: (target) => ({
      value: orStatus(() => applyStrategicMergePatch(target, written.value, schema, rules)),
      numberTexts: undefined,
    }),
    strictErrors: duplicates,
    keepsType: true,
    explain: ({ ofConversion }) => ofConversion,
    print: () => goMapText(written.value),
  };
}

/** Operations compare and move numbers as they were written; the texts are then removed from the result. */
function readJsonPatch({ body: { bytes }, audit }: ApiRequest, isStrict: boolean): Patch {
  const numbers = new WrittenNumbers();
  const written = orSyntaxError(patchMediaTypes.json, isStrict, () => parseJson(bytes, numbers));
  const document = numbers.take(written).value;
  audit?.recordRequest(() => printJson(document));
  if (isStrict) refuseMistyped(jsonPatchTypeProblem(document));
  const operations = orStatus(() => parseJsonPatch(written));
  return {
    apply: (target) => numbers.take(orStatus(() => applyJsonPatch(target, operations))),
    strictErrors: isStrict ? jsonPatchStrictErrors(bytes) : [],
    keepsType: false,
    explain: messageOf,
    print: sortedJsonText,
  };
}

function mergePatch(
  { value: document, numberTexts }: WrittenValue,
  isStrict: boolean,
  strictErrors: readonly string[],
): Patch {
  if (isStrict) refuseMistyped(mergePatchTypeProblem(document));
  return {
    // The patch's values are at the same paths in the result.
    apply: (target) => ({ value: orStatus(() => applyMergePatch(target, document)), numberTexts }),
    strictErrors,
    keepsType: false,
    explain: messageOf,
    print: sortedJsonText,
  };
}

/** The type of the patch, without parameters. Throws 415. */
export function patchTypeOf<T extends ApiObject>(
  { view, settings }: ResourceEndpoint<T>,
  contentType: string | undefined,
): string {
  // Custom resources have no strategic merge.
  const hasStrategic = view.version.codec.schema !== undefined;
  const mediaType = mediaTypeOf(contentType ?? "");
  const known: readonly string[] = Object.values(patchMediaTypes).filter(
    (type) =>
      (hasStrategic || type !== patchMediaTypes.strategic) &&
      (settings.bodyParser.cbor || type !== patchMediaTypes.applyCbor),
  );
  if (known.includes(mediaType)) return mediaType;
  // For built-in kinds, Kubernetes' router already refuses it.
  throw hasStrategic ? noSuchMediaType() : unsupportedMediaType(known);
}

/** Whether a JSON text may contain this name, in plain letters or as an escape. */
function mayMention(text: Uint8Array, name: string): boolean {
  const bytes = Buffer.from(text.buffer, text.byteOffset, text.byteLength);
  return bytes.includes(name) || bytes.includes("\\u");
}

/**
 * What a patch is applied to: the object as clients of the version read it, with the fields that Kubernetes prints even when they are not
 * set, because a JSON patch may refer to them. Large managed fields, half of a large object, are read only for a patch that may be about
 * them.
 */
function documentOf<T extends ApiObject>(
  view: VersionedView<T>,
  current: CurrentObject<T>,
  mentionsManagers: boolean,
  request: ApiRequest,
): MaybePromise<JsonObject> {
  const { conversion, codec } = view.version;
  const isDeclared = codec.schema !== undefined;
  if (conversion.hub && isDeclared) return ofKind(view, current.json(mentionsManagers));
  // Conversions may reuse parts of their argument.
  const own = conversion.hub ? current.old : current.copy();
  return whenDone(view.fromHub(own, request), (object) => {
    if (isDeclared)
      return ofKind(view, parseBody(Buffer.from(codec.toJson(object)).subarray(1), mentionsManagers));
    // Custom resources are plain JSON. They are not read from the body, which may predate their schema.
    const copy = isJsonObject(object) ? copyJson(object) : undefined;
    if (!isJsonObject(copy)) throw new Error("a custom object must be a JSON object");
    return ofKind(view, copy);
  });
}

function ofKind<T extends ApiObject>(view: VersionedView<T>, value: JsonObject): JsonObject {
  const { kind, apiVersion } = view.typeMeta;
  return { kind, apiVersion, ...value };
}

/** Kubernetes parses a patch again to find problems; its syntax errors depend on which pass found them. */
function orSyntaxError<R>(mediaType: string, isStrict: boolean, parse: () => R): R {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (mediaType === patchMediaTypes.strategic) throw badRequest(error.message, error);
    if (isStrict) throw badRequest(`error decoding patch: ${error.message}`, error);
    throw badRequest(mediaType === patchMediaTypes.merge ? "Invalid JSON Patch" : error.message, error);
  }
}

function refuseMistyped(problem: string | undefined): void {
  if (problem !== undefined) throw badRequest(`error decoding patch: ${problem}`);
}

function orStatus<R>(apply: () => R): R {
  try {
    return apply();
  } catch (error) {
    throw error instanceof PatchError ? statusOfPatchError(error) : error;
  }
}
