import { ExternalSigner, type SignerObserver } from "../../access/authentication/external-signer.js";
import { ExternalTokenKeys } from "../../access/authentication/external-token-keys.js";
import type { ClaimsSigner } from "../../access/authentication/service-account-issuer.js";
import type { TokenKeys } from "../../access/authentication/token-keys.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { SocketConnection } from "../../storage/grpc/socket-connection.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { systemClock } from "../../time/clock.js";
import type { Closing } from "../lifecycle/closing.js";

/** Signs the tokens of service accounts for this server. */
export interface OpenedSigner {
  readonly keys: TokenKeys;
  readonly sign: ClaimsSigner;
  readonly maxExpirationSeconds: number;
}

export interface SignerParts {
  /** Path of its socket. */
  readonly endpoint: string;
  readonly level: ApiLevel;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly closing: Closing;
}

/** The shortest validity that a client may request. */
const minExpirationSeconds = 600;
const timeoutMs = 60_000;

/** Rejects when the signer cannot be used. Source: Kubernetes' `--service-account-signing-endpoint`, KEP-740. */
export async function openExternalSigner(parts: SignerParts): Promise<OpenedSigner> {
  const { endpoint, level, log, closing } = parts;
  const connection = new SocketConnection({
    name: "the signer of service account tokens",
    path: endpoint,
    timeoutMs,
    clock: systemClock,
  });
  closing.add(() => connection.close());
  const observer = signerMetrics(parts.metrics);
  const signer = new ExternalSigner(connection, isAtLeast(level, "1.34") ? "v1" : "v1alpha1", observer);
  const keys = await ExternalTokenKeys.open({
    signer,
    observer,
    clock: systemClock,
    onFailure: (error) => log.error("the keys of service account tokens could not be fetched", error),
  });
  closing.add(() => keys.close());
  const maxExpirationSeconds = await signer.maxExpirationSeconds();
  if (maxExpirationSeconds < minExpirationSeconds) {
    throw new Error(
      `max token life supported by external-jwt-signer (${maxExpirationSeconds}s) is less than acceptable (min ${minExpirationSeconds}s)`,
    );
  }
  return {
    keys,
    sign: (claims) => signer.sign(claims, (keyId) => keys.checkSigns(keyId)),
    maxExpirationSeconds,
  };
}

/** Seconds. Names and bounds are those of Kubernetes' `pkg/serviceaccount/externaljwt/metrics`. */
const callBounds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

function signerMetrics(metrics: Metrics): SignerObserver {
  const prefix = "apiserver_externaljwt_";
  const calls = metrics.histogram({
    name: `${prefix}request_duration_seconds`,
    help: "Time in seconds of calls to the signer of service account tokens.",
    labels: ["method", "code"],
    bounds: callBounds,
  });
  const signed = metrics.counter({
    name: `${prefix}sign_request_total`,
    help: "Tokens that the signer was asked to sign, by gRPC's code.",
    labels: ["code"],
  });
  const fetched = metrics.counter({
    name: `${prefix}fetch_keys_request_total`,
    help: "Times that the signer was asked for its keys, by gRPC's code.",
    labels: ["code"],
  });
  const lastFetch = metrics.gauge({
    name: `${prefix}fetch_keys_success_timestamp`,
    help: "When the keys were last fetched: seconds since the epoch.",
    labels: [],
  });
  const keysOf = metrics.gauge({
    name: `${prefix}fetch_keys_data_timestamp`,
    help: "From when the keys are, as the signer says: seconds since the epoch.",
    labels: [],
  });
  return {
    called: (method, milliseconds, code) => calls.with(method, code).observe(milliseconds / 1000),
    signed: (code) => void signed.with(code).value++,
    fetched(code, timestamp) {
      fetched.with(code).value++;
      if (timestamp === undefined) return;
      lastFetch.with().value = systemClock.now() / 1000;
      keysOf.with().value = timestamp;
    },
  };
}
