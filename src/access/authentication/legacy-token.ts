import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { textOf } from "../../apimachinery/json/json-values.js";
import { type AuthenticationResult, type CredentialNote, rejected } from "./authenticator.js";
import { isSameSecret } from "./same-secret.js";
import { accountUserName, audiencesOf } from "./service-account-claims.js";
import {
  isGone,
  type LookedUpAccount,
  type LookedUpSecret,
  type ServiceAccountTokenSettings,
} from "./service-account-settings.js";
import { accountUser, commonAudiences } from "./service-account-user.js";
import type { VerifiedToken } from "./verified-tokens.js";

/** Verifies a token from a secret, which is valid as long as the secret. */
export async function judgeLegacy(
  settings: ServiceAccountTokenSettings,
  token: string,
  verified: VerifiedToken,
  wanted: readonly string[],
): Promise<AuthenticationResult> {
  const audiences = commonAudiences(settings, audiencesOf(verified.claims.aud), wanted);
  if (audiences.kind === "none") return audiences.result;
  const claims = claimsOf(verified.claims, settings.domain);
  const problem = problemOf(claims);
  if (problem !== undefined) return rejected(problem);
  const { namespace, account } = claims;
  const notes: CredentialNote[] = [
    { key: `${settings.annotationPrefix}/legacy-token`, value: claims.subject },
  ];
  if (settings.lookupLegacy) {
    const found = await lookUp(settings, token, claims);
    if (found.kind === "problem") return rejected(found.problem);
    const tracked = trackUse(settings, claims, found);
    if (tracked !== undefined) notes.push(tracked.note);
    if (tracked?.refusal !== undefined) {
      settings.used("legacy");
      return rejected(tracked.refusal, notes);
    }
  }
  verified.user ??= accountUser(settings, { namespace, account, pod: undefined });
  settings.used("legacy");
  return { kind: "authenticated", user: verified.user, audiences: audiences.common, notes };
}

/** Missing claims are empty strings. */
interface LegacyClaims {
  readonly subject: string;
  readonly namespace: string;
  readonly secretName: string;
  readonly account: { readonly name: string; readonly uid: string };
}

function claimsOf(json: JsonObject, domain: string): LegacyClaims {
  const claim = (name: string): string => textOf(json[`${domain}/serviceaccount/${name}`]);
  return {
    subject: textOf(json.sub),
    namespace: claim("namespace"),
    secretName: claim("secret.name"),
    account: { name: claim("service-account.name"), uid: claim("service-account.uid") },
  };
}

function problemOf({ subject, namespace, secretName, account }: LegacyClaims): string | undefined {
  if (subject === "") return "sub claim is missing";
  if (namespace === "") return "namespace claim is missing";
  if (secretName === "") return "secretName claim is missing";
  if (account.name === "") return "serviceAccountName claim is missing";
  if (account.uid === "") return "serviceAccountUID claim is missing";
  return subject === accountUserName(namespace, account.name) ? undefined : "sub claim is invalid";
}

interface FoundObjects {
  readonly kind: "found";
  readonly secret: LookedUpSecret;
  readonly account: LookedUpAccount;
}

/** The secret that holds the token, and its account. */
async function lookUp(
  { lookup, now }: ServiceAccountTokenSettings,
  token: string,
  { namespace, secretName, account: claimed }: LegacyClaims,
): Promise<FoundObjects | { readonly kind: "problem"; readonly problem: string }> {
  const refused = (problem: string) => ({ kind: "problem", problem }) as const;
  const secret = await lookup.secret(namespace, secretName);
  if (secret === undefined || secret.deletedAt !== undefined) return refused("Token has been invalidated");
  if (secret.token === undefined || !isSameSecret(token, secret.token)) {
    return refused("Token does not match server's copy");
  }
  const account = await lookup.serviceAccount(namespace, claimed.name);
  if (account === undefined || isGone(account, now().getTime())) {
    return refused(`service account ${namespace}/${claimed.name} has been deleted`);
  }
  if (account.uid !== claimed.uid) {
    return refused(`service account UID (${account.uid}) does not match claim (${claimed.uid})`);
  }
  return { kind: "found", secret, account };
}

/** Source: Kubernetes' `pkg/serviceaccount`, KEP-2799. */
function trackUse(
  { tracking, annotationPrefix, now }: ServiceAccountTokenSettings,
  { namespace, secretName: name, account: { name: accountName } }: LegacyClaims,
  { secret, account }: FoundObjects,
): { readonly note: CredentialNote; readonly refusal?: string } | undefined {
  if (tracking === undefined) return undefined;
  const { lastUsedLabel, invalidSinceLabel } = tracking;
  const [today = "", tomorrow] = [0, 1].map((days) =>
    new Date(now().getTime() + days * dayMs).toISOString().slice(0, 10),
  );
  const lastUsed = secret.labels[lastUsedLabel];
  if (lastUsed !== today && lastUsed !== tomorrow)
    tracking.label({ namespace, name, uid: secret.uid }, today);
  const key = (what: string): string => `${annotationPrefix}/legacy-token-${what}`;
  if (invalidSinceLabel !== undefined && (secret.labels[invalidSinceLabel] ?? "") !== "") {
    tracking.used("invalid");
    return {
      note: { key: key("invalidated"), value: `${name}/${namespace}` },
      refusal: `the token in secret ${namespace}/${name} for service account ${namespace}/${accountName} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`,
    };
  }
  const isMade = account.secrets.has(name);
  tracking.used(isMade ? "auto" : "manual");
  return {
    note: isMade
      ? { key: key("autogenerated-secret"), value: name, warning: useOtherTokens }
      : { key: key("manual-secret"), value: name },
  };
}

const dayMs = 86_400_000;
const useOtherTokens =
  "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.";
