import type { UserInfo } from "../../apimachinery/request-info.js";
import { badRequest } from "../../apimachinery/status.js";
import type { ResourceDefinition, VersionDefinition } from "../../apis/definition/resource-definition.js";
import type { TokenReview } from "../../apis/gen/authentication-v1.js";
import type { OperationHandler } from "../operation.js";
import type { EndpointSettings } from "../resource-endpoint.js";
import { valueOperation } from "./value-operation.js";

/** Whose token it is; undefined when nobody's. */
export type TokenAuthenticator = (token: string) => Promise<UserInfo | undefined>;

/** Says whose token it was given, by the authenticators in force. The token itself is not sent back. */
export function tokenReview(
  definition: ResourceDefinition,
  version: VersionDefinition,
  settings: EndpointSettings,
  authenticate: TokenAuthenticator,
): OperationHandler {
  return valueOperation<TokenReview>(definition, version, settings, async (review) => {
    const token = review.spec.token ?? "";
    if (token === "") throw badRequest("token is required for TokenReview in authentication");
    const user = await authenticate(token);
    if (user === undefined) {
      review.status = { user: {}, error: "invalid bearer token" };
      return;
    }
    const extra = Object.entries(user.extra).map(([key, values]) => [key, [...values]]);
    review.status = {
      authenticated: true,
      user: {
        username: user.name,
        ...(user.uid !== "" && { uid: user.uid }),
        groups: [...user.groups],
        ...(extra.length > 0 && { extra: Object.fromEntries(extra) }),
      },
    };
  });
}
