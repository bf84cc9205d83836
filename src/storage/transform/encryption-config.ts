import { isRecord } from "../../apimachinery/collections/is-record.js";
import { type FieldError, FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { aggregate } from "../../apimachinery/errors/shown-errors.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { parseDuration } from "../../apimachinery/values/duration.js";
import { parseYaml } from "../../apimachinery/yaml/parse-yaml.js";
import { hasWildcards, resourceErrors } from "./encrypted-resources.js";
import { StrictFields } from "./strict-fields.js";

export interface EncryptionKey {
  readonly name: string;
  readonly secret: Uint8Array;
}

export type EncryptionProvider =
  | { readonly kind: "identity" }
  | { readonly kind: "aescbc" | "aesgcm" | "secretbox"; readonly keys: readonly EncryptionKey[] }
  | {
      readonly kind: "kms";
      /** Version of the service's protocol. */
      readonly version: "v1" | "v2";
      readonly name: string;
      readonly endpoint: string;
      /** How many keys are cached; negative for none. */
      readonly cacheSize: number;
      readonly timeoutMs: number;
    };

export interface EncryptionRule {
  /** `secrets`, `deployments.apps`. */
  readonly resources: readonly string[];
  readonly providers: readonly EncryptionProvider[];
}

export interface EncryptionConfigFormat {
  /** API group of the file: `apiserver.config.<domain>`. */
  readonly group: string;
  readonly level: ApiLevel;
  /** Whether the file is reloaded when it changes: no two key services may then have the same name. */
  readonly isReloaded: boolean;
}

/** The content is not a configuration. */
export class UndecodableConfig extends Error {}

const providerNames = ["kms", "aesgcm", "aescbc", "secretbox", "identity"] as const;
const aesKeyBytes = [16, 24, 32];
const secretBoxKeyBytes = [32];
const timeoutMsDefault = 3000;
const nanosPerMs = 1e6;
const cacheSizeDefault = 1000;
const kind = "EncryptionConfiguration";

/**
 * Reads the content of the file of `--encryption-provider-config` (YAML or JSON). Rejects with all problems, in Kubernetes' words; secrets
 * never appear in a message. Source: apiserver `pkg/apis/config/validation/validation.go`.
 */
export async function parseEncryptionConfig(
  content: Uint8Array,
  format: EncryptionConfigFormat,
): Promise<EncryptionRule[]> {
  const strict = new StrictFields();
  const file: unknown = await parseYaml(content, (key, line) => strict.repeated(key, line)).catch(
    (error: unknown) => {
      throw new UndecodableConfig(messageOf(error));
    },
  );
  if (!isRecord(file)) throw new UndecodableConfig(`not an ${kind}`);
  const { apiVersion } = file;
  if (apiVersion !== `${format.group}/v1` || file.kind !== kind) {
    const found = `${JSON.stringify(String(apiVersion ?? ""))}, kind ${JSON.stringify(String(file.kind ?? ""))}`;
    throw new UndecodableConfig(`want ${kind} of ${format.group}/v1, got version ${found}`);
  }
  const reader = new ConfigReader(format, strict);
  const rules = reader.rules(file);
  const strictly = isAtLeast(format.level, "1.31") ? strict.problem : undefined;
  if (strictly !== undefined) throw new UndecodableConfig(strictly);
  if (reader.errors.length > 0) throw new Error(aggregate(reader.errors));
  return rules;
}

class ConfigReader {
  readonly errors: FieldError[] = [];
  readonly #format: EncryptionConfigFormat;
  readonly #strict: StrictFields;
  /** Names of key services. */
  readonly #names = new Set<string>();

  constructor(format: EncryptionConfigFormat, strict: StrictFields) {
    this.#format = format;
    this.#strict = strict;
  }

  rules(file: Record<string, unknown>): EncryptionRule[] {
    this.#strict.known(file, FieldPath.root, ["apiVersion", "kind", "resources"]);
    const path = FieldPath.of("resources");
    const elements = this.#list(file.resources, path);
    return elements.map((element, index) => {
      const at = path.index(index);
      const fields = this.#record(element, at, ["resources", "providers"]);
      const resources = this.#resources(fields.resources, at.child("resources"));
      const providersPath = at.child("providers");
      const providers = this.#list(fields.providers, providersPath).flatMap((provider, position) =>
        this.#provider(provider, providersPath.index(position)),
      );
      return { resources, providers };
    });
  }

  #resources(value: unknown, path: FieldPath): readonly string[] {
    const resources = this.#list(value, path).map((resource, index) =>
      this.#text(resource, path.index(index)),
    );
    const { level, group } = this.#format;
    const groupDomain = group.slice("apiserver.config.".length);
    if (hasWildcards(level)) this.errors.push(...resourceErrors(resources, path, groupDomain));
    return resources;
  }

  #provider(value: unknown, path: FieldPath): EncryptionProvider[] {
    const fields = this.#record(value, path, providerNames);
    const present = providerNames.filter((name) => fields[name] !== undefined && fields[name] !== null);
    const [name] = present;
    if (name === undefined) {
      const expected = "KMS, AESGCM, AESCBC, Secretbox, Identity";
      const detail = `provider does not contain any of the expected providers: ${expected}`;
      this.errors.push(invalid(path, "REDACTED", detail));
      return [];
    }
    if (present.length > 1) {
      const detail =
        "more than one provider specified in a single element, should split into different list elements";
      this.errors.push(invalid(path, "REDACTED", detail));
      return [];
    }
    const at = path.child(name);
    const settings = this.#record(fields[name], at, settingsOf(name));
    switch (name) {
      case "identity":
        return [{ kind: name }];
      case "kms":
        return [this.#kms(settings, at)];
      default: {
        const sizes = name === "secretbox" ? secretBoxKeyBytes : aesKeyBytes;
        return [{ kind: name, keys: this.#keys(settings.keys, at.child("keys"), sizes) }];
      }
    }
  }

  #keys(value: unknown, path: FieldPath, sizes: readonly number[]): EncryptionKey[] {
    return this.#list(value, path, "keys").map((element, index) => {
      const at = path.index(index);
      const fields = this.#record(element, at, ["name", "secret"]);
      const name = this.#text(fields.name, at.child("name"));
      if (name === "") this.errors.push(required(at.child("name"), "name is a mandatory field for a key"));
      const encoded = this.#text(fields.secret, at.child("secret"));
      return { name, secret: this.#secret(encoded, at.child("secret"), sizes) };
    });
  }

  #secret(encoded: string, path: FieldPath, sizes: readonly number[]): Uint8Array {
    const secret = Buffer.from(encoded, "base64");
    if (encoded === "") {
      this.errors.push(required(path, "secret is a mandatory field for a key"));
    } else if (secret.toString("base64") !== encoded.replace(/[\r\n]/g, "")) {
      this.errors.push(invalid(path, "REDACTED", "secrets must be base64 encoded"));
    } else if (!sizes.includes(secret.length)) {
      const detail = `secret is not of the expected length, got ${secret.length}, expected one of [${sizes.join(" ")}]`;
      this.errors.push(invalid(path, "REDACTED", detail));
    }
    return secret;
  }

  #kms(fields: Record<string, unknown>, path: FieldPath): EncryptionProvider {
    const { level } = this.#format;
    const given = isAtLeast(level, "1.25") ? this.#text(fields.apiVersion, path.child("apiVersion")) : "";
    const version = given === "" ? "v1" : given;
    const name = this.#text(fields.name, path.child("name"));
    this.#checkName(name, version, path.child("name"));
    const timeoutMs = this.#timeout(fields.timeout, path.child("timeout"));
    const endpoint = this.#text(fields.endpoint, path.child("endpoint"));
    this.#checkEndpoint(endpoint, path.child("endpoint"));
    const cacheSize = fields.cachesize ?? cacheSizeDefault;
    if (version !== "v1" && isAtLeast(level, "1.27")) {
      if (fields.cachesize !== undefined && fields.cachesize !== null)
        this.errors.push(invalid(path.child("cachesize"), cacheSize, "cachesize is not supported in v2"));
    } else if (typeof cacheSize !== "number" || !Number.isInteger(cacheSize) || cacheSize === 0) {
      const detail = "cachesize should be a positive value, or negative to disable";
      this.errors.push(invalid(path.child("cachesize"), cacheSize, detail));
    }
    if (version !== "v1" && version !== "v2") {
      const detail = "unsupported apiVersion apiVersion for KMS provider, only v1 and v2 are supported";
      this.errors.push(invalid(path.child("apiVersion"), version, detail));
    }
    return {
      kind: "kms",
      version: version === "v2" ? "v2" : "v1",
      name,
      endpoint,
      cacheSize: Number(cacheSize),
      timeoutMs,
    };
  }

  #checkName(name: string, version: string, path: FieldPath): void {
    const { level, isReloaded } = this.#format;
    if (name === "") this.errors.push(required(path, "name is a mandatory field for a provider"));
    if (version !== "v1" && name.includes(":")) {
      this.errors.push(invalid(path, name, `invalid KMS provider name ${name}, must not contain ':'`));
    }
    if ((isReloaded || version !== "v1") && isAtLeast(level, "1.26") && this.#names.has(name)) {
      this.errors.push(invalid(path, name, `duplicate KMS provider name ${name}, names must be unique`));
    }
    this.#names.add(name);
  }

  #timeout(value: unknown, path: FieldPath): number {
    if (value === undefined || value === null) return timeoutMsDefault;
    const nanos = typeof value === "string" ? parseDuration(value) : undefined;
    if (nanos === undefined || nanos <= 0n) {
      this.errors.push(invalid(path, value, "timeout should be a positive value"));
      return timeoutMsDefault;
    }
    return Number(nanos) / nanosPerMs;
  }

  #checkEndpoint(endpoint: string, path: FieldPath): void {
    if (endpoint === "") {
      this.errors.push(invalid(path, "", "endpoint is a mandatory field for a kms"));
      return;
    }
    const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):/.exec(endpoint)?.[1]?.toLowerCase() ?? "";
    if (!URL.canParse(endpoint) && scheme !== "") {
      this.errors.push(invalid(path, endpoint, "invalid endpoint for kms provider, error: not a URL"));
    } else if (scheme !== "unix") {
      const detail = `unsupported scheme ${JSON.stringify(scheme)} for KMS provider, only unix is supported`;
      this.errors.push(invalid(path, endpoint, detail));
    }
  }

  #list(value: unknown, path: FieldPath, name = path.toString()): readonly unknown[] {
    const elements = value ?? [];
    if (!Array.isArray(elements)) {
      this.errors.push(invalid(path, "REDACTED", "must be a list"));
      return [];
    }
    if (elements.length === 0) this.errors.push(required(path, `at least one ${name} is required`));
    return elements;
  }

  #record(value: unknown, path: FieldPath, known: readonly string[]): Record<string, unknown> {
    if (isRecord(value)) {
      this.#strict.known(value, path, known);
      return value;
    }
    this.errors.push(invalid(path, "REDACTED", "must be an object"));
    return {};
  }

  #text(value: unknown, path: FieldPath): string {
    if (typeof value === "string") return value;
    if (value !== undefined && value !== null)
      this.errors.push(invalid(path, "REDACTED", "must be a string"));
    return "";
  }
}

function settingsOf(provider: (typeof providerNames)[number]): readonly string[] {
  switch (provider) {
    case "kms":
      return ["apiVersion", "name", "cachesize", "endpoint", "timeout"];
    case "identity":
      return [];
    default:
      return ["keys"];
  }
}
