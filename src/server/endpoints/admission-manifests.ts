import { isAbsolute } from "node:path";
import type { PluginConfigurations } from "../../admission/configuration/admission-configuration.js";
import { ManifestDirectory } from "../../admission/manifests/manifest-directory.js";
import type { ManifestObject } from "../../admission/manifests/manifest-rules.js";
import type { ManifestKind, ManifestPlugin, Manifests } from "../../admission/manifests/manifests.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { hubVersion } from "../../apis/definition/resource-definition.js";
import { controllerUser } from "../../controllers/controller.js";
import type { Naming } from "../../naming/naming.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { Logger } from "../../telemetry/logger.js";
import type { Metrics } from "../../telemetry/metrics.js";
import { systemClock } from "../../time/clock.js";
import type { Closing } from "../lifecycle/closing.js";
import { type ManifestObserver, manifestMetrics } from "../metrics/manifest-metrics.js";
import type { FeatureGates } from "../options/feature-gates.js";
import type { ServerIdentity } from "../settings/server-identity.js";

export interface AdmissionManifestsParts {
  readonly configurations: PluginConfigurations;
  readonly naming: Naming;
  readonly gates: FeatureGates;
  /** Called on use. */
  readonly builtin: BuiltinRegistries;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly identity: ServerIdentity;
}

const kinds: Readonly<Record<ManifestPlugin, Readonly<Record<string, ManifestKind>>>> = {
  MutatingAdmissionPolicy: {
    MutatingAdmissionPolicy: "mutatingadmissionpolicies.admissionregistration",
    MutatingAdmissionPolicyBinding: "mutatingadmissionpolicybindings.admissionregistration",
  },
  MutatingAdmissionWebhook: {
    MutatingWebhookConfiguration: "mutatingwebhookconfigurations.admissionregistration",
  },
  ValidatingAdmissionPolicy: {
    ValidatingAdmissionPolicy: "validatingadmissionpolicies.admissionregistration",
    ValidatingAdmissionPolicyBinding: "validatingadmissionpolicybindings.admissionregistration",
  },
  ValidatingAdmissionWebhook: {
    ValidatingWebhookConfiguration: "validatingwebhookconfigurations.admissionregistration",
  },
};

const lookMs = 2000;

/** Webhooks and policies from the directories that the configurations of plugins name. Source: KEP-5793. */
export class AdmissionManifests {
  readonly #parts: AdmissionManifestsParts;
  readonly #directories = new Map<ManifestPlugin, ManifestDirectory>();
  readonly #reported = new Map<ManifestPlugin, string>();
  #looking: Promise<void> | undefined;

  constructor(parts: AdmissionManifestsParts) {
    this.#parts = parts;
  }

  /** Undefined when the plugin's configuration names no directory. Throws an `Error` for one that cannot be used. */
  of(plugin: ManifestPlugin): Manifests | undefined {
    const { configurations, naming, gates } = this.#parts;
    const directory = directoryOf(configurations.get(plugin));
    if (directory === undefined) return undefined;
    if (!gates.isEnabled("ManifestBasedAdmissionControlConfig")) {
      throw new Error(
        "staticManifestsDir: Forbidden: staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled",
      );
    }
    const quoted = JSON.stringify(directory);
    if (!isAbsolute(directory))
      throw new Error(`staticManifestsDir: Invalid value: ${quoted}: must be an absolute file path`);
    const made = new ManifestDirectory({
      directory,
      apiVersion: `${naming.group("admissionregistration")}/v1`,
      suffix: `.static.${naming.groupDomain}`,
      resourceOf: (kind) => kinds[plugin][kind],
      decode: (resource, json) => this.#decode(resource, json),
    });
    this.#directories.set(plugin, made);
    return made;
  }

  /** Reads all files, and reloads them when they change. Rejects if they cannot be used. */
  async start(closing: Closing): Promise<void> {
    if (this.#directories.size === 0) return;
    const counted = manifestMetrics(this.#parts.metrics, this.#parts.identity.name);
    for (const [plugin, directory] of this.#directories) {
      try {
        await directory.load();
      } catch (error) {
        throw new Error(`failed to load static manifests of ${plugin}: ${messageOf(error)}`, {
          cause: error,
        });
      }
      counted(plugin, directory.hash);
    }
    const stop = systemClock.every(lookMs, () => {
      this.#looking ??= this.#look(counted).finally(() => {
        this.#looking = undefined;
      });
    });
    closing.add(async () => {
      stop();
      await this.#looking;
    });
  }

  async #look(counted: ManifestObserver): Promise<void> {
    const { log } = this.#parts;
    for (const [plugin, directory] of this.#directories) {
      try {
        if (await directory.load()) {
          log.info("the changed manifests of an admission plugin are in use", { plugin });
          counted(plugin, directory.hash);
        }
        this.#reported.delete(plugin);
      } catch (error) {
        const reason = messageOf(error);
        if (this.#reported.get(plugin) === reason) continue;
        this.#reported.set(plugin, reason);
        log.warn(
          "the changed manifests of an admission plugin cannot be used; the previous ones stay in use",
          { plugin, reason },
        );
        counted(plugin, undefined);
      }
    }
  }

  #decode(resource: ManifestKind, json: JsonObject): ManifestObject {
    const { definition } = this.#parts.builtin(resource);
    const version = hubVersion(definition);
    const { apiVersion: _version, kind: _kind, ...members } = json;
    const object = version.codec.fromJson(members, {
      onUnknownField(path) {
        throw new Error(`unknown field ${JSON.stringify(path)}`);
      },
    }) as ManifestObject; // the codec is that of the kind
    version.setDefaults?.(object);
    const write = {
      namespace: "",
      user: controllerUser("system:apiserver"),
      now: new Date(systemClock.now()),
      dryRun: false,
    };
    // Their names must be reserved ones, which objects of the API cannot have.
    const [problem] = definition.strategy
      .validate(write, object)
      .filter(({ field }) => field !== "metadata.name");
    if (problem !== undefined) throw new Error(`${problem.field}: ${problem.body}`);
    return object;
  }
}

function directoryOf(configuration: JsonValue | undefined): string | undefined {
  const directory = isJsonObject(configuration) ? configuration.staticManifestsDir : undefined;
  if (directory === undefined || directory === "") return undefined;
  if (typeof directory !== "string") throw new Error("staticManifestsDir: must be a string");
  return directory;
}
