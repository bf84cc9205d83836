import { existsSync } from "node:fs";
import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { YamlPool } from "../../apimachinery/yaml/yaml-pool.js";
import { YamlThread } from "../../apimachinery/yaml/yaml-thread.js";

/** Converts long texts in threads, if the threads' program is available. */
export function createYamlConverter(): YamlConverter {
  return new YamlConverter(yamlPool());
}

/** Undefined when running from source. */
function yamlPool(): YamlPool | undefined {
  const script = process.env.ORCH_YAML_WORKER;
  if (script === undefined) return undefined;
  const url = new URL(script, import.meta.url);
  return existsSync(url) ? new YamlPool({ any: new YamlThread(url), small: new YamlThread(url) }) : undefined;
}
