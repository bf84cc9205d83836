import { Authentication } from "../authentication/authentication.js";
import { AuthenticationMetrics } from "../authentication/authentication-metrics.js";
import { createAuthorization } from "../authorization/authorization.js";
import { AuthorizationMetrics } from "../authorization/authorization-metrics.js";
import { loadAuthorizers } from "../authorization/load-authorizers.js";
import { StructuredAuthorization } from "../authorization/structured-authorization.js";
import type { AccessInputs, EndpointAccess } from "../endpoints/compose-endpoints.js";
import type { Foundation } from "../foundation/foundation.js";
import { nodeGraphMetrics } from "../metrics/node-graph-metrics.js";
import { reloadObserver } from "../settings/reload-metrics.js";

export interface ServerAccess extends EndpointAccess {
  readonly authentication: Authentication;
}

/**
 * Sets up authentication and authorization as the options say. Rejects with an `Error` that names the option whose file cannot be used.
 */
export async function serverAccess(
  foundation: Foundation,
  { builtin, informers, serviceAccountTokens, serves }: AccessInputs,
): Promise<ServerAccess> {
  const { options, naming, log, closing, gates, metrics, egress, identity } = foundation;
  const reloaded = (what: "authentication" | "authorization") =>
    reloadObserver(metrics, `${what}_config_controller`, {
      what,
      identity: identity.name,
      level: options.apiLevel,
    });
  const authentication = await closing.opened(
    Authentication.load({
      ...foundation,
      serviceAccountTokens,
      dial: egress.controlplane,
      clusterDial: egress.cluster,
      metrics: new AuthenticationMetrics(metrics, identity.name),
      reloaded: reloaded("authentication"),
    }),
    (opened) => opened.close(),
  );
  const loaded = await closing.opened(
    loadAuthorizers({ options, naming, log, dial: egress.controlplane }),
    (opened) => opened.close(),
  );
  const authorizationMetrics = new AuthorizationMetrics(metrics);
  const structured = await closing.opened(
    StructuredAuthorization.load({
      options,
      naming,
      log,
      dial: egress.controlplane,
      metrics: authorizationMetrics,
      reloaded: reloaded("authorization"),
    }),
    (opened) => opened?.close(),
  );
  const authenticateToken = authentication.tokens(builtin);
  const { authorizer, escalation } = createAuthorization({
    modes: options.authorizationMode,
    loaded,
    structured,
    metrics: authorizationMetrics,
    gates,
    naming,
    informers,
    builtin,
    observeGraph: nodeGraphMetrics(metrics),
    serves,
  });
  return { authentication, authenticateToken, authorizer, escalation };
}
