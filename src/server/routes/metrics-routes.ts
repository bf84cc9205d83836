import { sendPieces } from "../../serving/responses/send-pieces.js";
import type { Route } from "../../serving/routing/router.js";
import type { MetricsPage } from "../metrics/metrics-page.js";

/** `/metrics`, for Prometheus. */
export function metricsRoutes(page: MetricsPage): Route[] {
  return [
    {
      path: "/metrics",
      listed: true,
      handle: async ({ exchange, signal }) => {
        const { contentType, pieces } = await page.render();
        // Hundreds of lines differ in a few characters: 4 MB become 0.2, and scrapers accept that.
        const headers = { "Content-Type": contentType };
        await sendPieces(exchange, { status: 200, headers, pieces, compress: true, signal });
      },
    },
  ];
}
