import type { Taint, Toleration } from "../../apis/gen/core-v1.js";

/** Source: Kubernetes' `Toleration.ToleratesTaint`. */
export function tolerates(toleration: Toleration, taint: Taint): boolean {
  const { effect = "", key = "", operator = "Equal", value = "" } = toleration;
  if (effect !== "" && effect !== taint.effect) return false;
  if (key !== "" && key !== taint.key) return false;
  if (operator === "Exists") return true;
  return key !== "" && value === (taint.value ?? "");
}

/** The first taint with one of `effects` that no toleration covers. */
export function untoleratedTaint(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
  effects: readonly string[],
): Taint | undefined {
  return taints.find(
    (taint) => effects.includes(taint.effect) && !tolerations.some((each) => tolerates(each, taint)),
  );
}
