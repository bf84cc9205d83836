import { ConfigurationReader } from "../configuration/configuration-reader.js";

/** The configuration of ImagePolicyWebhook. Durations are in milliseconds. */
export interface ImagePolicyConfiguration {
  /** Path of the client configuration of the service that reviews images. */
  readonly kubeConfigFile: string;
  /** How long answers are kept; 0 keeps none. */
  readonly allowTtlMs: number;
  readonly denyTtlMs: number;
  /** Pause before the second attempt; 0 retries at once. */
  readonly retryBackoffMs: number;
  /** Whether pods are admitted when the service does not answer. */
  readonly defaultAllow: boolean;
}

interface DurationRule {
  readonly what: string;
  /** Milliseconds of one unit in the file. */
  readonly unitMs: number;
  readonly usualMs: number;
  readonly maxMs: number;
}

const second = 1000;
const minute = 60 * second;
const backoff: DurationRule = { what: "backoff", unitMs: 1, usualMs: 500, maxMs: 5 * minute };
const allowCache: DurationRule = {
  what: "allow cache",
  unitMs: second,
  usualMs: 5 * minute,
  maxMs: 30 * minute,
};
const denyCache: DurationRule = {
  what: "deny cache",
  unitMs: second,
  usualMs: 30 * second,
  maxMs: 30 * minute,
};

/** Throws an `Error` that names the field. Source: Kubernetes documentation, "Admission Controllers Reference", ImagePolicyWebhook. */
export function readImagePolicyConfiguration(value: unknown): ImagePolicyConfiguration {
  if (value === undefined) throw new Error("no config specified");
  const reader = ConfigurationReader.plain(value).record("imagePolicy");
  reader.allow("kubeConfigFile", "allowTTL", "denyTTL", "retryBackoff", "defaultAllow");
  const kubeConfigFile = reader.text("kubeConfigFile") ?? "";
  if (kubeConfigFile === "") throw reader.problem("kubeConfigFile", "must be the path of a file");
  return {
    kubeConfigFile,
    allowTtlMs: durationOf(reader, "allowTTL", allowCache),
    denyTtlMs: durationOf(reader, "denyTTL", denyCache),
    retryBackoffMs: durationOf(reader, "retryBackoff", backoff),
    defaultAllow: reader.boolean("defaultAllow") ?? false,
  };
}

/** 0 stands for the default, -1 for none. */
function durationOf(
  reader: ConfigurationReader,
  field: string,
  { what, unitMs, usualMs, maxMs }: DurationRule,
): number {
  const units = reader.integer(field) ?? 0;
  if (units === 0) return usualMs;
  if (units === -1) return 0;
  if (units < 0 || units * unitMs > maxMs) {
    const why = `${what}: must be at least 1 and at most ${maxMs / unitMs}, or -1 for none`;
    throw reader.problem(field, why);
  }
  return units * unitMs;
}
