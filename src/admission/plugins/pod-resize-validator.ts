import { quoted } from "../../apimachinery/errors/quoted-text.js";
import { StatusError } from "../../apimachinery/errors/status.js";
import { Quantity } from "../../apimachinery/values/quantity.js";
import { podTotal } from "../../apis/core/pod-spec/pod-requests.js";
import type { Node, Pod } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { changedOnNode } from "../checks/pod-writes.js";
import type { PluginContext } from "./plugin-context.js";

type Context = Pick<PluginContext, "naming" | "cluster" | "isEnabled">;

const checked = ["cpu", "memory"] as const;

/** Refuses resizes of running pods beyond what their node can allocate. */
export function podResizeValidator({ naming, cluster, isEnabled }: Context): AdmissionPlugin {
  if (!isEnabled("InPlacePodVerticalScaling")) return { operations: ["UPDATE"] };
  const osLabel = `${naming.domain}/os`;
  const nodes = cluster.follow("nodes", {
    view(stored) {
      const { metadata, status } = stored.decode();
      return { os: metadata.labels?.[osLabel], allocatable: allocatableOf(status) };
    },
  });
  return {
    operations: ["UPDATE"],
    validate(attributes) {
      if (attributes.subresource !== "resize") return;
      const change = changedOnNode(attributes, ["resize"]);
      if (change === undefined) return;
      const { pod, nodeName } = change;
      const node = nodes.get(nodeName);
      if (node === undefined) throw refused(attributes, `node ${quoted(nodeName)} not found`);
      if (node.os !== undefined && node.os !== "linux") {
        const why = `pod resize is only supported on linux nodes, node ${quoted(nodeName)} is ${quoted(node.os)}`;
        throw refusedBecause(attributes, "UnsupportedPlatform", why);
      }
      const problems = whatDoesNotFit(pod, node.allocatable);
      if (problems.length === 0) return;
      const why = `node didn't have enough allocatable resources: ${problems.join("; ")}`;
      throw refusedBecause(attributes, "NodeCapacity", why);
    },
  };
}

type Allocatable = Readonly<Record<(typeof checked)[number], Quantity>>;

function allocatableOf({ allocatable }: Node["status"]): Allocatable {
  const amountOf = (name: string): Quantity => Quantity.parse(allocatable?.[name] ?? "0");
  return { cpu: amountOf("cpu"), memory: amountOf("memory") };
}

function whatDoesNotFit({ spec }: Pod, allocatable: Allocatable): string[] {
  const requests = podTotal(spec, "requests", { names: checked });
  return checked.flatMap((name) => {
    const [requested, has] = [requests.get(name) ?? Quantity.zero, allocatable[name]];
    if (requested.compare(has) <= 0) return [];
    const print = (amount: Quantity) => (name === "cpu" ? amount.milliValue() : amount.value());
    return [`${name}, requested: ${print(requested)}, allocatable: ${print(has)}`];
  });
}

/** Clients distinguish the reasons by the cause. */
function refusedBecause(attributes: AdmissionAttributes, reason: string, why: string): StatusError {
  const { status } = refused(attributes, why);
  return new StatusError({ ...status, details: { ...status.details, causes: [{ reason }] } });
}
