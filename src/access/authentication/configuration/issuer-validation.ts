import {
  duplicate,
  type FieldError,
  type FieldPath,
  invalid,
  required,
} from "../../../apimachinery/errors/field-error.js";
import type { FeatureGateName } from "../../../apimachinery/levels/feature-gates/feature-gates.js";
import { urlProblem } from "../../../apimachinery/validation/urls.js";
import { parseCertificates } from "../certificates/client-authorities.js";
import type { JwtAuthenticator } from "./authentication-configuration.js";

export interface IssuerContext {
  isEnabled(gate: FeatureGateName): boolean;
  /** Issuers whose tokens another mechanism verifies: those of service accounts. */
  readonly disallowedIssuers: readonly string[];
}

const egressGate = "StructuredAuthenticationConfigurationEgressSelector";

/** What is wrong with the issuer of an authenticator. */
export function issuerErrors(
  issuer: NonNullable<JwtAuthenticator["issuer"]>,
  path: FieldPath,
  context: IssuerContext,
): FieldError[] {
  const errors: FieldError[] = [];
  const {
    url = "",
    discoveryURL = "",
    audiences = [],
    audienceMatchPolicy = "",
    certificateAuthority = "",
    egressSelectorType = "",
  } = issuer;
  if (url === "") errors.push(required(path.child("url"), ""));
  else errors.push(...urlErrors(path.child("url"), url, context.disallowedIssuers));
  if (discoveryURL !== "") {
    const at = path.child("discoveryURL");
    if (url !== "" && trimmed(url) === trimmed(discoveryURL)) {
      errors.push(invalid(at, discoveryURL, "discoveryURL must be different from URL"));
    }
    errors.push(...urlErrors(at, discoveryURL, []));
  }
  errors.push(...audienceErrors(path, audiences, audienceMatchPolicy));
  if (certificateAuthority !== "") {
    try {
      parseCertificates(certificateAuthority, "certificateAuthority");
    } catch {
      const why = "data does not contain any valid RSA or ECDSA certificates";
      errors.push(invalid(path.child("certificateAuthority"), "<omitted>", why));
    }
  }
  if (egressSelectorType === "") return errors;
  const at = path.child("egressSelectorType");
  if (!context.isEnabled(egressGate)) {
    const why = `egress selector is not supported when ${egressGate} feature gate is disabled`;
    errors.push(invalid(at, egressSelectorType, why));
  }
  if (egressSelectorType !== "controlplane" && egressSelectorType !== "cluster") {
    errors.push(invalid(at, egressSelectorType, "egress selector must be either controlplane or cluster"));
  }
  return errors;
}

function urlErrors(path: FieldPath, text: string, disallowed: readonly string[]): FieldError[] {
  const errors: FieldError[] = [];
  if (disallowed.includes(text)) {
    const why = `URL must not overlap with disallowed issuers: [${disallowed.toSorted().join(" ")}]`;
    errors.push(invalid(path, text, why));
  }
  const add = (why: string) => errors.push(invalid(path, text, why));
  const problem = urlProblem(text);
  if (problem !== undefined) {
    add(`parse ${JSON.stringify(text)}: ${problem}`);
    return errors;
  }
  const isSecure = /^https:/i.test(text);
  if (!isSecure) add("URL scheme must be https");
  if (!URL.canParse(text)) {
    // Without a scheme, it is a relative address to Kubernetes.
    if (isSecure) add("URL must have a valid host and port");
    return errors;
  }
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") add("URL must not contain a username or password");
  if (url.search !== "") add("URL must not contain a query");
  if (url.hash !== "") add("URL must not contain a fragment");
  return errors;
}

function audienceErrors(issuer: FieldPath, audiences: readonly string[], policy: string): FieldError[] {
  const path = issuer.child("audiences");
  if (audiences.length === 0) {
    return [required(path, `at least one ${path} is required`)];
  }
  const errors: FieldError[] = [];
  for (const [index, audience] of audiences.entries()) {
    if (audience === "") errors.push(required(path.index(index), ""));
    if (audiences.indexOf(audience) < index) errors.push(duplicate(path.index(index), audience));
  }
  const at = issuer.child("audienceMatchPolicy");
  if (audiences.length > 1 && policy !== "MatchAny") {
    errors.push(invalid(at, policy, "audienceMatchPolicy must be MatchAny for multiple audiences"));
  }
  if (audiences.length === 1 && policy !== "" && policy !== "MatchAny") {
    const why = "audienceMatchPolicy must be empty or MatchAny for single audience";
    errors.push(invalid(at, policy, why));
  }
  return errors;
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, "");
}
