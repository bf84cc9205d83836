import type { Options } from "../options/options.js";
import { isLoopback } from "../settings/cluster-addresses.js";
import type { AnonymousRule } from "./structured-authentication.js";

export interface AnonymousAccess {
  /** Whether requests to this path need no credentials. */
  allows(path: string): boolean;
  /** Logged for the operator, who may expect anonymous access. */
  readonly notice: { readonly text: string; readonly isWarning: boolean } | undefined;
}

const probed = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/**
 * `--anonymous-auth`. As in Kubernetes, requests without credentials are refused in the mode AlwaysAllow, which would open the server to
 * anyone who can reach it. A `rule` in the file of `--authentication-config` replaces all this. Health checks stay open, because probes
 * have no credentials and the answers reveal little.
 */
export function anonymousAccess(
  options: Pick<Options, "anonymousAuth" | "authorizationMode" | "bindAddress">,
  rule?: AnonymousRule,
): AnonymousAccess {
  if (rule !== undefined) {
    const { enabled, paths } = rule;
    return { allows: (path) => enabled && (paths.size === 0 || paths.has(path)), notice: undefined };
  }
  if (!options.anonymousAuth) return { allows: () => false, notice: undefined };
  if (!options.authorizationMode.includes("AlwaysAllow")) return { allows: () => true, notice: undefined };
  return {
    allows: (path) => probed.test(path),
    notice: {
      text: "anonymous requests are not allowed with the authorization mode AlwaysAllow, except to the health checks; use another mode",
      // A server that is tried out locally needs no warning.
      isWarning: !isLoopback(options.bindAddress),
    },
  };
}
