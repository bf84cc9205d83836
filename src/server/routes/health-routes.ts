import type { RequestContext } from "../../serving/request/request-context.js";
import type { Route } from "../../serving/routing/router.js";
import type { Logger } from "../../telemetry/logger.js";
import type { HealthAnswer, HealthChecks, HealthEndpoint } from "../health/health-checks.js";

const endpoints: readonly HealthEndpoint[] = ["healthz", "livez", "readyz"];
const headers = { "Content-Type": "text/plain; charset=utf-8", "X-Content-Type-Options": "nosniff" };

/** `/healthz`, `/livez`, `/readyz`, and a path for each check. */
export function healthRoutes(checks: HealthChecks, log: Logger): Route[] {
  return endpoints.flatMap((endpoint) => [
    {
      path: `/${endpoint}`,
      listed: true,
      handle: async (context: RequestContext) => {
        const { query } = context;
        const asked = { verbose: query.has("verbose"), exclude: query.getAll("exclude") };
        answer(context, endpoint, await checks.all(endpoint, asked, context.signal), log);
      },
    },
    ...checks.names(endpoint).map((name) => ({
      path: `/${endpoint}/${name}`,
      listed: true,
      handle: async (context: RequestContext) => {
        answer(context, endpoint, await checks.one(endpoint, name, context.signal), log);
      },
    })),
  ]);
}

function answer(context: RequestContext, endpoint: HealthEndpoint, result: HealthAnswer, log: Logger): void {
  for (const { name, reason } of result.failures) {
    log.verbose({ level: 2, file: "server/routes/health-routes" }, "health check failed", {
      endpoint,
      name,
      reason: String(reason),
    });
  }
  context.exchange.respond(result.status, headers, result.body);
}
