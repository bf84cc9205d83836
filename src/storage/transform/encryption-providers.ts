import { messageOf } from "../../apimachinery/errors/message-of.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Clock } from "../../time/clock.js";
import { SocketConnection } from "../grpc/socket-connection.js";
import { createAesCbc, createAesGcm, createSecretBox } from "./ciphers.js";
import { keyForEachValue } from "./data-keys.js";
import type { EncryptionKey, EncryptionProvider } from "./encryption-config.js";
import type { EncryptionOptions } from "./encryption-options.js";
import { EnvelopeTransformer, gcmAndCbc } from "./envelope-transformer.js";
import { createIdentityTransformer } from "./identity-transformer.js";
import { keysOfADay, recentKeys } from "./key-cache.js";
import { type KmsCheck, keepChecking, kmsCheck, kmsV2Check } from "./kms-health.js";
import { KmsService } from "./kms-service.js";
import { KmsV2Service } from "./kms-v2-service.js";
import { checkAlphaStatus, KmsV2State } from "./kms-v2-state.js";
import { KmsV2Transformer } from "./kms-v2-transformer.js";
import { type PrefixedTransformer, PrefixTransformers } from "./prefix-transformers.js";
import type { SharedSeed, SharedSeeds } from "./shared-seed.js";
import type { ValueTransformer } from "./value-transformer.js";

type KmsProvider = Extract<EncryptionProvider, { kind: "kms" }>;

export interface ProviderOptions extends EncryptionOptions {
  readonly clock: Clock;
}

const kmsV1Notice =
  "KMSv1 is deprecated and will only receive security updates going forward. Use KMSv2 instead.";

/** Creates the providers of a file, and closes what they have opened. */
export class EncryptionProviders {
  readonly checks: KmsCheck[] = [];
  readonly #options: ProviderOptions;
  readonly #identity: PrefixedTransformer;
  readonly #connections: SocketConnection[] = [];
  /** Key services whose keys must be known before the first value. */
  readonly #followed: { readonly name: string; readonly check: KmsCheck }[] = [];
  readonly #states = new Map<string, KmsV2State>();
  readonly #stops: (() => void)[] = [];
  readonly #versions = new Set<KmsProvider["version"]>();
  /** The sum of the timeouts of all calls that a check of all services makes. */
  #timeoutsMs = 0;

  constructor(options: ProviderOptions) {
    this.#options = options;
    const transformer = createIdentityTransformer(Buffer.from(options.encryptedPrefix));
    this.#identity = { prefix: Buffer.alloc(0), transformer };
  }

  /** Whether there are key services and all have version 2. */
  get allV2(): boolean {
    return this.#versions.has("v2") && !this.#versions.has("v1");
  }

