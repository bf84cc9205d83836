import type { Metrics } from "../../telemetry/metrics.js";
import { Authentication } from "../authentication/authentication.js";
import { AuthenticationMetrics } from "../authentication/authentication-metrics.js";
import { createAuthorization } from "../authorization/authorization.js";
import { AuthorizationMetrics } from "../authorization/authorization-metrics.js";
import { loadAuthorizers } from "../authorization/load-authorizers.js";
import { StructuredAuthorization } from "../authorization/structured-authorization.js";
import type { EgressSelection } from "../connections/egress-selection.js";
import type { AccessInputs, EndpointAccess } from "../endpoints/compose-endpoints.js";
import type { Closing } from "../lifecycle/closing.js";
import { nodeGraphMetrics } from "../metrics/node-graph-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { ServerPki } from "../pki/server-pki.js";
import type { ApiServerParts } from "../settings/api-server-parts.js";
import { reloadObserver } from "../settings/reload-metrics.js";
import type { ServerIdentity } from "../settings/server-identity.js";

export interface ServerAccessParts {
  readonly parts: ApiServerParts;
  /** Everything that is opened registers here. */
  readonly closing: Closing;
  readonly gates: FeatureGates;
  readonly metrics: Metrics;
  readonly pki: ServerPki;
  readonly egress: EgressSelection;
  readonly identity: ServerIdentity;
}

export interface ServerAccess extends EndpointAccess {
  readonly authentication: Authentication;
}

/**
 * Sets up authentication and authorization as the options say. Rejects with an `Error` that names the option whose file cannot be used.
 */
export async function serverAccess(
  { parts, closing, gates, metrics, pki, egress, identity }: ServerAccessParts,
  { builtin, informers, serviceAccountTokens, serves }: AccessInputs,
): Promise<ServerAccess> {
  const { options, naming, log, clock } = parts;
  const reloaded = (what: "authentication" | "authorization") =>
    reloadObserver(metrics, `${what}_config_controller`, {
      what,
      identity: identity.name,
      level: options.apiLevel,
    });
  const authentication = await closing.opened(
    Authentication.load({
      options,
      naming,
      gates,
      log,
      clock,
      pki,
      serviceAccountTokens,
      given: parts.given,
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
