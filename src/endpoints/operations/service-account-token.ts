import { randomUUID } from "node:crypto";
import type { AdmissionChain } from "../../admission/chain/admission-chain.js";
import { type FieldError, FieldPath, invalid } from "../../apimachinery/errors/field-error.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { badRequest, conflict, internal, invalidObject } from "../../apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { FeatureGateName } from "../../apimachinery/levels/feature-gates/feature-gates.js";
import type { ApiObject, ObjectMeta } from "../../apimachinery/objects/meta.js";
import { parseApiVersion } from "../../apimachinery/objects/meta.js";
import type { Codec } from "../../apimachinery/schema/codec.js";
import { timestamp } from "../../apimachinery/values/time.js";
import { convertToHub } from "../../apis/definition/resource-definition.js";
import type { BoundObjectReference, TokenRequest } from "../../apis/gen/authentication-v1.js";
import type { Node, Pod, Secret, ServiceAccount } from "../../apis/gen/core-v1.js";
import type { ResourceRegistry } from "../../registry/generic/resource-registry.js";
import type { ApiRequest } from "../../request/api-request.js";
import { decodeBody } from "../bodies/decode-object.js";
import type { ApiResult } from "../resource/api-result.js";
import { settleCreatedMetadata } from "../resource/created-metadata.js";
import { createKindView } from "../resource/kind-view.js";
import type { OperationHandler } from "../resource/operation.js";
import type { EndpointSettings } from "../resource/resource-endpoint.js";
import { writeOf, writeOptionsOf } from "../resource/write-options.js";
import { createdValueAttributes, trackCreatedValue } from "./admit-created-value.js";

/** An object that a token is bound to. */
export interface TokenSubject {
  readonly name: string;
  readonly uid: string;
}

/** The claims of a token. */
export interface TokenContent {
  readonly namespace: string;
  readonly account: TokenSubject;
  readonly pod: TokenSubject | undefined;
  readonly secret: TokenSubject | undefined;
  /** The node that the token is bound to, or that its pod runs on; its uid is unknown when it does not exist. */
  readonly node?: { readonly name: string; readonly uid?: string | undefined } | undefined;
  /** Unique for each token. */
  readonly id?: string | undefined;
  readonly audiences: readonly string[];
  readonly issuedAt: Date;
  readonly expirationSeconds: number;
  /** Seconds after which its use is logged; undefined for never. */
  readonly warnAfterSeconds: number | undefined;
}

export interface ServiceAccountTokenParts {
  readonly settings: EndpointSettings;
  readonly admission: AdmissionChain;
  readonly codec: Codec<TokenRequest>;
  /** Group of TokenRequest, in the profile's words. */
  readonly group: string;
  readonly serviceAccounts: () => ResourceRegistry<ServiceAccount>;
  readonly pods: () => ResourceRegistry<Pod>;
  readonly secrets: () => ResourceRegistry<Secret>;
  readonly nodes: () => ResourceRegistry<Node>;
  readonly level: ApiLevel;
  readonly isEnabled: (gate: FeatureGateName) => boolean;
  /** Prefix of the annotations of audit events: `authentication.example.io`. */
  readonly annotationPrefix: string;
  readonly issue: (content: TokenContent) => Promise<string>;
  /** Audiences when a request names none. */
  readonly apiAudiences: readonly string[];
  /** 0 means no limit. */
  readonly maxExpirationSeconds: number;
  /** Lets tokens that admission requests for pods live longer, and logs their use beyond the requested time. */
  readonly extendExpiration: boolean;
  /** The extended lifetime: a year, unless the signer allows less. */
  readonly extendedExpirationSeconds: number;
}

const defaultExpirationSeconds = 3600;
const minExpirationSeconds = 600;
const maxExpirationSeconds = 2 ** 32;
/** The lifetime of the tokens that admission injects into pods, recognizable by its odd number of seconds. */
const injectedExpirationSeconds = 3607;

/**
 * POST to an account's `token`: issues a signed token for it. The path names the account. Since 1.24, the body's metadata must agree with
 * the path and is returned complete; before, it is returned as it was sent. Source: Kubernetes' service account token REST storage.
 */
