import { type Status, StatusError } from "../../apimachinery/errors/status.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { isJsonArray, textOf } from "../../apimachinery/json/json-values.js";
import { printedKind } from "../../remote/review-answer.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { ServedForm } from "../chain/object-forms.js";
import { isNamespace } from "../matching/match.js";

export interface ReviewNames {
  /** API group of AdmissionReview. */
  readonly group: string;
  /** API group of CreateOptions and the like. */
  readonly metaGroup: string;
}

export interface ReviewRequest {
  readonly uid: string;
  /** `group/version` of the review. */
  readonly apiVersion: string;
  readonly body: Buffer;
  /** JSON of the object in the form that the webhook sees, as sent. */
  readonly objectJson: Buffer | undefined;
}

export interface ReviewResponse {
  readonly isAllowed: boolean;
  readonly status: JsonObject | undefined;
  /** JSON of a JSON patch. */
  readonly patch: Uint8Array | undefined;
  readonly warnings: readonly string[];
  readonly annotations: Readonly<Record<string, string>>;
}

/** What is wrong with a webhook's answer. */
class BadReviewError extends Error {
  constructor(problem: string) {
    super(`received invalid webhook response: ${problem}`);
  }
}

/** JSON of a request's objects in the form that a webhook sees. */
export interface ReviewedObjects {
  readonly object: Buffer | undefined;
  readonly oldObject: Buffer | undefined;
}

export interface ReviewParts {
  readonly form: ServedForm;
  readonly version: "v1" | "v1beta1";
  readonly uid: string;
  readonly names: ReviewNames;
  readonly objects: ReviewedObjects;
}

/** The request of an `AdmissionReview`, v1 and v1beta1 alike. */
export function reviewRequest(
  attributes: AdmissionAttributes,
  { form, version, uid, names, objects }: ReviewParts,
): ReviewRequest {
  const { user, options, subresource, resource, kind, name, namespace } = attributes;
  const { object: objectJson, oldObject: oldJson } = objects;
  const apiVersion = `${names.group}/${version}`;
  const head = {
    uid,
    kind: form.kind,
    resource: form.resource,
    ...(subresource !== "" && { subResource: subresource }),
    requestKind: kind,
    requestResource: resource,
    ...(subresource !== "" && { requestSubResource: subresource }),
    ...(name !== "" && { name }),
    ...namespaceOf(attributes, namespace),
    operation: attributes.operation,
    userInfo: {
      ...(user.name !== "" && { username: user.name }),
      ...(user.uid !== "" && { uid: user.uid }),
      ...(user.groups.length > 0 && { groups: user.groups }),
      ...(Object.keys(user.extra).length > 0 && { extra: user.extra }),
    },
  };
  const optionsText =
    options === undefined
      ? "null"
      : JSON.stringify({ kind: options.kind, apiVersion: `${names.metaGroup}/v1`, ...options.value });
  const beforeObject = `{"kind":"AdmissionReview","apiVersion":${JSON.stringify(apiVersion)},"request":${JSON.stringify(head).slice(0, -1)},"object":`;
  const body = Buffer.concat([
    Buffer.from(beforeObject),
    objectJson ?? absent,
    beforeOldObject,
    oldJson ?? absent,
    Buffer.from(`,"dryRun":${attributes.dryRun},"options":${optionsText}}}`),
  ]);
  return { uid, apiVersion, body, objectJson };
}

const absent = Buffer.from("null");
const beforeOldObject = Buffer.from(',"oldObject":');

/** For admission, a namespace is in itself. */
function namespaceOf(attributes: AdmissionAttributes, namespace: string): { namespace?: string } {
  const name = isNamespace(attributes) ? attributes.name : namespace;
  return name === "" ? {} : { namespace: name };
}

/** Throws an error that says what is wrong with the answer. Source: Kubernetes documentation, "Dynamic Admission Control", "Response". */
export function reviewResponse(
  review: JsonObject,
  { uid, apiVersion }: Pick<ReviewRequest, "uid" | "apiVersion">,
  isMutating: boolean,
): ReviewResponse {
  const { response } = review;
  if (!isJsonObject(response)) throw new BadReviewError("webhook response was absent");
  const isV1 = apiVersion.endsWith("/v1");
  if (isV1) checkEnvelope(review, response, uid, apiVersion);
  const patch = patchOf(response, isV1, isMutating);
  return {
    isAllowed: response.allowed === true,
    status: isJsonObject(response.status) ? response.status : undefined,
    patch,
    warnings: texts(response.warnings),
    annotations: Object.fromEntries(
      Object.entries(isJsonObject(response.auditAnnotations) ? response.auditAnnotations : {}).filter(
        (entry): entry is [string, string] => typeof entry[1] === "string",
      ),
    ),
  };
}

function checkEnvelope(review: JsonObject, response: JsonObject, uid: string, apiVersion: string): void {
  if (response.uid !== uid) {
    throw new BadReviewError(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid ?? "")}`,
    );
  }
  if (review.apiVersion !== apiVersion || review.kind !== "AdmissionReview") {
    throw new BadReviewError(
      `expected webhook response of ${apiVersion}, Kind=AdmissionReview, got ${printedKind(review)}`,
    );
  }
}

function patchOf(response: JsonObject, isV1: boolean, isMutating: boolean): Uint8Array | undefined {
  const patch = typeof response.patch === "string" && response.patch !== "" ? response.patch : undefined;
  const type = response.patchType ?? undefined;
  if (isMutating) {
    if (patch === undefined && isV1 && type !== undefined) {
      throw new BadReviewError("webhook returned response.patchType but not response.patch");
    }
    if (patch !== undefined && isV1 && type === undefined) {
      throw new BadReviewError("webhook returned response.patch but not response.patchType");
    }
    if (patch !== undefined && type !== undefined && type !== "JSONPatch") {
      throw new BadReviewError(
        `webhook returned response.patchType of ${JSON.stringify(type)}, expected "JSONPatch"`,
      );
    }
    return patch === undefined ? undefined : Buffer.from(patch, "base64");
  }
  if (patch !== undefined && isV1)
    throw new BadReviewError("validating webhook may not return response.patch");
  if (type !== undefined && isV1) {
    throw new BadReviewError("validating webhook may not return response.patchType");
  }
  return undefined;
}

function texts(value: JsonValue | undefined): string[] {
  return isJsonArray(value) ? value.filter((each): each is string => typeof each === "string") : [];
}

/** The error for a denied request: the webhook's own status, turned into a failure. Its reason may be any text. */
export function denial(webhook: string, status: JsonObject = {}): StatusError {
  const deniedBy = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const message = textOf(status.message);
  const reason = textOf(status.reason);
  const code =
    typeof status.code === "number" && status.code >= 400 && status.code <= 599 ? status.code : 400;
  const why = message || reason;
  const details = isJsonObject(status.details) ? (status.details as Status["details"]) : undefined; // shown as it came
  return new StatusError({
    metadata: {},
    status: "Failure",
    message: why === "" ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    ...(reason !== "" && { reason }),
    ...(details !== undefined && { details }),
    code,
  });
}
