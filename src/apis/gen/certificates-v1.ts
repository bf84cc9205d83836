// Generated from the type declarations by scripts/generate-types.ts. Do not edit.
import type { OpenEnum } from "../../apimachinery/schema/open-enum.js";
import type { ListMeta, ObjectMeta } from "./meta-v1.js";

export interface CertificateSigningRequest {
  metadata: ObjectMeta;
  spec: CertificateSigningRequestSpec;
  status: CertificateSigningRequestStatus;
}

export interface CertificateSigningRequestSpec {
  request?: string | undefined;
  signerName: string;
  expirationSeconds?: number | undefined;
  usages?: OpenEnum<"signing" | "digital signature" | "content commitment" | "key encipherment" | "key agreement" | "data encipherment" | "cert sign" | "crl sign" | "encipher only" | "decipher only" | "any" | "server auth" | "client auth" | "code signing" | "email protection" | "s/mime" | "ipsec end system" | "ipsec tunnel" | "ipsec user" | "timestamping" | "ocsp signing" | "microsoft sgc" | "netscape sgc">[] | undefined;
  username?: string | undefined;
  uid?: string | undefined;
  groups?: string[] | undefined;
  extra?: { [key: string]: string[] } | undefined;
}

export interface CertificateSigningRequestStatus {
  conditions?: CertificateSigningRequestCondition[] | undefined;
  certificate?: string | undefined;
}

export interface CertificateSigningRequestCondition {
  type: string;
  status: string;
  reason?: string | undefined;
  message?: string | undefined;
  lastUpdateTime?: string | undefined;
  lastTransitionTime?: string | undefined;
}

export interface CertificateSigningRequestList {
  metadata: ListMeta;
  items?: CertificateSigningRequest[] | undefined;
}
