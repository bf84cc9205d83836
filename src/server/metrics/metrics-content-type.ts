import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";

/** Of pages of metrics. Since 1.31 it tells what stands for characters that names of metrics could not have once. */
export function metricsContentType(level: ApiLevel): string {
  return `text/plain; version=0.0.4; charset=utf-8${isAtLeast(level, "1.31") ? "; escaping=underscores" : ""}`;
}
