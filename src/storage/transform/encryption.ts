import { aggregateText } from "../../apimachinery/errors/aggregate-text.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { qualifiedResource } from "../../apimachinery/errors/status.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import { systemClock } from "../../time/clock.js";
import { rulesFor } from "./encrypted-resources.js";
import { type EncryptionRule, parseEncryptionConfig, UndecodableConfig } from "./encryption-config.js";
import type { EncryptionOptions } from "./encryption-options.js";
import { EncryptionProviders } from "./encryption-providers.js";
import type { KmsCheck } from "./kms-health.js";
import { observedTransformer } from "./observed-transformer.js";
import { type PrefixedTransformer, PrefixTransformers } from "./prefix-transformers.js";
import type { SharedSeeds } from "./shared-seed.js";
import type { ValueTransformer } from "./value-transformer.js";

export interface KmsHealthCheck {
  /** Name of a health check: `kms-provider-0`, in the order of the file; or `kms-providers` for all of them. */
  readonly name: string;
  /** Rejects when the provider does not encrypt and decrypt. */
  readonly check: () => Promise<void>;
}

/** How the resources of a server are encrypted at rest. */
export interface Encryption {
  /** Undefined for a resource that the file does not name: it is stored unencrypted, at no cost. */
  transformerFor(group: string, resource: string): ValueTransformer | undefined;
  readonly healthChecks: readonly KmsHealthCheck[];
  /** Seeds for other threads of this server. */
  readonly seeds: SharedSeeds;
  /** How long calls to the key services may take that are in progress. */
  readonly callsMs: number;
  close(): void;
}

const allServices = "kms-providers";

/** Opens the encryption configured by the content of `--encryption-provider-config`. Rejects with what is wrong with it. */
export async function openEncryption(content: Uint8Array, options: EncryptionOptions): Promise<Encryption> {
  const rules = await parseEncryptionConfig(content, options).catch((cause: unknown) => {
    throw notParsed(cause, options);
  });
  const providers = new EncryptionProviders({ ...options, clock: options.clock ?? systemClock });
  try {
    const byResource = new TransformersByResource(options);
    for (const rule of rules) await byResource.add(rule, providers);
    await providers.start();
    return byResource.finish(providers);
  } catch (cause) {
    providers.close();
    const isOld = !isAtLeast(options.level, "1.26");
    if (isOld) throw notParsed(cause, options);
    throw new Error(`error while building transformers: ${messageOf(cause)}`, { cause });
  }
}

function notParsed(cause: unknown, { file, level }: EncryptionOptions): Error {
  const reason = messageOf(cause);
  const name = `encryption provider configuration file ${JSON.stringify(file)}`;
  const parsing = "error while parsing file";
  const isUndecodable = cause instanceof UndecodableConfig;
  if (isAtLeast(level, "1.26")) {
    return new Error(`${parsing}: ${isUndecodable ? `error decoding ${name}: ` : ""}${reason}`, { cause });
  }
  return new Error(`error while parsing ${name}: ${isUndecodable ? `${parsing}: ` : ""}${reason}`, { cause });
}

class TransformersByResource {
  readonly #options: EncryptionOptions;
  readonly #byResource = new Map<string, PrefixedTransformer[]>();

  constructor(options: EncryptionOptions) {
    this.#options = options;
  }

  /** The providers of several rules for one resource are combined, in order. */
  async add({ resources, providers }: EncryptionRule, opened: EncryptionProviders): Promise<void> {
    const transformers: PrefixedTransformer[] = [];
    for (const provider of providers) transformers.push(await opened.open(provider));
    for (const resource of resources) {
      const [, ...wildcards] = rulesFor(resource, this.#options.level);
      const mask = wildcards.find((wildcard) => wildcard !== resource && this.#byResource.has(wildcard));
      if (mask !== undefined) {
        throw new Error(
          `resource ${JSON.stringify(resource)} is masked by earlier rule ${JSON.stringify(mask)}`,
        );
      }
      this.#byResource.set(resource, [...(this.#byResource.get(resource) ?? []), ...transformers]);
    }
  }

  finish(providers: EncryptionProviders): Encryption {
    const { level, observer, isReloaded } = this.#options;
    const isOne = isAtLeast(level, "1.26") && (isReloaded || providers.allV2);
    return {
      transformerFor: (group, resource) => {
        const name = qualifiedResource({ group, resource });
        const rule = rulesFor(name, level).find((each) => this.#byResource.has(each));
        const known = rule === undefined ? undefined : this.#byResource.get(rule);
        return (
          known &&
          new PrefixTransformers(
            "no matching prefix found",
            known.map((each) => observedTransformer(each, name, observer)),
          )
        );
      },
      healthChecks: isOne
        ? [{ name: allServices, check: () => checkAll(providers.checks) }]
        : providers.checks.map((check, index) => ({ name: nameOf(index), check })),
      get seeds() {
        return providers.seeds;
      },
      callsMs: providers.callsMs,
      close: () => providers.close(),
    };
  }
}

function nameOf(index: number): string {
  return `kms-provider-${index}`;
}

/** One after the other. */
async function checkAll(checks: readonly KmsCheck[]): Promise<void> {
  const problems: string[] = [];
  for (const [index, check] of checks.entries()) {
    await check().catch((error: unknown) => problems.push(`${nameOf(index)}: ${messageOf(error)}`));
  }
  if (problems.length > 0) throw new Error(aggregateText(problems));
}
