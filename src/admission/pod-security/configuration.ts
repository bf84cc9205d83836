import { isDns1123Label, isDns1123Subdomain } from "../../apimachinery/validation/dns-names.js";
import { ConfigurationReader } from "../configuration/configuration-reader.js";
import { type LevelVersion, parseLevel, parseVersion, wrongLevel, wrongVersion } from "./level.js";
import { type Mode, modes, type Policy } from "./policy.js";

export interface PodSecurityConfiguration {
  /** Defaults for namespaces without labels. */
  readonly defaults: Policy;
  readonly exemptions: {
    readonly usernames: ReadonlySet<string>;
    readonly namespaces: ReadonlySet<string>;
    readonly runtimeClasses: ReadonlySet<string>;
  };
}

/** Throws an `Error` that names the field. `group` is `pod-security.admission.config.<domain>`. */
export function readPodSecurityConfiguration(value: unknown, group: string): PodSecurityConfiguration {
  const reader = ConfigurationReader.of(value, "PodSecurityConfiguration", [
    `${group}/v1alpha1`,
    `${group}/v1beta1`,
    `${group}/v1`,
  ]);
  reader.allow("defaults", "exemptions");
  const defaults = reader.record("defaults");
  defaults.allow(...modes, ...modes.map((mode) => `${mode}-version`));
  const exemptions = reader.record("exemptions");
  exemptions.allow("usernames", "namespaces", "runtimeClasses");
  const of = (mode: Mode): LevelVersion => {
    const level = parseLevel(defaults.text(mode) ?? "privileged");
    if (level === undefined) throw defaults.problem(mode, wrongLevel);
    const version = parseVersion(defaults.text(`${mode}-version`) ?? "latest");
    if (version === undefined) throw defaults.problem(`${mode}-version`, wrongVersion);
    return { level, version };
  };
  const names = (field: string, isValid: (name: string) => boolean): ReadonlySet<string> => {
    const found = exemptions.texts(field);
    for (const [index, name] of found.entries()) {
      if (!isValid(name))
        throw exemptions.problem(`${field}[${index}]`, `invalid name ${JSON.stringify(name)}`);
      if (found.indexOf(name) !== index) {
        throw exemptions.problem(`${field}[${index}]`, `duplicate value ${JSON.stringify(name)}`);
      }
    }
    return new Set(found);
  };
  return {
    defaults: { enforce: of("enforce"), audit: of("audit"), warn: of("warn") },
    exemptions: {
      usernames: names("usernames", (name) => name !== ""),
      namespaces: names("namespaces", (name) => isDns1123Label(name).length === 0),
      runtimeClasses: names("runtimeClasses", (name) => isDns1123Subdomain(name).length === 0),
    },
  };
}
