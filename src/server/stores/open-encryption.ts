import { readFile } from "node:fs/promises";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Naming } from "../../naming/naming.js";
import type { Encryption, KmsHealthCheck } from "../../storage/transform/encryption.js";
import type { SharedSeeds } from "../../storage/transform/shared-seed.js";
import type { TransformationObserver } from "../../storage/transform/transformation-observer.js";
import type { ValueTransformer } from "../../storage/transform/value-transformer.js";
import type { Logger } from "../../telemetry/logger.js";
import { systemClock } from "../../time/clock.js";
import { FeatureGates } from "../options/feature-gates.js";
import type { Options } from "../options/options.js";
import { FollowedFile } from "../settings/followed-file.js";
import type { EncryptionReloads } from "./encryption-reloads.js";

/** What another thread continues with. It can be cloned. */
export interface EncryptionInUse {
  /** Content of the file of `--encryption-provider-config`. */
  readonly content: Uint8Array;
  readonly seeds: SharedSeeds;
}

export interface StoreEncryptionParts {
  readonly options: Options;
  readonly naming: Naming;
  readonly observer: TransformationObserver;
  readonly log: Pick<Logger, "info" | "error">;
  /** Undefined when another thread follows the file. */
  readonly reloads?: EncryptionReloads | undefined;
  /** Replaces the file. */
  readonly inUse?: EncryptionInUse | undefined;
}

/** The encryption configured by the file of `--encryption-provider-config`, which may be reloaded when it changes. */
export class StoreEncryption {
  readonly #encryption: Encryption;
  /** The content in use. */
  #content: Uint8Array;
  #followed: FollowedFile | undefined;

  private constructor(encryption: Encryption, content: Uint8Array) {
    this.#encryption = encryption;
    this.#content = content;
  }

  /** Undefined without a file. Loads the cipher library only if something is encrypted. */
  static async open(parts: StoreEncryptionParts): Promise<StoreEncryption | undefined> {
    const { options, naming, observer, log, reloads, inUse } = parts;
    const { encryptionProviderConfig: file, apiLevel: level } = options;
    if (file === undefined || file === "") return undefined;
    const { openEncryption } = await import("../../storage/transform/encryption.js");
    const gates = new FeatureGates(options.featureGates, level);
    const isReloaded = options.encryptionProviderConfigAutomaticReload;
    const open = (bytes: Uint8Array): Promise<Encryption> =>
      openEncryption(bytes, {
        file,
        group: naming.group("apiserver.config"),
        level,
        isReloaded,
        isEnabled: gates.isEnabled,
        encryptedPrefix: naming.encryptedValuePrefix,
        observer,
        notice: (text) => log.info(text),
        seeds: inUse?.seeds,
        seedChanged: reloads?.seedChanged,
      });
    const content = inUse?.content ?? (await contentOf(options, file));
    const opened = await open(content);
    reloads?.started(content);
    if (!isReloaded) return new StoreEncryption(opened, content);
    const { ReloadedEncryption } = await import("../../storage/transform/reloaded-encryption.js");
    const { createIdentityTransformer } = await import("../../storage/transform/identity-transformer.js");
    const identity = createIdentityTransformer(Buffer.from(naming.encryptedValuePrefix));
    const reloaded = new ReloadedEncryption(opened, { open, identity, clock: systemClock });
    const made = new StoreEncryption(reloaded, content);
    if (reloads === undefined) return made;
    made.#followed = new FollowedFile(Buffer.from(content), {
      file,
      isRetried: true,
      onChange: async (changed) => {
        await reloaded.replace(changed);
        made.#content = changed;
        reloads.succeeded(changed);
        log.info("the changed encryption configuration is in use", { file });
      },
      onProblem: (error) => {
        reloads.failed();
        log.error(
          "the changed encryption configuration cannot be used; the previous one stays in use",
          error,
          { file },
        );
      },
    });
    return made;
  }

  get inUse(): EncryptionInUse {
    return { content: this.#content, seeds: this.#encryption.seeds };
  }

  get healthChecks(): readonly KmsHealthCheck[] {
    return this.#encryption.healthChecks;
  }

  transformerFor(group: string, resource: string): ValueTransformer | undefined {
    return this.#encryption.transformerFor(group, resource);
  }

  async close(): Promise<void> {
    // First, so that closing does not wait for the services of a file that is being loaded.
    this.#encryption.close();
    await this.#followed?.close();
  }
}

async function contentOf({ apiLevel: level }: Options, file: string): Promise<Buffer> {
  const quoted = JSON.stringify(file);
  const parsing = isAtLeast(level, "1.29")
    ? "error while parsing file: error while loading file: "
    : "error while parsing file: ";
  const where = isAtLeast(level, "1.26") ? parsing : "";
  const content = await readFile(file).catch((cause: unknown) => {
    const verb = isAtLeast(level, "1.30") ? "reading" : "opening";
    throw new Error(
      `${where}error ${verb} encryption provider configuration file ${quoted}: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  });
  if (content.length === 0 && isAtLeast(level, "1.26")) {
    throw new Error(`${where}encryption provider configuration file ${quoted} is empty`);
  }
  return content;
}
