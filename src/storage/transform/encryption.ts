import { readFile } from "node:fs/promises";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { qualifiedResource } from "../../apimachinery/errors/status.js";
import { unreachable } from "../../apimachinery/errors/unreachable.js";
import type { ApiLevel } from "../../apimachinery/levels/api-level.js";
import { type Clock, systemClock } from "../../time/clock.js";
import { createAesCbc, createAesGcm, createSecretBox } from "./ciphers.js";
import {
  type EncryptionConfigFormat,
  type EncryptionKey,
  type EncryptionProvider,
  parseEncryptionConfig,
  rulesFor,
} from "./encryption-config.js";
import { EnvelopeTransformer, type KeyService } from "./envelope-transformer.js";
import { createIdentityTransformer } from "./identity-transformer.js";
import { createKmsHealthCheck } from "./kms-health.js";
import { KmsService } from "./kms-service.js";
import { observedTransformer } from "./observed-transformer.js";
import { type PrefixedTransformer, PrefixTransformers } from "./prefix-transformers.js";
import type { TransformationObserver } from "./transformation-observer.js";
import type { ValueTransformer } from "./value-transformer.js";

export interface EncryptionOptions extends EncryptionConfigFormat {
  /** Path of the file. */
  readonly file: string;
  /** What every encrypted value begins with: `<vendor>:enc:`. */
  readonly encryptedPrefix: string;
  readonly clock?: Clock | undefined;
  readonly observer: TransformationObserver;
}

export interface KmsHealthCheck {
  /** `kms-provider-0`, in the order of the file. */
  readonly name: string;
  /** Rejects when the provider does not encrypt and decrypt. */
  readonly check: () => Promise<void>;
}

/** How the resources of a server are encrypted at rest. */
export interface Encryption {
  /** Undefined for a resource that the file does not name: it is stored as it is, at no cost. */
  transformerFor(group: string, resource: string): ValueTransformer | undefined;
  readonly healthChecks: readonly KmsHealthCheck[];
  close(): void;
}

/** Reads the file of `--encryption-provider-config`. Rejects with what is wrong with it. */
export async function openEncryption(options: EncryptionOptions): Promise<Encryption> {
  const { file, observer, clock = systemClock } = options;
  const quoted = JSON.stringify(file);
  const text = await readFile(file, "utf8").catch((cause: unknown) => {
    const reason = messageOf(cause);
    throw new Error(`error opening encryption provider configuration file ${quoted}: ${reason}`, { cause });
  });
  try {
    const builder = new EncryptionBuilder(options, clock, observer);
    for (const { resources, providers } of parseEncryptionConfig(text, options)) {
      const transformers: PrefixedTransformer[] = [];
      for (const provider of providers) {
        transformers.push(observedTransformer(await builder.provider(provider), observer));
      }
      for (const resource of resources) builder.add(resource, transformers);
    }
    return builder.finish();
  } catch (cause) {
    const reason = messageOf(cause);
    throw new Error(`error while parsing encryption provider configuration file ${quoted}: ${reason}`, {
      cause,
    });
  }
}

class EncryptionBuilder {
  readonly #prefix: string;
  readonly #level: ApiLevel;
  readonly #clock: Clock;
  readonly #observer: TransformationObserver;
  readonly #identity: PrefixedTransformer;
  readonly #byResource = new Map<string, PrefixedTransformer[]>();
  readonly #services: KmsService[] = [];
  readonly #healthChecks: KmsHealthCheck[] = [];

  constructor(
    { encryptedPrefix, level }: Pick<EncryptionOptions, "encryptedPrefix" | "level">,
    clock: Clock,
    observer: TransformationObserver,
  ) {
    this.#prefix = encryptedPrefix;
    this.#level = level;
    this.#clock = clock;
    this.#observer = observer;
    const transformer = createIdentityTransformer(Buffer.from(encryptedPrefix));
    this.#identity = { prefix: Buffer.alloc(0), transformer };
  }

  /** Rules that name the same resource add up, in their order. An earlier rule for all of its group, or for all, masks this one. */
  add(resource: string, transformers: readonly PrefixedTransformer[]): void {
    const [, ...wildcards] = rulesFor(resource, this.#level);
    if (wildcards.some((wildcard) => wildcard !== resource && this.#byResource.has(wildcard))) return;
    const known = this.#byResource.get(resource) ?? [];
    this.#byResource.set(resource, [...known, ...transformers]);
  }

  async provider(provider: EncryptionProvider): Promise<PrefixedTransformer> {
    switch (provider.kind) {
      case "identity":
        return this.#identity;
      case "aescbc":
        return this.#withKeys(provider.kind, "AES", provider.keys, createAesCbc);
      case "aesgcm":
        return this.#withKeys(provider.kind, "AES", provider.keys, createAesGcm);
      case "secretbox":
        return this.#withKeys(provider.kind, "Secretbox", provider.keys, createSecretBox);
      case "kms": {
        const { name, endpoint, timeoutMs, cacheSize } = provider;
        const service = new KmsService({ endpoint, timeoutMs, clock: this.#clock });
        this.#services.push(service);
        this.#healthChecks.push(this.#healthCheck(name, service));
        const transformer = new EnvelopeTransformer(service, cacheSize, this.#observer);
        return { prefix: Buffer.from(`${this.#prefix}kms:v1:${name}:`), transformer };
      }
      default:
        return unreachable(provider);
    }
  }

  finish(): Encryption {
    const level = this.#level;
    const transformers = new Map<string, ValueTransformer>();
    for (const [resource, known] of this.#byResource) {
      transformers.set(resource, new PrefixTransformers("no matching prefix found", known));
    }
    return {
      transformerFor(group, resource) {
        const rule = rulesFor(qualifiedResource({ group, resource }), level).find((name) =>
          transformers.has(name),
        );
        return rule === undefined ? undefined : transformers.get(rule);
      },
      healthChecks: this.#healthChecks,
      close: () => {
        for (const service of this.#services) service.close();
      },
    };
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
      prefix: Buffer.from(`${this.#prefix}${kind}:v1:`),
      transformer: new PrefixTransformers(noMatch, byKey),
    };
  }

  #healthCheck(name: string, service: KeyService): KmsHealthCheck {
    return {
      name: `kms-provider-${this.#healthChecks.length}`,
      check: createKmsHealthCheck({ name, service, clock: this.#clock }),
    };
  }
}
