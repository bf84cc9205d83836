import { authenticated, noCredentials, type TokenMechanism } from "./authenticator.js";
import { isSameSecret } from "./same-secret.js";

/** A secret as stored, unverified. */
export interface BootstrapSecret {
  readonly type: string;
  readonly isBeingDeleted: boolean;
  readonly data: ReadonlyMap<string, string>;
}

export interface BootstrapTokenSettings {
  /** Type of the secrets that hold such tokens. */
  readonly secretType: string;
  /** Finds a secret of the system namespace; undefined when it does not exist. */
  readonly secret: (name: string) => Promise<BootstrapSecret | undefined>;
  readonly now: () => Date;
  /** Called with the reason why a well-formed token was refused; never with its secret half. */
  readonly report: (secretName: string, problem: string) => void;
}

const tokenPattern = /^([a-z0-9]{6})\.([a-z0-9]{16})$/;
const groupPattern = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;
const defaultGroup = "system:bootstrappers";

/**
 * `--enable-bootstrap-token-auth`: tokens of the form `id.secret`, kept in secrets `bootstrap-token-ID` of the system namespace, with
 * which nodes join. Source: Kubernetes documentation, "Authenticating with Bootstrap Tokens".
 */
export function createBootstrapTokenMechanism(settings: BootstrapTokenSettings): TokenMechanism {
  return {
    async authenticate(token) {
      const [, id = "", secretHalf = ""] = tokenPattern.exec(token) ?? [];
      if (id === "") return noCredentials;
      const name = `bootstrap-token-${id}`;
      const secret = await settings.secret(name);
      const problem =
        secret === undefined ? "does not exist" : problemOf(secret, { id, secretHalf }, settings);
      const groups = groupsOf(secret?.data.get("auth-extra-groups") ?? "");
      if (problem !== undefined || groups === undefined) {
        settings.report(name, problem ?? "has invalid value for key auth-extra-groups");
        return noCredentials;
      }
      return authenticated({ name: `system:bootstrap:${id}`, uid: "", groups, extra: {} });
    },
  };
}

function problemOf(
  { type, isBeingDeleted, data }: BootstrapSecret,
  token: { readonly id: string; readonly secretHalf: string },
  { secretType, now }: BootstrapTokenSettings,
): string | undefined {
  if (isBeingDeleted) return "is deleted and awaiting removal";
  if (type !== secretType) return `has invalid type, expected ${secretType}`;
  if (!isSameSecret(token.secretHalf, data.get("token-secret") ?? "")) {
    return "has invalid value for key token-secret";
  }
  if (data.get("token-id") !== token.id) return "has invalid value for key token-id";
  if (isExpired(data.get("expiration") ?? "", now())) return "has expired";
  if (data.get("usage-bootstrap-authentication") !== "true") {
    return "not marked usage-bootstrap-authentication";
  }
  return undefined;
}

/** A malformed expiration counts as expired, because its owner wanted the token to expire. */
function isExpired(expiration: string, now: Date): boolean {
  if (expiration === "") return false;
  const time = rfc3339.test(expiration) ? Date.parse(expiration) : Number.NaN;
  return !(now.getTime() < time);
}

const rfc3339 = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Undefined if one of them is not a bootstrappers' group. */
function groupsOf(extra: string): string[] | undefined {
  const groups = new Set([defaultGroup]);
  if (extra === "") return [...groups];
  for (const group of extra.split(",")) {
    if (!groupPattern.test(group)) return undefined;
    groups.add(group);
  }
  return [...groups].sort();
}
