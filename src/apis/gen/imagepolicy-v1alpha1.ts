// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { ObjectMeta } from "./meta-v1.js";

export interface ImageReview {
  metadata: ObjectMeta;
  spec: ImageReviewSpec;
  status: ImageReviewStatus;
}

export interface ImageReviewSpec {
  containers?: ImageReviewContainerSpec[] | undefined;
  annotations?: { [key: string]: string } | undefined;
  namespace?: string | undefined;
}

export interface ImageReviewContainerSpec {
  image?: string | undefined;
}

export interface ImageReviewStatus {
  allowed: boolean;
  reason?: string | undefined;
  auditAnnotations?: { [key: string]: string } | undefined;
}
