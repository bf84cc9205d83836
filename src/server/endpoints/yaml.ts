import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { YamlPool } from "../../apimachinery/yaml/yaml-pool.js";
import { YamlThread } from "../../apimachinery/yaml/yaml-thread.js";
import { builtFile } from "../settings/built-file.js";

/** Converts long texts in threads, if the threads' program is available. */
export function createYamlConverter(): YamlConverter {
  return new YamlConverter(yamlPool());
}

function yamlPool(): YamlPool | undefined {
  const script = builtFile(process.env.ORCH_YAML_WORKER);
  return script && new YamlPool({ any: new YamlThread(script), small: new YamlThread(script) });
}