  get seeds(): SharedSeeds {
    const seeds = new Map<string, SharedSeed>();
    for (const [name, { seed }] of this.#states) if (seed !== undefined) seeds.set(name, seed);
    return seeds;
  }

  get callsMs(): number {
    return 2 * this.#timeoutsMs;
  }

  async open(provider: EncryptionProvider): Promise<PrefixedTransformer> {
    switch (provider.kind) {
      case "identity":
        return this.#identity;
      case "aescbc":
        return this.#withKeys(provider.kind, "AES", provider.keys, createAesCbc);
      case "aesgcm":
        return this.#withKeys(provider.kind, "AES", provider.keys, (key) => createAesGcm(key));
      case "secretbox":
        return this.#withKeys(provider.kind, "Secretbox", provider.keys, createSecretBox);
      case "kms":
        return provider.version === "v1" ? this.#kms(provider) : this.#kmsV2(provider);
      default:
        return unreachable(provider);
    }
  }

  /** Calls each service once, so that those that are running can be used at once, and keeps polling. */
  async start(): Promise<void> {
    const { clock, notice } = this.#options;
    await Promise.all(this.#followed.map(({ check }) => check().catch(() => undefined)));
    for (const { name, check } of this.#followed) {
      this.#stops.push(
        keepChecking(clock, check, (problem) =>
          notice(
            problem === undefined
              ? `the key service ${name} is healthy again`
              : `the key service ${name} is not healthy: ${messageOf(problem)}`,
          ),
        ),
      );
    }
  }

  close(): void {
    for (const stop of this.#stops) stop();
    for (const connection of this.#connections) connection.close();
  }

  #kms(provider: KmsProvider): PrefixedTransformer {
    const { level, isEnabled, encryptedPrefix, clock, observer, notice } = this.#options;
    if (isAtLeast(level, "1.28")) {
      if (!isEnabled("KMSv1")) {
        throw new Error(
          `${kmsV1Notice}  Set --feature-gates=KMSv1=true to use the deprecated KMSv1 feature.`,
        );
      }
      notice(kmsV1Notice);
    }
    const service = new KmsService(this.#connect(provider, 2));
    this.checks.push(kmsCheck(provider.name, service, clock));
    const createCipher = gcmAndCbc(isAtLeast(level, "1.25") ? "gcm" : "cbc");
    const transformer = new EnvelopeTransformer(service, provider.cacheSize, createCipher, observer);
    return { prefix: Buffer.from(`${encryptedPrefix}kms:v1:${provider.name}:`), transformer };
  }

  #kmsV2(provider: KmsProvider): PrefixedTransformer {
    const { level, isEnabled, encryptedPrefix, clock, observer, seeds, seedChanged } = this.#options;
    const { name } = provider;
    if (!isEnabled("KMSv2")) {
      const what = isAtLeast(level, "1.26") ? "KMSv2 plugin" : "KMSv2-Plugin's probe";
      throw new Error(`could not configure ${what} ${JSON.stringify(name)}, KMSv2 feature is not enabled`);
    }
    const isAlpha = !isAtLeast(level, "1.27");
    const told = observer.ofService(name);
    const service = new KmsV2Service(
      this.#connect(provider, 1),
      isAlpha ? "v2alpha1" : "v2",
      (method, ms, status) => told.called(method, ms, status),
    );
    const prefix = Buffer.from(`${encryptedPrefix}kms:v2:${name}:`);
    const { keyGenerated, keyGenerationFailed, keyMissed, arrived } = observer;
    const generation = { keyGenerated, keyGenerationFailed };
    if (isAlpha) {
      this.checks.push(kmsV2Check(name, service, clock, async (status) => checkAlphaStatus(name, status)));
      const cache = recentKeys(provider.cacheSize, (fraction) => observer.keysFilled(fraction));
      const keys = keyForEachValue(service, generation);
      const use = { arrived, keyMissed, keyUsed: () => undefined };
      return { prefix, transformer: new KmsV2Transformer(service, keys, cache, use) };
    }
    const usesSeed = isAtLeast(level, "1.29") || isEnabled("KMSv2KDF");
    const state = new KmsV2State({
      name,
      service,
      level,
      clock,
      usesSeed,
      shared: seeds?.get(name),
      observer: {
        ...generation,
        keyIdSeen: (keyId) => told.keyIdSeen(keyId),
        keyIdRefused: (code) => told.keyIdRefused(code),
        seedChanged: () => seedChanged?.(),
      },
    });
    this.#states.set(name, state);
    const check = kmsV2Check(name, service, clock, (status) => state.take(status));
    this.checks.push(check);
    this.#followed.push({ name, check });
    const cache = keysOfADay(clock, (keys) => told.keysKnown(keys));
    return {
      prefix,
      transformer: new KmsV2Transformer(service, state, cache, {
        arrived: () => undefined,
        keyMissed,
        keyUsed: (direction, keyId) => told.keyUsed(direction, keyId),
      }),
    };
  }

  /** `calls`: how many calls one check makes. */
  #connect({ version, endpoint, timeoutMs }: KmsProvider, calls: number): SocketConnection {
    const connection = new SocketConnection({
      name: `KMS provider at ${endpoint}`,
      path: socketPath(endpoint),
      timeoutMs,
      clock: this.#options.clock,
    });
    this.#connections.push(connection);
    this.#versions.add(version);
    this.#timeoutsMs += calls * timeoutMs;
    return connection;
  }

  async #withKeys(
    kind: string,
    label: string,
    keys: readonly EncryptionKey[],
    create: (secret: Uint8Array) => ValueTransformer | Promise<ValueTransformer>,
  ): Promise<PrefixedTransformer> {
    const byKey: PrefixedTransformer[] = [];
    for (const { name, secret } of keys) {
      byKey.push({ prefix: Buffer.from(`${name}:`), transformer: await create(secret) });
    }
    const noMatch = `no matching key was found for the provided ${label} transformer`;
    return {
      prefix: Buffer.from(`${this.#options.encryptedPrefix}${kind}:v1:`),
      transformer: new PrefixTransformers(noMatch, byKey),
    };
  }
}

/** The socket that a validated endpoint names: `unix:///path`, or `unix:///@name` in the abstract namespace. */
function socketPath(endpoint: string): string {
  const path = decodeURIComponent(new URL(endpoint).pathname);
  return path.startsWith("/@") ? path.slice(1) : path;
}
