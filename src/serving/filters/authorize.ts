import type { StatusError } from "../../apimachinery/errors/status.js";
import { accessRefusal } from "../../apimachinery/requests/access-refusal.js";
import { type AccessSelectors, accessSelectors } from "../../apimachinery/requests/access-selectors.js";
import type {
  AccessInfo,
  AccessQuestion,
  Authorizer,
  Decision,
} from "../../apimachinery/requests/authorizer.js";
import {
  fieldRequirementsOf,
  labelRequirementsOf,
} from "../../apimachinery/selectors/access-requirements.js";
import type { AuditTrail } from "../../request/audit-trail.js";
import { authenticated, userOf } from "../../request/request-scope.js";
import type { RequestContext } from "../request/request-context.js";
import type { Filter, Handled, Handler } from "./filter.js";

export type Authorize = Authorizer["authorize"];

export interface AuthorizeOptions {
  /** Keys of the audit annotations for the decision. */
  readonly annotations: { readonly decision: string; readonly reason: string };
  /** Whether authorizers see the selectors of requests. */
  readonly tellsSelectors: boolean;
}

/** Answers 403 unless the authorizers in force allow the request. */
export function authorize(authorizer: Authorize, { annotations, tellsSelectors }: AuthorizeOptions): Filter {
  const annotate = annotator(annotations);
  const proceed = (context: RequestContext, next: Handler, decision: Decision): Handled => {
    if (context.audit !== undefined) annotate(context.audit, decision);
    return decision.kind === "allow"
      ? next(context)
      : Promise.reject(refuse(context, context.info, decision));
  };
  return (context, next) => {
    const selectors = tellsSelectors ? selectorsOf(context) : undefined;
    const decided = authorizer(
      selectors === undefined ? authenticated(context) : narrowedQuestion(context, selectors),
    );
    return decided instanceof Promise
      ? decided.then((decision) => proceed(context, next, decision))
      : proceed(context, next, decided);
  };
}

const verbsWithSelectors: ReadonlySet<string> = new Set(["list", "watch", "deletecollection"]);

/**
 * The selectors of a list, watch or deletecollection. Requests with their verb in the path do not honour selectors everywhere, and are
 * authorized without them.
 */
export function selectorsOf({ query, info }: RequestContext): AccessSelectors | undefined {
  if (!verbsWithSelectors.has(info.verb)) return undefined;
  const fields = query.get("fieldSelector") ?? "";
  const labels = query.get("labelSelector") ?? "";
  if (fields === "" && labels === "") return undefined;
  if (/^\/+(api|apis\/[^/]+)\/[^/]+\/watch\//.test(info.path)) return undefined;
  return accessSelectors(fieldRequirementsOf(fields).requirements, labelRequirementsOf(labels).requirements);
}

function narrowedQuestion(context: RequestContext, selectors: AccessSelectors): AccessQuestion {
  return {
    user: userOf(context),
    info: { ...context.info, selectors },
    get signal() {
      return context.signal;
    },
  };
}

/** Throws 403 unless the request's user is also allowed another action. */
export async function authorizeAs(
  authorizer: Authorize,
  context: RequestContext,
  info: AccessInfo,
): Promise<void> {
  const decision = await authorizer({ user: userOf(context), info, signal: context.signal });
  if (decision.kind !== "allow") throw refuse(context, info, decision);
}

/** Keeps the annotations of the last decision, which many requests share. Source: Kubernetes documentation, "Audit Annotations". */
function annotator(keys: {
  readonly decision: string;
  readonly reason: string;
}): (audit: AuditTrail, decision: Decision) => void {
  let lastKind: Decision["kind"] | undefined;
  let lastReason = "";
  let last: ReadonlyMap<string, string> = new Map();
  return (audit, { kind, reason, error }) => {
    if (error !== undefined && kind !== "allow") {
      audit.annotate(keys.reason, "internal error");
      return;
    }
    if (kind !== lastKind || reason !== lastReason) {
      lastKind = kind;
      lastReason = reason;
      last = new Map([
        [keys.decision, kind === "allow" ? "allow" : "forbid"],
        [keys.reason, reason],
      ]);
    }
    audit.annotateAll(last);
  };
}

function refuse(context: RequestContext, info: AccessInfo, decision: Decision): StatusError {
  // The answer repeats the client's input: no browser may interpret it as a page.
  if (decision.error === undefined) context.exchange.addResponseHeader("X-Content-Type-Options", "nosniff");
  return accessRefusal(userOf(context), info, decision);
}
