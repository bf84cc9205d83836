import type { Credentials } from "../access/authentication/authenticator.js";
import type { Authorizer } from "../access/authorization/authorizer.js";
import type { UserInfo } from "../apimachinery/request-info.js";
import type { ResourceDefinition, VersionDefinition } from "../apis/definition/resource-definition.js";
import type { OperationHandler } from "../endpoints/operation.js";
import { accessReview } from "../endpoints/operations/access-reviews.js";
import { tokenReview } from "../endpoints/operations/token-review.js";
import type { EndpointSettings } from "../endpoints/resource-endpoint.js";

export interface OperationsParts {
  readonly definition: ResourceDefinition;
  readonly version: VersionDefinition;
  readonly settings: EndpointSettings;
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
  return operations;
}
