import type { Route } from "../../serving/routing/router.js";
import type { MetricsPage } from "../metrics/metrics-page.js";

/** `/metrics`, for Prometheus. */
export function metricsRoutes(page: MetricsPage): Route[] {
  return [
    {
      path: "/metrics",
      listed: true,
      handle: async ({ exchange }) => {
        const { contentType, text } = await page.render();
        exchange.respond(200, { "Content-Type": contentType }, text);
      },
    },
  ];
}
