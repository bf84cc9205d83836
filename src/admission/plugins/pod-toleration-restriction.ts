import { messageOf } from "../../apimachinery/errors/message-of.js";
import { qosClassOf } from "../../apis/core/pod-spec/qos-class.js";
import type { Toleration } from "../../apis/gen/core-v1.js";
import type { Naming } from "../../naming/naming.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { podWriteOf } from "../checks/pod-writes.js";
import { areCovered, mergeTolerations } from "../checks/tolerations.js";
import { ConfigurationReader } from "../configuration/configuration-reader.js";
import type { PluginContext } from "./plugin-context.js";

/** Adds the namespace's default tolerations to pods, and refuses tolerations that the namespace does not allow. */
export function podTolerationRestriction(
  { naming, namespaces }: Pick<PluginContext, "naming" | "namespaces">,
  configuration: unknown,
): AdmissionPlugin {
  const memoryPressure: Toleration = {
    key: `node.${naming.domain}/memory-pressure`,
    operator: "Exists",
    effect: "NoSchedule",
  };
  const cluster = readConfiguration(configuration, naming);
  const find = async (
    attributes: AdmissionAttributes,
    which: keyof ClusterTolerations,
  ): Promise<readonly Toleration[]> => {
    const { namespace } = attributes;
    const annotation = `scheduler.alpha.${naming.domain}/${which}`;
    const view = namespaces.get(namespace) ?? (await namespaces.read(namespace));
    const text = view?.annotations[annotation];
    if (text === undefined) return cluster[which];
    if (text === "") return [];
    try {
      const items: unknown = JSON.parse(text);
      return ConfigurationReader.plain({ items }).records("items").map(readToleration);
    } catch (error) {
      const why = messageOf(error);
      throw refused(attributes, `annotation ${annotation} of namespace ${namespace}: ${why}`);
    }
  };

  return {
    operations: ["CREATE", "UPDATE"],
    async mutate(attributes) {
      const spec = podWriteOf(attributes)?.pod.spec;
      if (spec === undefined) return;
      const extra = [
        ...(attributes.operation === "CREATE" ? await find(attributes, "defaultTolerations") : []),
        ...(qosClassOf(spec) === "BestEffort" ? [] : [memoryPressure]),
      ];
      if (extra.length > 0) spec.tolerations = mergeTolerations(spec.tolerations ?? [], extra);
    },
    async validate(attributes) {
      const { tolerations = [] } = podWriteOf(attributes)?.pod.spec ?? {};
      if (tolerations.length === 0) return;
      const allowed = await find(attributes, "tolerationsWhitelist");
      if (allowed.length === 0 || areCovered(tolerations, allowed)) return;
      const whose = allowed === cluster.tolerationsWhitelist ? "cluster" : "namespace";
      throw refused(
        attributes,
        `pod tolerations (possibly merged with namespace default tolerations) conflict with its ${whose} whitelist`,
      );
    },
  };
}

/** Defaults for namespaces without the annotations of the same names. */
interface ClusterTolerations {
  readonly defaultTolerations: readonly Toleration[];
  readonly tolerationsWhitelist: readonly Toleration[];
}

function readConfiguration(configuration: unknown, naming: Naming): ClusterTolerations {
  const reader = ConfigurationReader.of(configuration, "Configuration", [
    `podtolerationrestriction.admission.${naming.groupDomain}/v1alpha1`,
  ]);
  reader.allow("default", "whitelist");
  return {
    defaultTolerations: reader.records("default").map(readToleration),
    tolerationsWhitelist: reader.records("whitelist").map(readToleration),
  };
}

function readToleration(reader: ConfigurationReader): Toleration {
  reader.allow("key", "operator", "value", "effect", "tolerationSeconds");
  return {
    key: reader.text("key"),
    operator: reader.text("operator"),
    value: reader.text("value"),
    effect: reader.text("effect"),
    tolerationSeconds: reader.integer("tolerationSeconds"),
  };
}
