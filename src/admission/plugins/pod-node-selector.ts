import { messageOf } from "../../apimachinery/errors/message-of.js";
import { forbiddenError, type StatusError } from "../../apimachinery/errors/status.js";
import { parseLabelSelector } from "../../apimachinery/selectors/label-selector.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import type { NamespaceView } from "../chain/namespace-lister.js";
import { refused } from "../chain/refusal.js";
import { podWriteOf } from "../checks/pod-writes.js";
import { ConfigurationReader } from "../configuration/configuration-reader.js";
import type { PluginContext } from "./plugin-context.js";

type Labels = ReadonlyMap<string, string>;

const defaultEntry = "clusterDefaultNodeSelector";

/** Restricts the pods of a namespace to the nodes that the namespace selects. */
export function podNodeSelector(
  { naming, namespaces }: Pick<PluginContext, "naming" | "namespaces">,
  configuration: unknown,
): AdmissionPlugin {
  const annotation = `scheduler.alpha.${naming.domain}/node-selector`;
  const selectors = readSelectors(configuration);

  const ofNamespace = (attributes: AdmissionAttributes, namespace: NamespaceView | undefined): Labels => {
    const text = namespace?.annotations[annotation];
    if (text === undefined) return selectors.get(defaultEntry) ?? new Map();
    try {
      return parseLabels(text);
    } catch (error) {
      throw refused(attributes, messageOf(error));
    }
  };
  const find = async (attributes: AdmissionAttributes): Promise<Labels> => {
    const { namespace } = attributes;
    return ofNamespace(attributes, namespaces.get(namespace) ?? (await namespaces.read(namespace)));
  };
  return {
    operations: ["CREATE"],
    async mutate(attributes) {
      const spec = podWriteOf(attributes)?.pod.spec;
      if (spec === undefined) return;
      const wanted = await find(attributes);
      checkConflicts(attributes, wanted, new Map(Object.entries(spec.nodeSelector ?? {})));
      if (wanted.size > 0) spec.nodeSelector = { ...Object.fromEntries(wanted), ...spec.nodeSelector };
    },
    async validate(attributes) {
      const spec = podWriteOf(attributes)?.pod.spec;
      if (spec === undefined) return;
      const given = new Map(Object.entries(spec.nodeSelector ?? {}));
      checkConflicts(attributes, await find(attributes), given);
      const allowed = selectors.get(attributes.namespace);
      if (allowed === undefined || allowed.size === 0) return;
      if ([...given].every(([key, value]) => allowed.get(key) === value)) return;
      throw conflict(attributes, "pod node label selector labels conflict with its namespace whitelist");
    },
  };
}

/** Throws a `StatusError` when the pod asks for another value of a label than its namespace. */
function checkConflicts(attributes: AdmissionAttributes, wanted: Labels, given: Labels): void {
  for (const [key, value] of wanted) {
    const other = given.get(key);
    if (other !== undefined && other !== value) {
      throw conflict(attributes, "pod node label selector conflicts with its namespace node label selector");
    }
  }
}

function conflict({ resource, object }: AdmissionAttributes, why: string): StatusError {
  return forbiddenError(resource, object?.metadata.name ?? "", why);
}

/** By namespace, with a default for the rest. */
function readSelectors(configuration: unknown): ReadonlyMap<string, Labels> {
  if (configuration === undefined) return new Map();
  const field = "podNodeSelectorPluginConfig";
  const reader = ConfigurationReader.plain(configuration).record(field);
  return new Map(
    reader.names().map((namespace) => {
      try {
        return [namespace, parseLabels(reader.text(namespace) ?? "")];
      } catch (error) {
        throw reader.problem(namespace, messageOf(error));
      }
    }),
  );
}

/** `a=b,c=d`. Throws an `Error`. */
function parseLabels(text: string): Labels {
  const labels = new Map<string, string>();
  for (const part of text.split(",")) {
    if (part.trim() === "" && text.trim() === "") continue;
    const [key = "", value, ...more] = part.split("=").map((each) => each.trim());
    if (value === undefined || more.length > 0) throw new Error(`invalid selector: [${part}]`);
    parseLabelSelector(`${key}=${value}`);
    labels.set(key, value);
  }
  return labels;
}
