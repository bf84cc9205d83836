import { quoted } from "../../apimachinery/errors/quoted-text.js";
import { hasLevel } from "../../apimachinery/levels/api-level.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { nodeFeatures } from "../checks/node-features.js";
import { changedOnNode } from "../checks/pod-writes.js";
import type { PluginContext } from "./plugin-context.js";

type Context = Pick<PluginContext, "cluster" | "isEnabled" | "level">;

/** Refuses changes of a running pod that need features which its node does not declare. Source: KEP-5328. */
export function nodeDeclaredFeatureValidator({ cluster, isEnabled, level }: Context): AdmissionPlugin {
  if (!isEnabled("NodeDeclaredFeatures")) return { operations: ["UPDATE"] };
  const features = nodeFeatures.filter((feature) => hasLevel(feature, level));
  const declared = cluster.follow("nodes", {
    view: (stored) => new Set(stored.decode().status.declaredFeatures),
  });
  return {
    operations: ["UPDATE"],
    validate(attributes) {
      const change = changedOnNode(attributes, ["resize"]);
      if (change === undefined) return;
      const { pod, old, nodeName } = change;
      const needed = features.filter(({ isNeededFor }) => isNeededFor(pod, old));
      if (needed.length === 0) return;
      const known = declared.get(nodeName);
      if (known === undefined) throw refused(attributes, `node ${quoted(nodeName)} not found`);
      const lacking = needed.map(({ name }) => name).filter((name) => !known.has(name));
      if (lacking.length === 0) return;
      const which = lacking.join(", ");
      throw refused(
        attributes,
        `pod update requires features ${which} which are not available on node ${quoted(nodeName)}`,
      );
    },
  };
}
