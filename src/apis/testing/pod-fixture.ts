import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { setPodDefaults } from "../core/pod/defaults.js";
import type { ApiContext } from "../definition/api-context.js";
import type { Pod } from "../gen/core-v1.js";

/** A decoded pod: `ns/web` with one container `app`, changed by `spec` and `metadata`. */
export function testPod(context: ApiContext, spec: JsonObject = {}, metadata: JsonObject = {}): Pod {
  const pod = context.schemas.codec<Pod>("core/v1.Pod").fromJson({
    metadata: { name: "web", namespace: "ns", ...metadata },
    spec: { containers: [{ name: "app", image: "app:1" }], ...spec },
  });
  setPodDefaults(pod, context);
  return pod;
}
