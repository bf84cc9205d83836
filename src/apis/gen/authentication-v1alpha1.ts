// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { UserInfo as AuthenticationV1UserInfo } from "./authentication-v1.js";
import type { ObjectMeta } from "./meta-v1.js";

export interface SelfSubjectReview {
  metadata: ObjectMeta;
  status: SelfSubjectReviewStatus;
}

export interface SelfSubjectReviewStatus {
  userInfo: AuthenticationV1UserInfo;
}
