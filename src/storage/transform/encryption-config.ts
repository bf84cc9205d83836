import { parseDocument } from "yaml";
import { type FieldError, FieldPath, invalid, required } from "../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { parseDuration } from "../../apimachinery/values/duration.js";

export interface EncryptionKey {
  readonly name: string;
  readonly secret: Uint8Array;
}

export type EncryptionProvider =
  | { readonly kind: "identity" }
  | { readonly kind: "aescbc" | "aesgcm" | "secretbox"; readonly keys: readonly EncryptionKey[] }
  | {
      readonly kind: "kms";
      readonly name: string;
      readonly endpoint: string;
      /** Keys remembered; negative for none. */
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
}

const providerNames = ["kms", "aesgcm", "aescbc", "secretbox", "identity"] as const;
const aesKeyBytes = [16, 24, 32];
const secretBoxKeyBytes = [32];
const timeoutMsDefault = 3000;
const nanosPerMs = 1e6;
const cacheSizeDefault = 1000;
const kind = "EncryptionConfiguration";

/**
 * Reads the file of `--encryption-provider-config` (YAML or JSON). Throws with everything that is wrong with it, in Kubernetes'
 * words; secrets never appear in a message. Source: apiserver `pkg/apis/config/validation/validation.go`.
 */
export function parseEncryptionConfig(text: string, format: EncryptionConfigFormat): EncryptionRule[] {
  const document = parseDocument(text);
  const failure = document.errors[0];
  if (failure !== undefined) throw new Error(`error while parsing file: ${failure.message}`);
  const file: unknown = document.toJS();
  if (!isRecord(file)) throw new Error(`error while parsing file: not an ${kind}`);
  const { apiVersion } = file;
  if (apiVersion !== `${format.group}/v1` || file.kind !== kind) {
    const found = `${JSON.stringify(String(apiVersion ?? ""))}, kind ${JSON.stringify(String(file.kind ?? ""))}`;
    throw new Error(`error while parsing file: want ${kind} of ${format.group}/v1, got version ${found}`);
  }
  const reader = new ConfigReader();
  const rules = reader.rules(file.resources);
  if (isAtLeast(format.level, "1.26")) reader.errors.push(...resourceErrors(rules));
  if (reader.errors.length > 0) {
    const texts = reader.errors.map(({ field, body }) => `${field}: ${body}`);
    throw new Error(texts.length === 1 ? texts[0] : `[${texts.join(", ")}]`);
  }
  return rules;
}

class ConfigReader {
  readonly errors: FieldError[] = [];

  rules(value: unknown): EncryptionRule[] {
    const path = FieldPath.of("resources");
    const elements = this.#list(value, path);
    return elements.map((element, index) => {
      const at = path.index(index);
      const fields = this.#record(element, at);
      const resources = this.#list(fields.resources, at.child("resources")).map((resource, position) =>
        this.#text(resource, at.child("resources").index(position)),
      );
      const providersPath = at.child("providers");
      const providers = this.#list(fields.providers, providersPath).flatMap((provider, position) =>
        this.#provider(provider, providersPath.index(position)),
      );
      return { resources, providers };
    });
  }

  #provider(value: unknown, path: FieldPath): EncryptionProvider[] {
    const fields = this.#record(value, path);
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
    const settings = this.#record(fields[name], at);
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
      const fields = this.#record(element, at);
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
    const name = this.#text(fields.name, path.child("name"));
    if (name === "")
      this.errors.push(required(path.child("name"), "name is a mandatory field for a provider"));
    const timeoutMs = this.#timeout(fields.timeout, path.child("timeout"));
    const endpoint = this.#text(fields.endpoint, path.child("endpoint"));
    this.#checkEndpoint(endpoint, path.child("endpoint"));
    const cacheSize = fields.cachesize ?? cacheSizeDefault;
    if (typeof cacheSize !== "number" || !Number.isInteger(cacheSize) || cacheSize === 0) {
      const detail = "cachesize should be a positive value, or negative to disable";
      this.errors.push(invalid(path.child("cachesize"), cacheSize, detail));
    }
    return { kind: "kms", name, endpoint, cacheSize: Number(cacheSize), timeoutMs };
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

  #record(value: unknown, path: FieldPath): Record<string, unknown> {
    if (isRecord(value)) return value;
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** From 1.26 on, which has the wildcards `*.` for the core group, `*.GROUP` and `*.*`. */
function resourceErrors(rules: readonly EncryptionRule[]): FieldError[] {
  return rules.flatMap(({ resources }, ruleIndex) => {
    const path = FieldPath.of("resources").index(ruleIndex).child("resources");
    return resources.flatMap((resource, index) => {
      const at = path.index(index);
      const problem = (why: string) => [invalid(at, resource, why)];
      if (resource !== resource.toLowerCase())
        return problem("resource name should not contain capital letters");
      if (resource === "*") {
        return problem(
          "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources",
        );
      }
      if (resources.indexOf(resource) < index) {
        return problem("the same resource cannot be specified multiple times");
      }
      const wildcards = [resource === "*.*" ? undefined : "*.*", `*.${groupOf(resource)}`];
      return wildcards.some(
        (wildcard) => wildcard !== resource && wildcard !== undefined && resources.includes(wildcard),
      )
        ? problem(
            "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
          )
        : [];
    });
  });
}

/** `apps` of `deployments.apps`; empty for the core. */
function groupOf(resource: string): string {
  const dot = resource.indexOf(".");
  return dot < 0 ? "" : resource.slice(dot + 1);
}

/** The rules that may be about a resource, the most specific first: `secrets`, and from 1.26 on `*.` and `*.*`. */
export function rulesFor(resource: string, level: ApiLevel): readonly string[] {
  if (!isAtLeast(level, "1.26")) return [resource];
  return [resource, `*.${groupOf(resource)}`, "*.*"];
}
