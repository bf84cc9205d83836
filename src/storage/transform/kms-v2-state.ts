import { aggregateText } from "../../apimachinery/errors/aggregate-text.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Clock } from "../../time/clock.js";
import { type DataKey, type DataKeys, generateDataKey, readingCipher } from "./data-keys.js";
import {
  type KeyIdProblem,
  type KeySource,
  keyIdHash,
  keyIdProblem,
  keyOfSource,
  keySourceType,
} from "./key-source.js";
import type { KeyServiceV2, KmsStatus } from "./kms-v2-service.js";
import type { KeyGenerationObserver } from "./random-key.js";
import type { SharedSeed } from "./shared-seed.js";
import type { ValueTransformer } from "./value-transformer.js";

export interface KmsV2StateOptions {
  readonly name: string;
  readonly service: KeyServiceV2;
  readonly level: ApiLevel;
  readonly clock: Clock;
  /** Whether each value has its own key, derived from one seed. */
  readonly usesSeed: boolean;
  /** The seed of another thread to begin with. */
  readonly shared: SharedSeed | undefined;
  readonly observer: KeyGenerationObserver & {
    keyIdSeen(keyId: string): void;
    keyIdRefused(code: KeyIdProblem["code"]): void;
    seedChanged(): void;
  };
}

interface State extends DataKey {
  /** Until when values may be written with it. */
  expiresAt: number;
}

const noState = "got unexpected nil transformer";

/** How long values are written with the last key while the service fails. Source: apiserver `encryptionconfig/config.go`. */
const writableMs = 3 * 60_000;

/**
 * The key, or seed, with which this server writes. It changes when the service's status names a new key. Old values can always be read.
 */
export class KmsV2State implements DataKeys {
  readonly #options: KmsV2StateOptions;
  #state: State | undefined;
  /** From the first status. */
  #version = "";

  constructor(options: KmsV2StateOptions) {
    this.#options = options;
    const { shared, usesSeed } = options;
    if (shared === undefined || !usesSeed) return;
    const { plain, source, expiresAt } = shared;
    const cipher = readingCipher(source.type, plain);
    this.#state = { cipher, source, id: keyOfSource(source), seed: plain, expiresAt };
  }

  /** For other threads. */
  get seed(): SharedSeed | undefined {
    if (this.#state?.seed === undefined) return undefined;
    const { seed: plain, source, expiresAt } = this.#state;
    return { plain, source, expiresAt };
  }

  forWrite(): DataKey {
    const state = this.#known();
    const now = this.#options.clock.now();
    if (now > state.expiresAt) {
      throw new Error(
        `encryptedDEKSource with keyID hash ${JSON.stringify(keyIdHash(state.source.keyId))} expired at ${timeOf(state.expiresAt)} (current time is ${timeOf(now)})`,
      );
    }
    return state;
  }

  isStale({ keyId, type }: KeySource): boolean {
    const { source } = this.#known();
    return source.keyId !== keyId || source.type !== type;
  }

  held(id: string): ValueTransformer | undefined {
    return this.#state?.id === id ? this.#state.cipher : undefined;
  }

  /** Applies a status of the service. Rejects with what is wrong with it. */
  async take(status: KmsStatus): Promise<void> {
    const { name, observer } = this.#options;
    const problems = this.#statusProblems(status);
    const problem = keyIdProblem(status.keyId);
    if (problem !== undefined) {
      observer.keyIdRefused(problem.code);
      const hash = JSON.stringify(keyIdHash(status.keyId));
      problems.push(`got invalid KMSv2 KeyID hash ${hash}: ${problem.text}`);
    } else {
      observer.keyIdSeen(status.keyId);
      await this.#rotate(status.keyId).catch((error: unknown) => problems.push(messageOf(error)));
    }
    if (problems.length > 0) {
      throw new Error(`kmsv2 Provider ${name} is not healthy, error: ${aggregateText(problems)}`);
    }
  }

  #statusProblems({ healthz, version }: KmsStatus): string[] {
    const isGa = isAtLeast(this.#options.level, "1.29");
    const versions = isGa ? ["v2", "v2beta1"] : ["v2beta1"];
    const problems: string[] = [];
    if (healthz !== "ok") problems.push(`got unexpected healthz status: ${healthz}`);
    if (!versions.includes(version)) {
      problems.push(`expected KMSv2 API version ${versions[0]}, got ${version}`);
      return problems;
    }
    if (this.#version === "") this.#version = version;
    if (this.#version !== version) {
      problems.push(
        `KMSv2 API version should not change after the initial status response version ${this.#version}, got ${version}`,
      );
    }
    return problems;
  }

  async #rotate(keyId: string): Promise<void> {
    const { service, clock, usesSeed, observer } = this.#options;
    const state = this.#state;
    // Read before the call, because the time limit counts from the request.
    const expiresAt = clock.now() + writableMs;
    if (state !== undefined && state.source.keyId === keyId) {
      state.expiresAt = expiresAt;
      return;
    }
    let made: DataKey | undefined;
    let failure = "<nil>";
    try {
      made = await generateDataKey(service, usesSeed ? keySourceType.seed : keySourceType.key, observer);
      if (made.source.keyId === keyId) {
        this.#state = { ...made, expiresAt };
        if (made.seed !== undefined) observer.seedChanged();
        return;
      }
    } catch (error) {
      failure = messageOf(error);
    }
    const hash = (id: string | undefined): string => JSON.stringify(keyIdHash(id ?? ""));
    throw new Error(
      `failed to rotate DEK useSeed=${usesSeed}, errState=${state === undefined ? noState : "<nil>"}, errGen=${failure}, statusKeyIDHash=${hash(keyId)}, encryptKeyIDHash=${hash(made?.source.keyId)}, stateKeyIDHash=${hash(state?.source.keyId)}, expirationTimestamp=${timeOf(state?.expiresAt)}`,
    );
  }

  #known(): State {
    if (this.#state === undefined) throw new Error(noState);
    return this.#state;
  }
}

function timeOf(milliseconds: number | undefined): string {
  if (milliseconds === undefined) return "0001-01-01T00:00:00Z";
  return new Date(milliseconds).toISOString().replace(/\.\d+Z$/, "Z");
}

/** Checks a service at 1.25 or 1.26, where each value has its own key. Throws with what is wrong. */
export function checkAlphaStatus(name: string, { healthz, version, keyId }: KmsStatus): void {
  const problems = [
    ...(healthz === "ok" ? [] : [`got unexpected healthz status: ${healthz}`]),
    ...(version === "v2alpha1" ? [] : [`expected KMSv2 API version v2alpha1, got ${version}`]),
    ...(keyId === "" ? ["expected KMSv2 KeyID to be set, got "] : []),
  ];
  if (problems.length === 0) return;
  throw new Error(`kmsv2 Provider ${name} is not healthy, error: ${aggregateText(problems)}`);
}
