// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { UserInfo as AuthenticationV1UserInfo } from "./authentication-v1.js";
import type { ObjectMeta } from "./meta-v1.js";

export interface TokenReview {
  metadata: ObjectMeta;
  spec: TokenReviewSpec;
  status: TokenReviewStatus;
}

export interface TokenReviewSpec {
  token?: string | undefined;
  audiences?: string[] | undefined;
}

export interface TokenReviewStatus {
  authenticated?: boolean | undefined;
  user: UserInfo;
  audiences?: string[] | undefined;
  error?: string | undefined;
}

export interface UserInfo {
  username?: string | undefined;
  uid?: string | undefined;
  groups?: string[] | undefined;
  extra?: { [key: string]: string[] } | undefined;
}

export interface SelfSubjectReview {
  metadata: ObjectMeta;
  status: SelfSubjectReviewStatus;
}

export interface SelfSubjectReviewStatus {
  userInfo: AuthenticationV1UserInfo;
}
