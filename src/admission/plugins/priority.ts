import type { PodSpec } from "../../apis/gen/core-v1.js";
import type { Lister } from "../../informers/informer.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { podWriteOf } from "../checks/pod-writes.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

interface ClassView {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy: string | undefined;
  readonly isDefault: boolean;
}

/** Specs with a priority: of pods and of pod groups. */
type Prioritized = Pick<PodSpec, "priorityClassName" | "priority">;

/** Why a priority that differs from the computed one is refused. */
type Mismatch = (priority: number, computed: number) => string;

const podMismatch: Mismatch = (priority, computed) =>
  `the integer value of priority (${priority}) must not be provided in pod spec; priority admission controller computed ${computed} from the given PriorityClass name`;

const groupMismatch: Mismatch = (priority, computed) =>
  `priority set in the pod group (${priority}) must match the priority computed (${computed}) based on the priority class set in the spec`;

/** Used without a default class. */
const noClass: ClassView = {
  name: "",
  value: 0,
  preemptionPolicy: "PreemptLowerPriority",
  isDefault: false,
};

/** Resolves the priority class of pods and of groups of pods to a number, and refuses a second default class. */
export function priority({
  naming,
  cluster,
  isEnabled,
}: Pick<PluginContext, "naming" | "cluster" | "isEnabled">): AdmissionPlugin {
  const writesClass = writesOf("priorityclasses.scheduling", naming);
  const writesPodGroup = writesOf("podgroups.scheduling", naming);
  const ranksGroups = isEnabled("WorkloadAwarePreemption");
  const setsPolicy = isEnabled("NonPreemptingPriority");
  const classes = new PriorityClasses(cluster);
  return {
    operations: ["CREATE", "UPDATE"],
    mutate(attributes) {
      if (ranksGroups && attributes.operation === "CREATE" && writesPodGroup(attributes)) {
        if (attributes.object !== undefined)
          resolve(classes, attributes, attributes.object.spec, groupMismatch);
        return;
      }
      const write = podWriteOf(attributes);
      if (write === undefined) return;
      const { spec } = write.pod;
      if (write.old === undefined) {
        const { preemptionPolicy } = resolve(classes, attributes, spec, podMismatch);
        if (setsPolicy && preemptionPolicy !== undefined) setPolicy(attributes, spec, preemptionPolicy);
        return;
      }
      // A client that omits a value set on create does not change it.
      spec.priority ??= write.old.spec.priority;
      spec.preemptionPolicy ??= write.old.spec.preemptionPolicy;
    },
    validate(attributes) {
      if (!writesClass(attributes)) return;
      const { operation, object: written } = attributes;
      if (written?.globalDefault !== true) return;
      const present = classes.default;
      if (present === undefined || (operation === "UPDATE" && present.name === written.metadata.name)) return;
      throw refused(
        attributes,
        `PriorityClass ${present.name} is already marked as default. Only one default can exist`,
      );
    },
  };
}

/** The classes of the cluster. */
class PriorityClasses {
  readonly #classes: Lister<ClassView, "isDefault">;

  constructor(cluster: PluginContext["cluster"]) {
    this.#classes = cluster.follow("priorityclasses.scheduling", {
      view: (stored): ClassView => {
        const { metadata, value, preemptionPolicy, globalDefault } = stored.decode();
        return { name: metadata.name ?? "", value, preemptionPolicy, isDefault: globalDefault === true };
      },
      indexes: { isDefault: (view) => (view.isDefault ? ["true"] : []) },
    });
  }

  /** Two defaults created at the same time may both exist; then the lower one counts. */
  get default(): ClassView | undefined {
    return [...this.#classes.find("isDefault", "true")].sort((a, b) => a.value - b.value)[0];
  }

  /** The class of this name; for "", the default class, or the values that apply without one. */
  find(name: string): ClassView | undefined {
    return name === "" ? (this.default ?? noClass) : this.#classes.get(name);
  }
}

/** Sets the number of the class that `spec` names, or of the default class. */
function resolve(
  classes: PriorityClasses,
  attributes: AdmissionAttributes,
  spec: Prioritized,
  mismatch: Mismatch,
): ClassView {
  const asked = spec.priorityClassName ?? "";
  const found = classes.find(asked);
  if (found === undefined) throw refused(attributes, `no PriorityClass with name ${asked} was found`);
  spec.priorityClassName = found.name === "" ? undefined : found.name;
  if (spec.priority !== undefined && spec.priority !== found.value) {
    throw refused(attributes, mismatch(spec.priority, found.value));
  }
  spec.priority = found.value;
  return found;
}

function setPolicy(attributes: AdmissionAttributes, spec: PodSpec, policy: string): void {
  if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
    throw refused(
      attributes,
      `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; priority admission controller computed ${policy} from the given PriorityClass name`,
    );
  }
  spec.preemptionPolicy = policy;
}
