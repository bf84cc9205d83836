import type { TokenAuthenticator } from "../../access/authentication/token-union.js";
import { badRequest } from "../../apimachinery/errors/status.js";
import type { TokenReview } from "../../apis/gen/authentication-v1.js";
import type { OperationHandler } from "../resource/operation.js";
import { reviewedUser } from "./reviewed-user.js";
import { type VirtualResource, valueOperation } from "./value-operation.js";

/** Identifies the user of a token with the configured authenticators. The token itself is not returned. */
export function tokenReview(virtual: VirtualResource, authenticate: TokenAuthenticator): OperationHandler {
  return valueOperation<TokenReview>(virtual, async (review) => {
    const { token = "", audiences } = review.spec;
    if (token === "") throw badRequest("token is required for TokenReview in authentication");
    const judgement = await authenticate(token, audiences);
    if (judgement.kind === "refused") {
      review.status = { user: {}, ...(judgement.error !== undefined && { error: judgement.error }) };
      return;
    }
    const { user } = judgement;
    review.status = {
      authenticated: true,
      user: reviewedUser(user),
      ...(judgement.audiences.length > 0 && { audiences: [...judgement.audiences] }),
    };
  });
}
