import type { Credentials } from "../access/authentication/authenticator.js";
import type { Authorizer } from "../access/authorization/authorizer.js";
import type { UserInfo } from "../apimachinery/request-info.js";
import type { Codec } from "../apimachinery/schema/codec.js";
import type { ResourceDefinition, VersionDefinition } from "../apis/definition/resource-definition.js";
import type { Binding } from "../apis/gen/core-v1.js";
import type { Eviction } from "../apis/gen/policy-v1.js";
import type { OperationHandler } from "../endpoints/operation.js";
import { accessReview } from "../endpoints/operations/access-reviews.js";
import { bindPod } from "../endpoints/operations/binding.js";
import { evictPod } from "../endpoints/operations/eviction.js";
import { tokenReview } from "../endpoints/operations/token-review.js";
import type { EndpointSettings } from "../endpoints/resource-endpoint.js";
import type { ResourceRegistry } from "../registry/generic/resource-registry.js";

export interface OperationsParts {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly settings: EndpointSettings;
  readonly pods: () => ResourceRegistry;
  readonly budgets: () => ResourceRegistry;
  readonly bindingCodec: () => Codec<Binding>;
  readonly evictionCodec: () => Codec<Eviction>;
  readonly authorizer: Authorizer;
  readonly authenticate: (credentials: Credentials) => Promise<UserInfo | undefined> | UserInfo | undefined;
}

/** The behaviour of what is no plain read or write, by verb or by subresource. */
export function operationsOf(parts: OperationsParts): ReadonlyMap<string, OperationHandler> {
  const operations = new Map<string, OperationHandler>();
  const { definition, version, settings, authorizer, authenticate } = parts;
  const review = accessReview(definition, version, settings, authorizer);
  if (review !== undefined) operations.set("create", review);
  if (definition.resource === "tokenreviews") {
    const ofToken = async (token: string) =>
      await authenticate({ authorization: `Bearer ${token}`, clientCertificate: undefined });
    operations.set("create", tokenReview(definition, version, settings, ofToken));
  }
  const { pods, budgets, bindingCodec, evictionCodec } = parts;
  const binding = (): OperationHandler => bindPod({ pods, codec: bindingCodec(), settings });
  if (definition.group === "" && definition.resource === "bindings") operations.set("create", binding());
  if (definition.group === "" && definition.resource === "pods") {
    operations.set("binding/create", binding());
    operations.set("eviction/create", evictPod({ pods, budgets, codec: evictionCodec(), settings }));
  }
  return operations;
}
