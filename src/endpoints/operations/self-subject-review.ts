import { timestamp } from "../../apimachinery/values/time.js";
import type { SelfSubjectReview } from "../../apis/gen/authentication-v1.js";
import { userOf } from "../../request/request-scope.js";
import type { OperationHandler } from "../resource/operation.js";
import { reviewedUser } from "./reviewed-user.js";
import { type VirtualResource, valueOperation } from "./value-operation.js";

/** Tells who makes the request: the user in effect, after impersonation. */
export function selfSubjectReview(virtual: VirtualResource): OperationHandler {
  return valueOperation<SelfSubjectReview>(virtual, async (review, request) => {
    // Nothing of the body is returned.
    review.metadata = { creationTimestamp: timestamp(request.receivedAt) };
    review.status = { userInfo: reviewedUser(userOf(request)) };
  });
}
