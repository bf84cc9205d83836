import { existsSync } from "node:fs";
import { YamlConverter } from "../apimachinery/yaml/yaml-converter.js";
import { YamlThread } from "../apimachinery/yaml/yaml-thread.js";

/** Converts long texts on a thread of its own where the program of that thread is at hand. */
export function createYamlConverter(): YamlConverter {
  return new YamlConverter(yamlThread());
}

/** This project's bundles have the thread's program beside them; run from source or bundled anew, it is missing. */
function yamlThread(): YamlThread | undefined {
  const script = process.env.ORCH_YAML_WORKER;
  if (script === undefined) return undefined;
  const url = new URL(script, import.meta.url);
  return existsSync(url) ? new YamlThread(url) : undefined;
}
