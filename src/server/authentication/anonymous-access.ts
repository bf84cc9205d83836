import type { Options } from "../options/options.js";

export interface AnonymousAccess {
  /** Whether requests to this path need no credentials. */
  allows(path: string): boolean;
  /** A warning for the operator, who may expect anonymous access. */
  readonly warning: string | undefined;
}

const probed = /^\/(?:healthz|livez|readyz)(?:\/|$)/;

/**
 * `--anonymous-auth`. As in Kubernetes, requests without credentials are refused in the mode AlwaysAllow, which would open the server
 * to anyone who can reach it. Health checks stay open, because probes have no credentials and the answers reveal little.
 */
export function anonymousAccess(
  options: Pick<Options, "anonymousAuth" | "authorizationMode">,
): AnonymousAccess {
  if (!options.anonymousAuth) return { allows: () => false, warning: undefined };
  if (!options.authorizationMode.includes("AlwaysAllow")) return { allows: () => true, warning: undefined };
  return {
    allows: (path) => probed.test(path),
    warning:
      "anonymous requests are not allowed with the authorization mode AlwaysAllow, except to the health checks; use another mode",
  };
}
