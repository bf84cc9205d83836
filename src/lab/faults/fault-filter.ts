import {
  codeOfReason,
  StatusError,
  type StatusReason,
  tooManyRequests,
  unauthorized,
} from "../../apimachinery/errors/status.js";
import type { QueryParameters } from "../../request/query-parameters.js";
import type { Filter } from "../../serving/filters/filter.js";
import type { RequestContext } from "../../serving/request/request-context.js";
import type { Revision } from "../../storage/kv.js";
import { systemClock } from "../../time/clock.js";
import { sleep } from "../../time/sleep.js";
import { CutExchange } from "./cut-exchange.js";
import type { FaultEngine } from "./fault-engine.js";
import type { FaultTarget, TimedEffect } from "./fault-rule.js";
import type { FaultStatus } from "./fault-spec.js";
import { faultyWatch } from "./faulty-watch.js";

export interface StaleReads {
  /** A revision that is `by` older than the newest, or the oldest that can still be read. */
  revisionAgo(by: number): Promise<Revision>;
}

/** Applies the rules to requests for resources. Must be the last filter, so that only requests that would be served are hit. */
export function faultFilter(
  engine: FaultEngine,
  { group, stale }: { readonly group: string; readonly stale: StaleReads },
): Filter {
  return (context, next) => {
    const { info } = context;
    // The rules themselves must stay reachable.
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

function targetOf({ info, query, user, userAgent }: RequestContext): FaultTarget {
  const { verb, apiGroup, resource, subresource, namespace, name } = info;
  return {
    user: user?.name ?? "",
    userAgent,
    verb,
    group: apiGroup,
    resource: subresource === "" ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    mayBeOld: mayBeOld(verb, query),
  };
}

/** Whether the request allows an answer that is not the newest. Source: Kubernetes documentation, "Resource versions". */
function mayBeOld(verb: string, query: QueryParameters): boolean {
  const version = query.get("resourceVersion") ?? "";
  if (version === "" || query.get("resourceVersionMatch") === "Exact" || query.get("continue")) return false;
  switch (verb) {
    case "get":
      return true;
    case "list":
      // With a limit, a resourceVersion is exact unless the query says otherwise.
      return version === "0" || query.get("resourceVersionMatch") === "NotOlderThan" || !query.has("limit");
    case "watch":
      return query.has("sendInitialEvents") ? query.get("sendInitialEvents") !== "false" : version === "0";
    default:
      return false;
  }
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
  if (effect.delayMs > 0 && !isWatch) await sleep(systemClock, effect.delayMs, context.exchange.signal);
  if (effect.status !== undefined) throw refusal(name, effect.status);
  if (effect.queueFull === true) throw tooManyRequests("Too many requests, please try again later.", 1);
  if (effect.tokenExpired === true) throw unauthorized();
  if (effect.cut === "Before") context.exchange.abort();
  else if (effect.cut === "AfterCommit") context.exchange = new CutExchange(context.exchange);
  if (isWatch && (effect.watch !== undefined || effect.delayMs > 0)) {
    const { delayMs, watch = {} } = effect;
    context.alterWatch = (start) => faultyWatch(start, { ...watch, delayMs });
  }
  if (effect.staleBy !== undefined) context.olderState = await stale.revisionAgo(effect.staleBy);
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
