import { messageOf } from "../../apimachinery/errors/message-of.js";
import type { Clock } from "../../time/clock.js";
import type { KeyService } from "./envelope-transformer.js";

const healthyForMs = 20_000;
const unhealthyForMs = 3000;

/**
 * Checks that a key service encrypts and decrypts; the result is cached for 20 seconds, or 3 after a failure, so that probes cost the
 * service little. Source: apiserver `pkg/server/options/encryptionconfig`.
 */
export function createKmsHealthCheck(options: {
  readonly name: string;
  readonly service: KeyService;
  readonly clock: Clock;
}): () => Promise<void> {
  const { name, service, clock } = options;
  const describe = (section: string) => (cause: unknown) => {
    const reason = messageOf(cause);
    const text = `failed to perform ${section} section of the healthz check for KMS Provider ${name}, error: ${reason}`;
    throw new Error(text, { cause });
  };
  let outcome: Promise<void> | undefined;
  let validUntil = 0;
  const ask = async (): Promise<void> => {
    validUntil = Number.POSITIVE_INFINITY;
    try {
      const encrypted = await service.encrypt(Buffer.from("ping")).catch(describe("encrypt"));
      await service.decrypt(encrypted).catch(describe("decrypt"));
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
