// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { Condition, ListMeta, ObjectMeta } from "./meta-v1.js";

export interface ClusterTrustBundle {
  metadata: ObjectMeta;
  spec: ClusterTrustBundleSpec;
}

export interface ClusterTrustBundleList {
  metadata: ListMeta;
  items?: ClusterTrustBundle[] | undefined;
}

export interface ClusterTrustBundleSpec {
  signerName?: string | undefined;
  trustBundle: string;
}

export interface PodCertificateRequest {
  metadata: ObjectMeta;
  spec: PodCertificateRequestSpec;
  status: PodCertificateRequestStatus;
}

export interface PodCertificateRequestList {
  metadata: ListMeta;
  items?: PodCertificateRequest[] | undefined;
}

export interface PodCertificateRequestSpec {
  signerName: string;
  podName: string;
  podUID: string;
  serviceAccountName: string;
  serviceAccountUID: string;
  nodeName: string;
  nodeUID: string;
  maxExpirationSeconds?: number | undefined;
  pkixPublicKey?: string | undefined;
  proofOfPossession?: string | undefined;
  stubPKCS10Request?: string | undefined;
  unverifiedUserAnnotations?: { [key: string]: string } | undefined;
}

export interface PodCertificateRequestStatus {
  conditions?: Condition[] | undefined;
  certificateChain?: string | undefined;
  notBefore?: string | undefined;
  beginRefreshAt?: string | undefined;
  notAfter?: string | undefined;
}
