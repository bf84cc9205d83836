import { StatusError } from "../../apimachinery/errors/status.js";
import type { TypeMeta } from "../../apimachinery/schema/codec.js";
import type { AdmissionResponse, AdmissionReview } from "../../apis/gen/admission-v1.js";
import type { Status as StatusOfAnswer } from "../../apis/gen/meta-v1.js";
import { type AnsweredReview, printedKind } from "../../remote/review-answer.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { ServedForm } from "../chain/object-forms.js";
import { isNamespace } from "../matching/match.js";

export interface ReviewNames {
  /** API group of AdmissionReview. */
  readonly group: string;
  /** API group of CreateOptions and the like. */
  readonly metaGroup: string;
}

/** Both versions have the same fields. */
export type ReviewVersion = "v1" | "v1beta1";

export interface ReviewRequest {
  readonly uid: string;
  readonly version: ReviewVersion;
  readonly typeMeta: TypeMeta;
  readonly body: Buffer;
  /** JSON of the object in the form that the webhook sees, as sent. */
  readonly objectJson: Buffer | undefined;
}

export interface ReviewResponse {
  readonly isAllowed: boolean;
  readonly status: StatusOfAnswer | undefined;
  /** JSON of a JSON patch. */
  readonly patch: Uint8Array | undefined;
  readonly patchType: string;
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
  readonly version: ReviewVersion;
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
  const typeMeta = { kind: "AdmissionReview", apiVersion: `${names.group}/${version}` };
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
  const beforeObject = `${JSON.stringify(typeMeta).slice(0, -1)},"request":${JSON.stringify(head).slice(0, -1)},"object":`;
  const body = Buffer.concat([
    Buffer.from(beforeObject),
    objectJson ?? absent,
    beforeOldObject,
    oldJson ?? absent,
    Buffer.from(`,"dryRun":${attributes.dryRun},"options":${optionsText}}}`),
  ]);
  return { uid, version, typeMeta, body, objectJson };
}

const absent = Buffer.from("null");
const beforeOldObject = Buffer.from(',"oldObject":');

/** For admission, the namespace of a namespace is itself. */
function namespaceOf(attributes: AdmissionAttributes, namespace: string): { namespace?: string } {
  const name = isNamespace(attributes) ? attributes.name : namespace;
  return name === "" ? {} : { namespace: name };
}

/** Throws an error that says what is wrong with the answer. Source: Kubernetes documentation, "Dynamic Admission Control", "Response". */
export function reviewResponse(
  { review: { response }, stated }: AnsweredReview<AdmissionReview>,
  request: Pick<ReviewRequest, "uid" | "version" | "typeMeta">,
  isMutating: boolean,
): ReviewResponse {
  if (response === undefined) throw new BadReviewError("webhook response was absent");
  const isV1 = request.version === "v1";
  if (isV1) checkEnvelope(response, stated, request);
  const patch = patchOf(response, isV1, isMutating);
  // The first version of reviews has one type of patches.
  const patchType = isV1 ? (response.patchType ?? "") : "JSONPatch";
  const { allowed: isAllowed, status, warnings = [], auditAnnotations: annotations = {} } = response;
  return { isAllowed, status, patch, patchType, warnings, annotations };
}

function checkEnvelope(
  response: AdmissionResponse,
  stated: TypeMeta,
  { uid, typeMeta }: Pick<ReviewRequest, "uid" | "typeMeta">,
): void {
  if (response.uid !== uid) {
    throw new BadReviewError(
      `expected response.uid=${JSON.stringify(uid)}, got ${JSON.stringify(response.uid)}`,
    );
  }
  // The type of the answer fits, unless the answer does not state it.
  if (stated.apiVersion === "" || stated.kind === "") {
    throw new BadReviewError(
      `expected webhook response of ${printedKind(typeMeta)}, got ${printedKind(stated)}`,
    );
  }
}

function patchOf(
  { patch = "", patchType }: AdmissionResponse,
  isV1: boolean,
  isMutating: boolean,
): Uint8Array | undefined {
  if (isMutating) {
    if (patch === "" && isV1 && patchType !== undefined) {
      throw new BadReviewError("webhook returned response.patchType but not response.patch");
    }
    if (patch !== "" && isV1 && patchType === undefined) {
      throw new BadReviewError("webhook returned response.patch but not response.patchType");
    }
    if (isV1 && patchType === "") {
      throw new BadReviewError(`webhook returned invalid response.patchType of ""`);
    }
    return patch === "" ? undefined : Buffer.from(patch, "base64");
  }
  if (patch !== "" && isV1) throw new BadReviewError("validating webhook may not return response.patch");
  if (patchType !== undefined && isV1) {
    throw new BadReviewError("validating webhook may not return response.patchType");
  }
  return undefined;
}

/** The error for a denied request: the webhook's own status, turned into a failure. Its reason may be any text. */
export function denial(webhook: string, status: Partial<StatusOfAnswer> = {}): StatusError {
  const deniedBy = `admission webhook ${JSON.stringify(webhook)} denied the request`;
  const { message = "", reason = "", code = 0, details } = status;
  const why = message || reason;
  return new StatusError({
    metadata: {},
    status: "Failure",
    message: why === "" ? `${deniedBy} without explanation` : `${deniedBy}: ${why}`,
    ...(reason !== "" && { reason }),
    ...(details !== undefined && { details }),
    code: code >= 400 && code <= 599 ? code : 400,
  });
}
