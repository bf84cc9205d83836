import { asError } from "../../apimachinery/errors/as-error.js";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import {
  type AccessInfo,
  type AccessQuestion,
  type AccessRules,
  type Authorizer,
  type Decision,
  noOpinion,
} from "../../apimachinery/requests/authorizer.js";
import type { SubjectAccessReview, SubjectAccessReviewStatus } from "../../apis/gen/authorization-v1.js";
import { RemoteError } from "../../remote/remote-error.js";
import type { SentReview } from "../../remote/webhook.js";
import type { ConditionsVerdict } from "./configuration/match-conditions.js";
import { selectorAttributes } from "./selector-attributes.js";

export interface WebhookAuthorizerSettings {
  /** Sends a SubjectAccessReview and resolves with the answer. */
  readonly post: (review: SentReview, signal: AbortSignal) => Promise<Pick<SubjectAccessReview, "status">>;
  /** API group of SubjectAccessReview: `authorization.example.io`. */
  readonly group: string;
  readonly version: "v1beta1" | "v1";
  /** How long allowing answers, and all others, are cached. */
  readonly authorizedTtlMs: number;
  readonly unauthorizedTtlMs: number;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onFailure: (error: Error) => void;
  /** The decision when the webhook fails. Default: `noOpinion`. */
  readonly onError?: "noOpinion" | "deny" | undefined;
  /** Whether the webhook is called at all. Default: always. */
  readonly conditions?: ((question: AccessQuestion) => ConditionsVerdict) | undefined;
  readonly observer?: WebhookAuthorizerObserver | undefined;
}

export interface WebhookAuthorizerObserver {
  /** The webhook was called. `failedOpen`: it failed, and other authorizers may allow the request. */
  asked(
    result: "success" | "timeout" | "canceled" | "error",
    milliseconds: number,
    failedOpen: boolean,
  ): void;
  /** The conditions were evaluated. */
  matched(verdict: ConditionsVerdict["kind"], milliseconds: number): void;
}

const entriesMax = 8192;
/** Longer reviews and answers are not cached: clients choose the length of the former, and both could exhaust memory. */
const cachedCharactersMax = 10_000;

/**
 * Mode Webhook: a remote service answers allow, deny or no opinion. When it cannot be reached, the result is no opinion and an error.
 * Source: Kubernetes documentation, "Webhook Mode".
 */
export class WebhookAuthorizer implements Authorizer {
  readonly #settings: WebhookAuthorizerSettings;
  /** By the question, oldest first. */
  readonly #cache = new Map<string, { readonly decision: Decision; readonly until: number }>();

  constructor(settings: WebhookAuthorizerSettings) {
    this.#settings = settings;
  }

  authorize(question: AccessQuestion): Decision | Promise<Decision> {
    const excluded = this.#excluded(question);
    if (excluded !== undefined) return excluded;
    const spec = specOf(question, this.#settings.version);
    const key = JSON.stringify(spec);
    const known = this.#cache.get(key);
    if (known !== undefined) {
      if (this.#settings.now() < known.until) return known.decision;
      this.#cache.delete(key);
    }
    return this.#ask(spec, key, question.signal);
  }

  rulesFor(): AccessRules {
    return unlisted;
  }

  /** The decision if the match conditions do not hold; undefined if the webhook must be called. */
  #excluded(question: AccessQuestion): Decision | undefined {
    const { conditions, observer } = this.#settings;
    if (conditions === undefined) return undefined;
    const startedAt = performance.now();
    const verdict = conditions(question);
    observer?.matched(verdict.kind, performance.now() - startedAt);
    if (verdict.kind === "met") return undefined;
    return verdict.kind === "failed" ? this.#failed(verdict.error) : noOpinion;
  }

  async #ask(spec: JsonObject, key: string, signal: AbortSignal): Promise<Decision> {
    const { group, version, post, onError, observer } = this.#settings;
    const startedAt = performance.now();
    const failsOpen = onError !== "deny";
    const observe = (result: "success" | "timeout" | "canceled" | "error"): void =>
      observer?.asked(result, performance.now() - startedAt, result !== "success" && failsOpen);
    try {
      const review = await post(
        {
          kind: "SubjectAccessReview",
          apiVersion: `${group}/${version}`,
          metadata: { creationTimestamp: null },
          spec,
          status: { allowed: false },
        },
        signal,
      );
      observe("success");
      const decision = decisionOf(review.status);
      if (key.length + decision.reason.length <= cachedCharactersMax) this.#keep(key, decision);
      return decision;
    } catch (reason) {
      const error = asError(reason);
      observe(signal.aborted ? "canceled" : isTimeout(error) ? "timeout" : "error");
      return this.#failed(error);
    }
  }

  #keep(key: string, decision: Decision): void {
    const { authorizedTtlMs, unauthorizedTtlMs, now } = this.#settings;
    const ttl = decision.kind === "allow" ? authorizedTtlMs : unauthorizedTtlMs;
    if (ttl <= 0 || decision.error !== undefined) return;
    const [oldest] = this.#cache.keys();
    if (this.#cache.size >= entriesMax && oldest !== undefined) this.#cache.delete(oldest);
    this.#cache.set(key, { decision, until: now() + ttl });
  }

  #failed(error: Error): Decision {
    this.#settings.onFailure(error);
    return { kind: this.#settings.onError ?? "noOpinion", reason: "", error };
  }
}

const unlisted: AccessRules = {
  resourceRules: [],
  nonResourceRules: [],
  incomplete: true,
  error: "webhook authorizer does not support user rule resolution",
};

function isTimeout(error: Error): boolean {
  return error instanceof RemoteError && error.failure === "timeout";
}

function specOf({ user, info }: AccessQuestion, version: WebhookAuthorizerSettings["version"]): JsonObject {
  const { name, uid, groups, extra } = user;
  return {
    ...(info.isResourceRequest
      ? { resourceAttributes: resourceAttributes(info) }
      : { nonResourceAttributes: { path: info.path, verb: info.verb } }),
    user: name,
    // v1beta1 has another name for this field.
    ...(groups.length > 0 && { [version === "v1" ? "groups" : "group"]: [...groups] }),
    ...(Object.keys(extra).length > 0 && { extra: extra as JsonObject }), // its lists are of texts
    ...(uid !== "" && { uid }),
  };
}

function resourceAttributes(info: AccessInfo): JsonObject {
  const { namespace, verb, apiGroup, apiVersion, resource, subresource, name } = info;
  const given = { namespace, verb, group: apiGroup, version: apiVersion, resource, subresource, name };
  return {
    ...Object.fromEntries(Object.entries(given).filter(([, text]) => text !== "")),
    ...selectorAttributes(info),
  };
}

function decisionOf({ allowed, denied = false, reason = "" }: SubjectAccessReviewStatus): Decision {
  if (allowed && denied) {
    const error = new Error("webhook subject access review returned both allow and deny response");
    return { kind: "deny", reason, error };
  }
  if (denied) return { kind: "deny", reason };
  return { kind: allowed ? "allow" : "noOpinion", reason };
}