export function createServiceAccountToken(parts: ServiceAccountTokenParts): OperationHandler {
  const { settings, level } = parts;
  const kind = { group: parts.group, version: "v1", kind: "TokenRequest" };
  const view = createKindView(kind, parts.codec);
  return async (request): Promise<ApiResult> => {
    const options = writeOptionsOf(request, "CreateOptions", settings);
    const review = convertToHub(view.version, await decodeBody(view, settings, request));
    settleCreatedMetadata(review.metadata, request.info, level, {
      keepsSystemFields: isAtLeast(level, "1.34"),
    });
    review.spec.expirationSeconds ??= defaultExpirationSeconds;
    await trackCreatedValue(view, review, request, { manager: options.fieldManager, settings });
    const attributes = createdValueAttributes(request, writeOf(request, options.dryRun), {
      kind,
      object: review,
      codec: parts.codec,
      options,
    });
    // Before default audiences are set: a node's request is compared with what its pods ask for.
    await parts.admission.mutate(attributes);

    const account = await checkedAccount(parts, request, review);
    if ((review.spec.audiences ?? []).length === 0) review.spec.audiences = [...parts.apiAudiences];
    review.status = { token: "" };
    const errors = validate(review);
    if (errors.length > 0) throw invalidObject({ group: parts.group, kind: "TokenRequest" }, "", errors);
    await parts.admission.validate(attributes);

    review.status = await issuedStatus(parts, request, review, account);
    return { kind: "value", code: 201, view, object: review };
  };
}

/** The account that the path names. The request's metadata must agree, and is completed. */
async function checkedAccount(
  parts: ServiceAccountTokenParts,
  request: ApiRequest,
  { metadata }: TokenRequest,
): Promise<ServiceAccount> {
  const { namespace, name } = request.info;
  const namesAccount = isAtLeast(parts.level, "1.24");
  const namesUid = isAtLeast(parts.level, "1.34");
  if (namesAccount) checkAccountName(parts, metadata, name);
  const account = await read(parts.serviceAccounts, namespace, name);
  if (namesUid) checkAccountUid(parts, request, metadata, account);
  if (namesAccount) {
    metadata.name = name;
    metadata.creationTimestamp = timestamp(request.receivedAt);
  }
  if (namesUid) metadata.uid ||= account.metadata.uid;
  return account;
}

/** Issues the token, with its lifetime capped at the limit. */
async function issuedStatus(
  parts: ServiceAccountTokenParts,
  request: ApiRequest,
  { spec }: Pick<TokenRequest, "spec">,
  account: ServiceAccount,
): Promise<TokenRequest["status"]> {
  const { namespace, name } = request.info;
  const bound = await boundObject(parts, request, spec.boundObjectRef);
  const asked = Number(spec.expirationSeconds);
  const { maxExpirationSeconds: limit } = parts;
  if (limit > 0 && asked > limit) {
    request.warn(`requested expiration of ${asked} seconds shortened to ${limit} seconds`);
    spec.expirationSeconds = limit;
  }
  const lifetime = Number(spec.expirationSeconds);
  const audiences = spec.audiences ?? [];
  const isExtended =
    parts.extendExpiration &&
    bound.pod !== undefined &&
    lifetime === injectedExpirationSeconds &&
    audiences.every((audience) => parts.apiAudiences.includes(audience));
  const id = parts.isEnabled("ServiceAccountTokenJTI") ? randomUUID() : undefined;
  if (id !== undefined) {
    request.annotate(`${parts.annotationPrefix}/issued-credential-id`, `JTI=${id}`);
  }
  const token = await issue(parts, {
    id,
    namespace,
    account: { name, uid: account.metadata.uid ?? "" },
    ...bound,
    audiences,
    issuedAt: request.receivedAt,
    expirationSeconds: isExtended ? parts.extendedExpirationSeconds : lifetime,
    warnAfterSeconds: isExtended ? lifetime : undefined,
  });
  const expiresAt = new Date(request.receivedAt.getTime() + lifetime * 1000);
  return { token, expirationTimestamp: timestamp(expiresAt) };
}

/** Issuing may fail, because the signer may be another process. */
async function issue(parts: ServiceAccountTokenParts, content: TokenContent): Promise<string> {
  try {
    return await parts.issue(content);
  } catch (error) {
    throw internal(`failed to generate token: ${messageOf(error)}`, error);
  }
}

