import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import type { Taint } from "../../apis/gen/core-v1.js";

/** What would resolve a reason: less use of the node's resources by pods, other pods elsewhere, or nothing that pods do. */
const remedies = {
  unschedulable: "none",
  taint: "none",
  nodeAffinity: "none",
  ports: "room",
  resource: "room",
  podsMax: "room",
  volumeAffinity: "none",
  noVolume: "none",
  spreadLabel: "none",
  spread: "relation",
  podAffinity: "none",
  podAntiAffinity: "relation",
  existingAntiAffinity: "relation",
} as const satisfies Record<string, "none" | "room" | "relation">;

type ReasonKind = keyof typeof remedies;

/** What a pod lacks on a node. */
export type UnfitReason =
  | { readonly kind: Exclude<ReasonKind, "taint" | "resource"> }
  | { readonly kind: "taint"; readonly taint: Taint }
  | { readonly kind: "resource"; readonly resource: string };

/** The reasons of one node; empty if the pod fits. */
export type UnfitReasons = readonly UnfitReason[];

export const fits: UnfitReasons = [];

/** Whether all of them could go if other pods left. */
export function isResolvable(reasons: UnfitReasons): boolean {
  return reasons.every(({ kind }) => remedies[kind] !== "none");
}

/** Whether the node lacks resources, which pods free when they leave it. */
export function isOfRoom({ kind }: UnfitReason): boolean {
  return remedies[kind] === "room";
}

const texts: Readonly<Record<Exclude<ReasonKind, "taint" | "resource">, string>> = {
  unschedulable: "node(s) were unschedulable",
  nodeAffinity: "node(s) didn't match Pod's node affinity/selector",
  ports: "node(s) didn't have free ports for the requested pod ports",
  podsMax: "Too many pods",
  volumeAffinity: "node(s) had volume node affinity conflict",
  noVolume: "node(s) didn't find available persistent volumes to bind",
  spreadLabel: "node(s) didn't match pod topology spread constraints (missing required label)",
  spread: "node(s) didn't match pod topology spread constraints",
  podAffinity: "node(s) didn't match pod affinity rules",
  podAntiAffinity: "node(s) didn't match pod anti-affinity rules",
  existingAntiAffinity: "node(s) didn't satisfy existing pods anti-affinity rules",
};

/** In the words of Kubernetes' scheduler. */
export function reasonText(reason: UnfitReason, level: ApiLevel): string {
  switch (reason.kind) {
    case "taint":
      return taintText(reason.taint, level);
    case "resource":
      return `Insufficient ${reason.resource}`;
    default:
      return texts[reason.kind];
  }
}

function taintText({ key, value = "" }: Taint, level: ApiLevel): string {
  if (isAtLeast(level, "1.34")) return "node(s) had untolerated taint(s)";
  const shown = `{${key}: ${value}}`;
  return isAtLeast(level, "1.24")
    ? `node(s) had untolerated taint ${shown}`
    : `node(s) had taint ${shown}, that the pod didn't tolerate`;
}
