import type { SecretTokenTracking, TokenUse } from "../../access/authentication/service-account-settings.js";
import type { TokenCacheObserver } from "../../access/authentication/token-verdicts.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Distribution } from "../../telemetry/distribution.js";
import { exponentialBuckets } from "../../telemetry/exponential-buckets.js";
import { labelHash } from "../../telemetry/label-hash.js";
import type { Figure, MetricFamily } from "../../telemetry/metric-family.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { onDemand } from "../../telemetry/on-demand.js";

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Seconds. */
const expiryBounds = [
  0,
  30 * minute,
  hour,
  2 * hour,
  6 * hour,
  12 * hour,
  day,
  2 * day,
  4 * day,
  7 * day,
  30 * day,
  90 * day,
  180 * day,
  360 * day,
];
/** Seconds. */
const requestBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Seconds, from 1 ms. */
const latencyBounds = exponentialBuckets(0.001, 15);

/** Metrics of client certificates and token caches, by the names of kube-apiserver 1.23. */
export class AuthenticationMetrics {
  /** Shared by all token caches. */
  readonly tokenCache: TokenCacheObserver;
  readonly #expirations: Distribution;
  readonly #metrics: Metrics;
  readonly #tokenUses: Readonly<Record<TokenUse, Figure>>;
  readonly #identityHash: string;
  readonly #latencies: () => MetricFamily<Distribution>;
  readonly #keys: () => ReturnType<typeof issuerKeys>;
  /** The hash of the last key set, by the hash of the issuer: after a reload, another configuration may have the same issuer. */
  readonly #keySets = new Map<string, string>();

  /** `identity` distinguishes this server from others. */
  constructor(metrics: Metrics, identity: string) {
    this.#metrics = metrics;
    this.#identityHash = labelHash(identity);
    this.#latencies = onDemand(() => issuerLatencies(metrics));
    this.#keys = onDemand(() => issuerKeys(metrics));
    this.#expirations = metrics
      .histogram({
        name: "apiserver_client_certificate_expiration_seconds",
        help: "Time in seconds for which the certificates of requests were still valid.",
        labels: [],
        bounds: expiryBounds,
      })
      .with();
    const uses = (use: TokenUse, help: string): Figure =>
      metrics.counter({ name: `serviceaccount_${use}_tokens_total`, help, labels: [] }).with();
    this.#tokenUses = {
      legacy: uses("legacy", "Uses of service account tokens that are kept in secrets."),
      valid: uses("valid", "Uses of extended service account tokens before the time to renew them."),
      stale: uses("stale", "Uses of extended service account tokens after the time to renew them."),
    };
    this.tokenCache = createTokenCacheObserver(metrics);
  }

  /** Counts how long the verification of tokens of an issuer takes, in milliseconds. */
  jwtObserver(issuerHash: string): (milliseconds: number, isOk: boolean) => void {
    const latencies = this.#latencies();
    return (milliseconds, isOk) =>
      latencies.with(isOk ? "success" : "failure", issuerHash).observe(milliseconds / 1000);
  }

  /** Called after each attempt to fetch the keys of an issuer, with the key set; undefined when none was fetched. */
  keysObserver(issuerHash: string): (keySet: Uint8Array | undefined) => void {
    const { times, info } = this.#keys();
    const id = this.#identityHash;
    return (keySet) => {
      const result = keySet === undefined ? "failure" : "success";
      times.with(result, issuerHash, id).value = Date.now() / 1000;
      if (keySet === undefined) return;
      const former = this.#keySets.get(issuerHash);
      if (former !== undefined) info.remove(issuerHash, id, former);
      const hash = labelHash(keySet);
      this.#keySets.set(issuerHash, hash);
      info.with(issuerHash, id, hash).value = 1;
    };
  }

  readonly tokenUsed = (use: TokenUse): void => {
    this.#tokenUses[use].value++;
  };

  /** Counts uses of tokens in secrets, at levels that track them. */
  secretTokenUse({ level }: { readonly level: ApiLevel }): SecretTokenTracking["used"] {
    if (!isAtLeast(level, "1.26")) return () => undefined;
    const uses = (name: string, help: string): Figure =>
      this.#metrics.counter({ name: `serviceaccount_${name}_token_uses_total`, help, labels: [] }).with();
    const counters = {
      auto: uses("legacy_auto", "Uses of tokens in secrets that were made with their service account."),
      manual: uses("legacy_manual", "Uses of tokens in secrets that somebody created."),
      ...(isAtLeast(level, "1.28") && {
        invalid: uses("invalid_legacy_auto", "Uses of tokens in secrets that are marked as invalid."),
      }),
    };
    return (use) => {
      const counter = counters[use];
      if (counter !== undefined) counter.value++;
    };
  }

  /** Called for each request with a trusted certificate. */
  readonly certificateSeen = (expiresInMs: number): void => this.#expirations.observe(expiresInMs / 1000);
}

function issuerLatencies(metrics: Metrics): MetricFamily<Distribution> {
  return metrics.histogram({
    name: "apiserver_authentication_jwt_authenticator_latency_seconds",
    help: "Time in seconds that verifying the token of an issuer took, by outcome.",
    labels: ["result", "jwt_issuer_hash"],
    bounds: latencyBounds,
  });
}

function issuerKeys(metrics: Metrics) {
  const prefix = "apiserver_authentication_jwt_authenticator_jwks_fetch_last";
  const times = metrics.gauge({
    name: `${prefix}_timestamp_seconds`,
    help: "When the keys of an issuer were last fetched, or not, by result: seconds since the epoch.",
    labels: ["result", "jwt_issuer_hash", "apiserver_id_hash"],
  });
  const info = metrics.gauge({
    name: `${prefix}_key_set_info`,
    help: "The keys of an issuer that were last fetched, by their hash.",
    labels: ["jwt_issuer_hash", "apiserver_id_hash", "hash"],
  });
  return { times, info };
}

function createTokenCacheObserver(metrics: Metrics): TokenCacheObserver {
  const labels = ["status"];
  const name = (end: string): string => `authentication_token_cache_${end}`;
  const active = metrics.gauge({
    name: name("active_fetch_count"),
    help: "Tokens that are being verified by others.",
    labels,
  });
  const fetches = metrics.counter({
    name: name("fetch_total"),
    help: "Tokens that others were asked to verify, by outcome.",
    labels,
  });
  const requests = metrics.counter({
    name: name("request_total"),
    help: "Tokens looked up in the cache, by hit or miss.",
    labels,
  });
  const durations = metrics.histogram({
    name: name("request_duration_seconds"),
    help: "Time in seconds until the verdict on a token was there, by hit or miss.",
    labels,
    bounds: requestBounds,
  });
  const answers = new Map<string, { readonly count: Figure; readonly duration: Distribution }>();
  return {
    requested(status, ms) {
      let answer = answers.get(status);
      if (answer === undefined) {
        answer = { count: requests.with(status), duration: durations.with(status) };
        answers.set(status, answer);
      }
      answer.count.value++;
      answer.duration.observe(ms / 1000);
    },
    fetching() {
      const inFlight = active.with("in_flight");
      inFlight.value++;
      return (isOk) => {
        inFlight.value--;
        fetches.with(isOk ? "ok" : "error").value++;
      };
    },
  };
}
