import { Quantity } from "../../apimachinery/values/quantity.js";
import type { PodSpec } from "../../apis/gen/core-v1.js";
import type { RuntimeClass } from "../../apis/gen/node-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { podWriteOf } from "../checks/pod-writes.js";
import { mergeTolerations } from "../checks/tolerations.js";
import type { PluginContext } from "./plugin-context.js";

type ClassView = Pick<RuntimeClass, "overhead" | "scheduling">;

/** Sets a pod's overhead and scheduling constraints from its runtime class. */
export function runtimeClass({
  cluster,
  isEnabled,
}: Pick<PluginContext, "cluster" | "isEnabled">): AdmissionPlugin {
  const view = ({ overhead, scheduling }: RuntimeClass): ClassView => ({ overhead, scheduling });
  const classes = cluster.follow("runtimeclasses.node", { view: (stored) => view(stored.decode()) });
  const find = async (attributes: AdmissionAttributes, name: string): Promise<ClassView> => {
    const known = classes.get(name);
    if (known !== undefined) return known;
    const newest = await cluster.read("runtimeclasses.node", "", name);
    if (newest !== undefined) return view(newest);
    throw refused(attributes, `pod rejected: RuntimeClass "${name}" not found`);
  };
  return {
    operations: ["CREATE"],
    mutate(attributes) {
      const spec = podWriteOf(attributes)?.pod.spec;
      if (spec?.runtimeClassName === undefined) return;
      return find(attributes, spec.runtimeClassName).then((found) => {
        if (isEnabled("PodOverhead")) setOverhead(attributes, spec, found);
        setScheduling(attributes, spec, found);
      });
    },
    validate(attributes) {
      const spec = podWriteOf(attributes)?.pod.spec;
      if (spec === undefined) return;
      if (spec.runtimeClassName === undefined) {
        if (isEnabled("PodOverhead")) checkOverhead(attributes, spec, undefined);
        return;
      }
      return find(attributes, spec.runtimeClassName).then((found) => {
        if (isEnabled("PodOverhead")) checkOverhead(attributes, spec, found);
      });
    },
  };
}

const differentOverhead = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

function setOverhead(attributes: AdmissionAttributes, spec: PodSpec, { overhead }: ClassView): void {
  if (overhead === undefined) return;
  const { podFixed = {} } = overhead;
  if (spec.overhead !== undefined && !areSameAmounts(podFixed, spec.overhead)) {
    throw refused(attributes, differentOverhead);
  }
  spec.overhead = { ...podFixed };
}

function checkOverhead(attributes: AdmissionAttributes, spec: PodSpec, found: ClassView | undefined): void {
  if (found?.overhead !== undefined) {
    if (!areSameAmounts(found.overhead.podFixed ?? {}, spec.overhead ?? {})) {
      throw refused(attributes, differentOverhead);
    }
  } else if (spec.overhead !== undefined) {
    throw refused(
      attributes,
      "pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead",
    );
  }
}

function areSameAmounts(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => {
      const [left, right] = [a[name], b[name]];
      return (
        left !== undefined && right !== undefined && Quantity.parse(left).compare(Quantity.parse(right)) === 0
      );
    })
  );
}

function setScheduling(attributes: AdmissionAttributes, spec: PodSpec, { scheduling }: ClassView): void {
  if (scheduling === undefined) return;
  const wanted = spec.nodeSelector ?? {};
  for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
    const present = wanted[key];
    if (present === undefined || present === value) continue;
    throw refused(
      attributes,
      `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${present}`,
    );
  }
  if (scheduling.nodeSelector !== undefined) spec.nodeSelector = { ...wanted, ...scheduling.nodeSelector };
  const merged = mergeTolerations(spec.tolerations ?? [], scheduling.tolerations ?? []);
  spec.tolerations = merged.length === 0 ? undefined : merged;
}
