import { sendPieces } from "../../serving/responses/send-pieces.js";
import type { Route } from "../../serving/routing/router.js";
import type { HealthMetrics } from "../metrics/health-metrics.js";
import type { MetricsPage } from "../metrics/metrics-page.js";

/** `/metrics/slis`: few metrics, which are scraped more often than the rest. */
export function healthMetricsRoutes(metrics: HealthMetrics, contentType: string): Route[] {
  return [
    {
      path: "/metrics/slis",
      listed: true,
      handle: async ({ exchange }) => {
        exchange.respond(200, { "Content-Type": contentType }, await metrics.page());
      },
    },
  ];
}

/** `/metrics`, for Prometheus. */
export function metricsRoutes(page: MetricsPage, contentType: string): Route[] {
  return [
    {
      path: "/metrics",
      listed: true,
      handle: async ({ exchange, signal }) => {
        const pieces = await page.render();
        // Lines differ in a few characters, so gzip makes 0.2 MB of 4; scrapers accept it.
        const headers = { "Content-Type": contentType };
        await sendPieces(exchange, { status: 200, headers, pieces, compress: true, signal });
      },
    },
  ];
}
