import { aggregateText } from "../../apimachinery/errors/aggregate-text.js";
import { StatusError, tooManyRequests } from "../../apimachinery/errors/status.js";
import type { Event } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { ConfigurationReader } from "../configuration/configuration-reader.js";
import type { PluginContext } from "./plugin-context.js";

const types = ["Server", "Namespace", "User", "SourceAndObject"] as const;
type LimitType = (typeof types)[number];

interface Limit {
  readonly type: LimitType;
  readonly qps: number;
  readonly burst: number;
  readonly cacheSize: number;
}

const cacheSizeDefault = 4096;

/** Limits the rate of events: in total, and per namespace, user, or source and object. */
export function eventRateLimit(
  { naming, now }: Pick<PluginContext, "naming" | "now">,
  configuration: unknown,
): AdmissionPlugin {
  const limits = readLimits(configuration, `eventratelimit.admission.${naming.groupDomain}`);
  const enforcers = limits.map((limit) => ({ limit, buckets: new Buckets(limit, now) }));
  return {
    operations: ["CREATE", "UPDATE"],
    validate(attributes) {
      const { kind, dryRun } = attributes;
      if (kind.group !== "" || kind.kind !== "Event" || dryRun) return;
      const problems = enforcers.flatMap(({ limit: { type }, buckets }) => {
        const key = keyOf(type, attributes);
        return buckets.take(key) ? [] : [`limit reached on type ${type} for key ${key}`];
      });
      if (problems.length === 0) return;
      const { status } = tooManyRequests(`Too many requests: ${aggregateText(problems)}`, 0);
      throw new StatusError({ ...status, details: undefined });
    },
  };
}

function keyOf(type: LimitType, { namespace, user, object }: AdmissionAttributes): string {
  switch (type) {
    case "Server":
      return "";
    case "Namespace":
      return namespace;
    case "User":
      return user.name;
    case "SourceAndObject": {
      const { source, involvedObject } = object as Event; // what the kind is
      const { kind, namespace: of, name, uid, apiVersion } = involvedObject;
      return [source?.component, source?.host, kind, of, name, uid, apiVersion]
        .map((part) => part ?? "")
        .join("");
    }
  }
}

/** Token buckets of the most recently used keys. */
class Buckets {
  readonly #limit: Limit;
  readonly #now: () => number;
  /** Least recently used first. */
  readonly #byKey = new Map<string, { tokens: number; at: number }>();

  constructor(limit: Limit, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Returns false when the key has used up its rate. */
  take(key: string): boolean {
    const { qps, burst, cacheSize } = this.#limit;
    const now = this.#now();
    const bucket = this.#byKey.get(key) ?? { tokens: burst, at: now };
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * qps);
    bucket.at = now;
    this.#byKey.delete(key);
    this.#byKey.set(key, bucket);
    if (this.#byKey.size > cacheSize) {
      const [oldest] = this.#byKey.keys();
      if (oldest !== undefined) this.#byKey.delete(oldest);
    }
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

function readLimits(configuration: unknown, group: string): readonly Limit[] {
  const reader = ConfigurationReader.of(configuration, "Configuration", [`${group}/v1alpha1`]);
  reader.allow("limits");
  const entries = reader.records("limits");
  if (entries.length === 0) throw reader.problem("limits", "Invalid value: []: must not be empty");
  return entries.map((entry) => {
    entry.allow("type", "qps", "burst", "cacheSize");
    const given = entry.text("type");
    const type = types.find((known) => known === given);
    if (type === undefined) {
      throw entry.problem(
        "type",
        `Unsupported value: ${JSON.stringify(given ?? "")}: supported values: ${types.map((t) => `"${t}"`).join(", ")}`,
      );
    }
    const positive = (name: string): number => {
      const value = entry.integer(name) ?? 0;
      if (value <= 0) throw entry.problem(name, `Invalid value: ${value}: must be positive`);
      return value;
    };
    const size = entry.integer("cacheSize") ?? 0;
    if (size < 0) throw entry.problem("cacheSize", `Invalid value: ${size}: must not be negative`);
    return {
      type,
      qps: positive("qps"),
      burst: positive("burst"),
      cacheSize: size === 0 ? cacheSizeDefault : size,
    };
  });
}
