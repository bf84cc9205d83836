import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { LossReport } from "../../audit/audit-backend.js";
import type { AuditMetrics } from "../../audit/audit-metrics.js";
import type { Logger } from "../../telemetry/logger.js";

/** An unreachable backend would otherwise fill the log: at most one line per plugin in this many milliseconds. */
const silenceMs = 10_000;

/** Counts and logs lost audit events. */
export function lossLog(log: Logger, metrics: AuditMetrics, now: () => number): LossReport {
  const plugins = new Map<string, { saidAt: number; unsaid: number }>();
  return (plugin, error, eventCount) => {
    metrics.lost(plugin, eventCount);
    const known = plugins.get(plugin);
    if (known !== undefined && now() - known.saidAt < silenceMs) {
      known.unsaid += eventCount;
      return;
    }
    const events = eventCount + (known?.unsaid ?? 0);
    plugins.set(plugin, { saidAt: now(), unsaid: 0 });
    // Only the message: the stack of a full disk's error is useless.
    const reason = messageOf(error);
    log.warn("audit events were lost", { plugin, events, reason });
  };
}
