import type { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Container, PodSpec } from "../../gen/core-v1.js";
import { type Amounts, addTo, readAmounts } from "../resource-quota/amounts.js";
import { isSidecar } from "./containers.js";

export interface TotalOptions {
  /** The resources to count; all if it is not given. */
  readonly names?: readonly string[] | undefined;
  /** The amounts that a container counts for, in place of its own requests or limits. */
  readonly amountsOf?: ((container: Container) => Amounts) | undefined;
}

/**
 * What the containers of a pod need together: the regular ones and the sidecars run at the same time, the other init containers one
 * after another before them, each beside the sidecars that started before it. Source: KEP-753.
 */
export function containersTotal(
  { containers = [], initContainers = [] }: PodSpec,
  list: "requests" | "limits",
  { names, amountsOf = ({ resources }) => readAmounts(resources?.[list], names) }: TotalOptions = {},
): Map<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const container of containers) addTo(total, amountsOf(container));
  const sidecars = new Map<string, Quantity>();
  const initial = new Map<string, Quantity>();
  for (const container of initContainers) {
    const amounts = amountsOf(container);
    // Resources that a sidecar does not request were already raised for the sidecars before it.
    if (isSidecar(container)) {
      addTo(total, amounts);
      addTo(sidecars, amounts);
      for (const name of amounts.keys()) raise(initial, name, sidecars.get(name));
    } else {
      for (const [name, amount] of amounts) raise(initial, name, sidecars.get(name)?.add(amount) ?? amount);
    }
  }
  for (const [name, amount] of initial) raise(total, name, amount);
  return total;
}

/**
 * What a pod needs: the total of its containers, or its pod-level resources instead, plus its overhead. With `overheadNeedsLimit`,
 * overhead counts only for resources that have an amount without it.
 */
export function podTotal(
  spec: PodSpec,
  list: "requests" | "limits",
  { overheadNeedsLimit = false, ...options }: TotalOptions & { readonly overheadNeedsLimit?: boolean } = {},
): Map<string, Quantity> {
  const { names } = options;
  const total = containersTotal(spec, list, options);
  for (const [name, amount] of readAmounts(spec.resources?.[list], names)) total.set(name, amount);
  for (const [name, amount] of readAmounts(spec.overhead, names)) {
    if (!overheadNeedsLimit || total.get(name)?.isZero() === false) addTo(total, new Map([[name, amount]]));
  }
  return total;
}

/** Raises amounts of `total` to those of `other`, in place. */
export function raiseTo(total: Map<string, Quantity>, other: Amounts): void {
  for (const [name, amount] of other) raise(total, name, amount);
}

function raise(total: Map<string, Quantity>, name: string, amount: Quantity | undefined): void {
  const known = total.get(name);
  if (amount !== undefined && (known === undefined || known.compare(amount) < 0)) total.set(name, amount);
}
