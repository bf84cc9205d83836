import { asError } from "../../apimachinery/errors/as-error.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Clock } from "../../time/clock.js";
import type { KeyService } from "./envelope-transformer.js";
import type { KeyServiceV2, KmsStatus } from "./kms-v2-service.js";

const healthyForMs = 20_000;
const unhealthyForMs = 3000;

/** Rejects with what is wrong with a key service. */
export type KmsCheck = () => Promise<void>;

/** Checks that a key service encrypts and decrypts. Source: apiserver `pkg/server/options/encryptionconfig`. */
export function kmsCheck(name: string, service: KeyService, clock: Clock): KmsCheck {
  return cachedCheck(clock, async () => {
    const encrypted = await service.encrypt(Buffer.from("ping")).catch(failed("encrypt", name));
    await service.decrypt(encrypted).catch(failed("decrypt", name));
  });
}

/** Like `kmsCheck`, for version 2; `take` receives the service's status. */
export function kmsV2Check(
  name: string,
  service: KeyServiceV2,
  clock: Clock,
  take: (status: KmsStatus) => Promise<void>,
): KmsCheck {
  return cachedCheck(clock, async () => {
    const status = await service.status().catch(failed("status", name));
    await take(status);
  });
}

/** Caches the result for 20 seconds, or 3 after a failure, so that probes cost the service little. */
function cachedCheck(clock: Clock, run: () => Promise<void>): KmsCheck {
  let outcome: Promise<void> | undefined;
  let validUntil = 0;
  const ask = async (): Promise<void> => {
    validUntil = Number.POSITIVE_INFINITY;
    try {
      await run();
      validUntil = clock.now() + healthyForMs;
    } catch (error) {
      validUntil = clock.now() + unhealthyForMs;
      throw error;
    }
  };
  return () => {
    if (outcome === undefined || clock.now() >= validUntil) outcome = ask();
    return outcome;
  };
}

function failed(section: string, name: string): (cause: unknown) => never {
  return (cause) => {
    const reason = messageOf(cause);
    const text = `failed to perform ${section} section of the healthz check for KMS Provider ${name}, error: ${reason}`;
    throw new Error(text, { cause });
  };
}

const lookMs = 60_000;
const retryMs = 10_000;

/** Checks repeatedly, more often while it fails, and reports when failures begin and end. Returns a function that stops it. */
export function keepChecking(
  clock: Clock,
  check: KmsCheck,
  changed: (problem: Error | undefined) => void,
): () => void {
  let isEnded = false;
  let isHealthy = true;
  let cancel: () => void = () => undefined;
  const look = async (): Promise<void> => {
    const problem = await check().then(() => undefined, asError);
    if (isEnded) return;
    if (isHealthy !== (problem === undefined)) changed(problem);
    isHealthy = problem === undefined;
    cancel = clock.schedule(isHealthy ? lookMs : retryMs, () => void look());
  };
  void look();
  return () => {
    isEnded = true;
    cancel();
  };
}
