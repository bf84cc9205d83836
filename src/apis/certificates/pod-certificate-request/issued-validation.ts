import { type KeyObject, X509Certificate } from "node:crypto";
import {
  type FieldError,
  FieldPath,
  invalid,
  required,
  tooLong,
} from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { byteLength } from "../../../apimachinery/validation/messages.js";
import { pemBlocks } from "../../checks/pem-blocks.js";
import type {
  PodCertificateRequestSpec,
  PodCertificateRequestStatus,
} from "../../gen/certificates-v1beta1.js";
import { alternativeNames } from "./alternative-names.js";
import { requestedKey } from "./requested-key.js";
import type { PodCertificateRules } from "./validation.js";

const chainBytesMax = 100 * 1024;
const minuteMs = 60_000;
const lifetimeMinMs = 60 * minuteMs;
const statusPath = FieldPath.of("status");
const chainPath = statusPath.child("certificateChain");
const nanosecondsPerMs = 1_000_000;

/** Issued certificates must be for the requested key, valid from now on, and valid no longer than was asked. */
export function validateIssued(
  status: PodCertificateRequestStatus,
  spec: PodCertificateRequestSpec,
  now: Date,
  { level, server }: PodCertificateRules,
): FieldError[] {
  const { certificateChain: chain = "" } = status;
  if (byteLength(chain) > chainBytesMax) return [tooLong(chainPath, chainBytesMax)];
  const refused = (why: string): FieldError[] => [invalid(chainPath, chain, why)];
  const [first, ...others] = pemBlocks(chain);
  if (first === undefined) return refused("issued certificate chain must contain at least one certificate");
  if (first.type !== "CERTIFICATE") {
    return refused("issued certificate chain must consist entirely of CERTIFICATE PEM blocks");
  }
  const leaf = parseCertificate(first.bytes);
  if (leaf === undefined) return refused("leaf certificate does not parse as valid X.509");
  const nameErrors = isAtLeast(level, "1.35") ? validateNames(leaf.raw) : [];
  const requested = requestedKey(spec);
  if (requested.kind === "problem") return [...nameErrors, requested.error];
  if (!isSameKey(requested.key, leaf)) {
    return [...nameErrors, ...refused("leaf certificate was not issued to the requested public key")];
  }
  const timeErrors = [
    ...nameErrors,
    ...validateTimes(status, leaf, spec.maxExpirationSeconds ?? 0, { now, server }),
  ];
  if (timeErrors.length > nameErrors.length) return timeErrors;
  for (const { type, bytes } of others) {
    if (type !== "CERTIFICATE") {
      return [
        ...nameErrors,
        ...refused("issued certificate chain must consist entirely of CERTFICATE PEM blocks"),
      ];
    }
    if (parseCertificate(bytes) === undefined) {
      return [...nameErrors, ...refused("intermediate certificate does not parse as valid X.509")];
    }
  }
  return nameErrors;
}

function isSameKey(key: KeyObject, certificate: X509Certificate): boolean {
  try {
    return key.equals(certificate.publicKey);
  } catch {
    // A key of a kind that is not known here.
    return false;
  }
}

/** All times that are missing, or else the first thing that is wrong. */
function validateTimes(
  status: PodCertificateRequestStatus,
  leaf: X509Certificate,
  maxSeconds: number,
  { now, server }: { readonly now: Date; readonly server: string },
): FieldError[] {
  const paths = {
    notBefore: statusPath.child("notBefore"),
    notAfter: statusPath.child("notAfter"),
    beginRefreshAt: statusPath.child("beginRefreshAt"),
  };
  const { notBefore, notAfter, beginRefreshAt } = status;
  if (notBefore === undefined || notAfter === undefined || beginRefreshAt === undefined) {
    const consistent = "must be present and consistent with the issued certificate";
    const inRange = "must be present and in the range [notbefore+10min, notafter-10min]";
    return [
      ...(notBefore === undefined ? [required(paths.notBefore, consistent)] : []),
      ...(notAfter === undefined ? [required(paths.notAfter, consistent)] : []),
      ...(beginRefreshAt === undefined ? [required(paths.beginRefreshAt, inRange)] : []),
    ];
  }
  const begins = Date.parse(notBefore);
  const ends = Date.parse(notAfter);
  const refreshes = Date.parse(beginRefreshAt);
  if (begins !== Date.parse(leaf.validFrom)) {
    const why = "must be set to the NotBefore time encoded in the leaf certificate";
    return [invalid(paths.notBefore, notBefore, why)];
  }
  if (Math.abs(begins - now.getTime()) >= 5 * minuteMs) {
    const why = `must be set to within 5 minutes of ${server}'s current time`;
    return [invalid(paths.notBefore, notBefore, why)];
  }
  if (ends !== Date.parse(leaf.validTo)) {
    const why = "must be set to the NotAfter time encoded in the leaf certificate";
    return [invalid(paths.notAfter, notAfter, why)];
  }
  const lifetimeMs = ends - begins;
  const lifetime = lifetimeMs * nanosecondsPerMs;
  if (lifetimeMs < lifetimeMinMs) {
    return [invalid(chainPath, lifetime, "leaf certificate lifetime must be >= 1 hour")];
  }
  if (lifetimeMs > maxSeconds * 1000) {
    const why = `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`;
    return [invalid(chainPath, lifetime, why)];
  }
  if (refreshes < begins + 10 * minuteMs) {
    const why = "must be at least 10 minutes after status.notBefore";
    return [invalid(paths.beginRefreshAt, beginRefreshAt, why)];
  }
  if (refreshes > ends - 10 * minuteMs) {
    const why = "must be at least 10 minutes before status.notAfter";
    return [invalid(paths.beginRefreshAt, beginRefreshAt, why)];
  }
  return [];
}

/** Names that no verifier would match. */
function validateNames(certificate: Uint8Array): FieldError[] {
  const { dns, emails } = alternativeNames(certificate);
  return [
    ...dns.flatMap((name) => [
      ...(name === "" ? [invalid(chainPath, name, "leaf certificate should not contain empty DNSName")] : []),
      ...(name.includes("..")
        ? [invalid(chainPath, name, "leaf certificate's DNSName should not contain '..'")]
        : []),
      ...(name.startsWith(".") || name.endsWith(".")
        ? [invalid(chainPath, name, "leaf certificate's DNSName should not start or end with '.'")]
        : []),
    ]),
    ...emails
      .filter((address) => !mailPattern.test(address))
      .map((address) => {
        return invalid(chainPath, address, "leaf certificate should not contain invalid EmailAddress");
      }),
  ];
}

const mailPattern =
  /^[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*@[^\s"(),.:;<>@[\\\]]+(?:\.[^\s"(),.:;<>@[\\\]]+)*$/;

function parseCertificate(bytes: Uint8Array): X509Certificate | undefined {
  try {
    return new X509Certificate(bytes);
  } catch {
    return undefined;
  }
}
