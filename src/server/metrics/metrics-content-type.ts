import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";

/** The content type of pages of metrics. Since 1.31 it names the escaping of characters that metric names could not have before. */
export function metricsContentType(level: ApiLevel): string {
  return `text/plain; version=0.0.4; charset=utf-8${isAtLeast(level, "1.31") ? "; escaping=underscores" : ""}`;
}
