import type { TokenAuthenticator } from "../access/authentication/token-union.js";
import type { AdmissionChain } from "../admission/admission-chain.js";
import type { Authorizer } from "../apimachinery/authorizer.js";
import type { SchemaRegistry } from "../apimachinery/schema/schema-registry.js";
import type { ResourceDefinition, VersionDefinition } from "../apis/definition/resource-definition.js";
import type { TokenRequest } from "../apis/gen/authentication-v1.js";
import type { Binding } from "../apis/gen/core-v1.js";
import type { Eviction } from "../apis/gen/policy-v1.js";
import type { OperationHandler } from "../endpoints/operation.js";
import { accessReview } from "../endpoints/operations/access-reviews.js";
import { bindPod } from "../endpoints/operations/binding.js";
import { type ComponentProbe, componentStatuses } from "../endpoints/operations/component-statuses.js";
import { evictPod } from "../endpoints/operations/eviction.js";
import { createServiceAccountToken } from "../endpoints/operations/service-account-token.js";
import { tokenReview } from "../endpoints/operations/token-review.js";
import type { VirtualResource } from "../endpoints/operations/value-operation.js";
import type { EndpointSettings } from "../endpoints/resource-endpoint.js";
import type { Naming } from "../naming/naming.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";
import type { Options } from "./options/options.js";
import { issueToken, type ServiceAccountTokens } from "./service-account-tokens.js";

export interface OperationsParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly schemas: SchemaRegistry;
  readonly settings: EndpointSettings;
  readonly registry: (group: string, resource: string) => ResourceRegistry;
  readonly admission: AdmissionChain;
  readonly authorizer: Authorizer;
  readonly authenticateToken: TokenAuthenticator;
  readonly serviceAccountTokens: ServiceAccountTokens;
  readonly components: readonly ComponentProbe[];
}

/** The behaviour of what is no plain read or write, by verb or by subresource. */
export function operationsOf(
  parts: OperationsParts,
  definition: ResourceDefinition,
  version: VersionDefinition,
): ReadonlyMap<string, OperationHandler> {
  const { settings, admission, authorizer, authenticateToken } = parts;
  const virtual: VirtualResource = { definition, version, settings, admission };
  const operations = new Map<string, OperationHandler>();
  const review = accessReview(virtual, authorizer);
  if (review !== undefined) operations.set("create", review);
  if (definition.resource === "tokenreviews") {
    operations.set("create", tokenReview(virtual, authenticateToken));
  }
  if (definition.group !== "") return operations;
  switch (definition.resource) {
    case "bindings":
      operations.set("create", binding(parts));
      break;
    case "componentstatuses": {
      const { get, list } = componentStatuses(definition, version, parts.components);
      operations.set("get", get).set("list", list);
      break;
    }
    case "pods":
      operations.set("binding/create", binding(parts));
      operations.set("eviction/create", eviction(parts));
      break;
    case "serviceaccounts":
      addTokens(parts, operations);
      break;
    default:
  }
  return operations;
}

function binding({ registry, schemas, settings, admission }: OperationsParts): OperationHandler {
  const codec = schemas.codec<Binding>("core/v1.Binding");
  return bindPod({ pods: () => registry("", "pods"), codec, settings, admission });
}

function eviction({ registry, schemas, settings, admission }: OperationsParts): OperationHandler {
  return evictPod({
    pods: () => registry("", "pods"),
    budgets: () => registry("policy", "poddisruptionbudgets"),
    codec: schemas.codec<Eviction>("policy/v1.Eviction"),
    settings,
    admission,
  });
}

/** A server that has no key to sign with has no tokens to give. */
function addTokens(parts: OperationsParts, operations: Map<string, OperationHandler>): void {
  const { options, naming, schemas, settings, admission, registry, serviceAccountTokens } = parts;
  const { issuer, apiAudiences } = serviceAccountTokens;
  if (issuer === undefined) return;
  operations.set(
    "token/create",
    createServiceAccountToken({
      settings,
      admission,
      codec: schemas.codec<TokenRequest>("authentication/v1.TokenRequest"),
      group: naming.group("authentication"),
      serviceAccounts: () => registry("", "serviceaccounts"),
      pods: () => registry("", "pods"),
      secrets: () => registry("", "secrets"),
      issue: issueToken(issuer),
      apiAudiences,
      maxExpirationSeconds: Math.floor(options.serviceAccountMaxTokenExpirationMs / 1000),
      extendExpiration: options.serviceAccountExtendTokenExpiration,
    }),
  );
}
