import {
  codeOfReason,
  StatusError,
  type StatusReason,
  tooManyRequests,
  unauthorized,
} from "../../apimachinery/errors/status.js";
import type { Filter } from "../../serving/filters/filter.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import { CutExchange } from "./cut-exchange.js";
import { type FaultEngine, waiting } from "./fault-engine.js";
import type { FaultTarget, TimedEffect } from "./fault-rule.js";
import type { FaultStatus } from "./fault-spec.js";
import { faultyWatch } from "./faulty-watch.js";

/** The oldest revision of an answer that is not the newest, and the newest. */
export interface StaleReads {
  /** A revision that is `by` older than the newest, if it can still be read. */
  revisionAgo(by: number): Promise<number | undefined>;
}

/** Does to requests for resources what the rules say. Belongs behind all filters, so that a hit is a request that would be served. */
export function faultFilter(
  engine: FaultEngine,
  { group, stale }: { readonly group: string; readonly stale: StaleReads },
): Filter {
  return (context, next) => {
    const { info } = context;
    // The rules themselves must stay within reach.
    if (engine.isEmpty || !info.isResourceRequest || info.apiGroup === group) return next(context);
    return (async () => {
      for (const { effect, name } of await engine.hitsOf(targetOf(context))) {
        await suffer(context, { effect, name, stale });
        if (context.exchange.signal.aborted) return;
      }
      await next(context);
    })();
  };
}

function targetOf({ info, user, userAgent }: RequestContext): FaultTarget {
  const { verb, apiGroup, resource, subresource, namespace, name } = info;
  return {
    user: user?.name ?? "",
    userAgent,
    verb,
    group: apiGroup,
    resource: subresource === "" ? resource : `${resource}/${subresource}`,
    namespace,
    name,
  };
}

async function suffer(
  context: RequestContext,
  {
    effect,
    name,
    stale,
  }: { readonly effect: TimedEffect; readonly name: string; readonly stale: StaleReads },
): Promise<void> {
  const isWatch = context.info.verb === "watch";
  if (effect.delayMs > 0 && !isWatch) await waiting(effect.delayMs, context.exchange.signal);
  if (effect.status !== undefined) throw refusal(name, effect.status);
  if (effect.queueFull === true) throw tooManyRequests("Too many requests, please try again later.", 1);
  if (effect.tokenExpired === true) throw unauthorized();
  if (effect.cut === "Before") context.exchange.abort();
  else if (effect.cut === "AfterCommit") context.exchange = new CutExchange(context.exchange);
  if (isWatch && (effect.watch !== undefined || effect.delayMs > 0)) {
    const { delayMs, watch = {} } = effect;
    context.alterWatch = (start) => faultyWatch(start, { ...watch, delayMs });
  }
  if (effect.staleBy !== undefined) await readOlder(context, effect.staleBy, stale);
}

const reasonOfCode: Readonly<Record<FaultStatus["code"], StatusReason>> = {
  409: "Conflict",
  410: "Expired",
  429: "TooManyRequests",
  500: "InternalError",
  503: "ServiceUnavailable",
  504: "Timeout",
};

function refusal(name: string, { code, message, retryAfterSeconds }: FaultStatus): StatusError {
  const reason = reasonOfCode[code];
  return new StatusError({
    code: codeOfReason[reason],
    reason,
    message: message ?? `the fault ${JSON.stringify(name)} was injected into this request`,
    ...(retryAfterSeconds !== undefined && { details: { retryAfterSeconds } }),
  });
}

/** What a client that asks for any version may get: the state as it was, all of one revision. */
async function readOlder(context: RequestContext, by: number, stale: StaleReads): Promise<void> {
  const { query, info } = context;
  if (info.verb !== "list" || query.get("resourceVersion") !== "0" || query.has("resourceVersionMatch"))
    return;
  const revision = await stale.revisionAgo(by);
  if (revision === undefined) return;
  const older = new URLSearchParams(context.exchange.query);
  older.set("resourceVersion", String(revision));
  older.set("resourceVersionMatch", "Exact");
  context.query = older;
}