function validate({ spec }: TokenRequest): FieldError[] {
  const seconds = spec.expirationSeconds ?? 0;
  const path = FieldPath.of("spec", "expirationSeconds");
  if (seconds < minExpirationSeconds) {
    return [invalid(path, seconds, "may not specify a duration less than 10 minutes")];
  }
  if (seconds > maxExpirationSeconds) {
    return [invalid(path, seconds, "may not specify a duration larger than 2^32 seconds")];
  }
  return [];
}

function checkAccountName(
  { group }: ServiceAccountTokenParts,
  { name: sent = "" }: ObjectMeta,
  name: string,
): void {
  if (sent === "" || sent === name) return;
  const path = FieldPath.of("metadata", "name");
  throw invalidObject({ group, kind: "TokenRequest" }, name, [
    invalid(path, sent, "must match the service account name if specified"),
  ]);
}

/** Refuses a request for an account that was deleted and created again. */
function checkAccountUid(
  { isEnabled, group }: ServiceAccountTokenParts,
  request: ApiRequest,
  { uid: asked = "" }: ObjectMeta,
  account: ServiceAccount,
): void {
  const actual = account.metadata.uid ?? "";
  if (asked === "" || asked === actual) return;
  const gate = "TokenRequestServiceAccountUIDValidation";
  const why = `the UID in the token request (${asked}) does not match the UID of the service account (${actual})`;
  if (isEnabled(gate)) throw conflict({ group, resource: "TokenRequest" }, request.info.name, why);
  request.annotate(`${group}/token-request-uid-mismatch`, why);
  request.warn(`${why} but ${gate} is not enabled. In the future, this will return a conflict error`);
}

type Bound = Pick<TokenContent, "pod" | "secret" | "node">;

/** The object to bind the token to, and the node of a pod. Throws 400, 404 and 409. */
async function boundObject(
  parts: ServiceAccountTokenParts,
  { info }: ApiRequest,
  ref: BoundObjectReference | undefined,
): Promise<Bound> {
  if (ref === undefined) return { pod: undefined, secret: undefined };
  const { namespace } = info;
  const { group, version } = parseApiVersion(ref.apiVersion ?? "") ?? { group: ref.apiVersion, version: "" };
  const { kind = "", name = "" } = ref;
  switch (group === "" ? kind : "") {
    case "Pod": {
      const pod = await read(parts.pods, namespace, name);
      if (pod.spec.serviceAccountName !== info.name) {
        throw badRequest(
          `cannot bind token for serviceaccount ${JSON.stringify(info.name)} to pod running with different serviceaccount name.`,
        );
      }
      return { pod: subjectOf(pod, ref), secret: undefined, node: await nodeOf(parts, pod) };
    }
    case "Secret":
      return { pod: undefined, secret: subjectOf(await read(parts.secrets, namespace, name), ref) };
    case "Node":
      if (!isAtLeast(parts.level, "1.29")) break;
      if (!parts.isEnabled("ServiceAccountTokenNodeBinding")) {
        throw badRequest(
          'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
        );
      }
      return { pod: undefined, secret: undefined, node: subjectOf(await read(parts.nodes, "", name), ref) };
  }
  throw badRequest(`cannot bind token to object of type ${group}/${version}, Kind=${kind}`);
}

/** Throws 409 when the reference names another uid. */
function subjectOf(
  { metadata }: ApiObject,
  { kind = "", name = "", uid: asked = "" }: BoundObjectReference,
): TokenSubject {
  const { uid = "" } = metadata;
  if (asked === "" || asked === uid) return { name, uid };
  throw conflict(
    { group: "", resource: kind },
    name,
    `the UID in the bound object reference (${asked}) does not match the UID in record. The object might have been deleted and then recreated`,
  );
}

/** The node of a pod; only its name if it does not exist. */
async function nodeOf(parts: ServiceAccountTokenParts, pod: Pod): Promise<TokenContent["node"]> {
  const { nodeName: name = "" } = pod.spec;
  if (name === "" || !parts.isEnabled("ServiceAccountTokenPodNodeInfo")) return undefined;
  const nodes = parts.nodes();
  const stored =
    (await nodes.find("", name, { kind: "any" })) ?? (await nodes.find("", name, { kind: "mostRecent" }));
  return { name, uid: stored?.decode().metadata.uid };
}

async function read<T extends ApiObject>(
  registry: () => ResourceRegistry<T>,
  namespace: string,
  name: string,
): Promise<T> {
  if (name === "") throw badRequest("Name parameter required.");
  const stored = await registry().get(namespace, name, { kind: "mostRecent" });
  return stored.decode();
}
