import { dirname, resolve } from "node:path";
import { messageOf } from "../../apimachinery/errors/message-of.js";
import { isJsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { parseYaml } from "../../apimachinery/yaml/parse-yaml.js";

/** The configuration file's part for each plugin, by name. */
export type PluginConfigurations = ReadonlyMap<string, JsonValue>;

export interface AdmissionConfigurationSource {
  /** API group of the configuration itself: `apiserver.config.<domain>`. */
  readonly group: string;
  /** API group of its first version: `apiserver.<domain>`. */
  readonly alphaGroup: string;
  /** All known plugins. */
  readonly plugins: readonly { readonly name: string; readonly isConfigurable?: boolean }[];
  readonly readFile: (path: string) => Promise<Uint8Array>;
}

/** Plugins whose file the option may name directly: they had files before AdmissionConfiguration existed. */
const pluginsOfUntypedFiles = ["ImagePolicyWebhook", "PodNodeSelector"];

/**
 * Reads the file of `--admission-control-config-file`, YAML or JSON, and the files that it names relative to itself. Throws an `Error`
 * that says what is wrong. Source: Kubernetes documentation, "Admission Controllers Reference", kinds AdmissionConfiguration v1 and
 * v1alpha1.
 */
export async function readAdmissionConfiguration(
  path: string,
  source: AdmissionConfigurationSource,
): Promise<PluginConfigurations> {
  const file = await readYaml(path, source);
  if (!isJsonObject(file)) throw new Error(`${path}: not an AdmissionConfiguration`);
  const { apiVersion, kind, plugins = [] } = file;
  if (apiVersion === undefined && kind === undefined) {
    return new Map(pluginsOfUntypedFiles.map((name) => [name, file]));
  }
  const versions = [`${source.group}/v1`, `${source.alphaGroup}/v1alpha1`];
  if (kind !== "AdmissionConfiguration" || !versions.includes(String(apiVersion))) {
    const found = `${JSON.stringify(apiVersion ?? "")}, kind ${JSON.stringify(kind ?? "")}`;
    throw new Error(`${path}: want AdmissionConfiguration of ${versions.join(" or ")}, got version ${found}`);
  }
  if (!Array.isArray(plugins)) throw new Error(`${path}: plugins: must be a list`);
  const found = new Map<string, JsonValue>();
  for (const [index, entry] of plugins.entries()) {
    const at = `${path}: plugins[${index}]`;
    const name = nameOf(entry, at, source);
    const isRepeated = plugins
      .slice(0, index)
      .some((earlier) => isJsonObject(earlier) && earlier.name === name);
    if (isRepeated) throw new Error(`${at}: plugin ${JSON.stringify(name)} is configured twice`);
    const configuration = await configurationOf(entry, dirname(path), at, source);
    if (configuration !== undefined) found.set(name, configuration);
  }
  return found;
}

function nameOf(entry: JsonValue, at: string, { plugins }: AdmissionConfigurationSource): string {
  const name = isJsonObject(entry) ? entry.name : undefined;
  if (typeof name !== "string" || name === "") throw new Error(`${at}.name: must name a plugin`);
  const plugin = plugins.find((known) => known.name === name);
  if (plugin === undefined) throw new Error(`${at}.name: plugin ${JSON.stringify(name)} is unknown`);
  if (plugin.isConfigurable !== true) throw new Error(`${at}: plugin ${name} takes no configuration`);
  return name;
}

/** Inline or by path; inline wins when both are given. */
async function configurationOf(
  entry: JsonValue,
  directory: string,
  at: string,
  source: AdmissionConfigurationSource,
): Promise<JsonValue | undefined> {
  const { path, configuration } = isJsonObject(entry) ? entry : {};
  if (configuration !== undefined && configuration !== null) return configuration;
  if (path === undefined || path === "") return undefined;
  if (typeof path !== "string") throw new Error(`${at}.path: must be a string`);
  const file = resolve(directory, path);
  return await readYaml(file, source);
}

async function readYaml(path: string, { readFile }: AdmissionConfigurationSource): Promise<JsonValue> {
  const bytes = await readFile(path);
  try {
    return await parseYaml(bytes);
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`, { cause: error });
  }
}
