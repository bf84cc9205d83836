import type { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Container, PodSpec } from "../../gen/core-v1.js";
import { type Amounts, addTo, readAmounts } from "../resource-quota/amounts.js";
import { isSidecar } from "./containers.js";

/**
 * What the containers of a pod need together: the regular ones and the sidecars run at the same time, the other init containers one
 * after another before them, each beside the sidecars that started before it. Of the resources in `names` only, when it is given.
 * Source: KEP-753.
 */
export function containersTotal(
  { containers = [], initContainers = [] }: PodSpec,
  list: "requests" | "limits",
  names?: readonly string[],
): Map<string, Quantity> {
  const amountsOf = ({ resources }: Container): Amounts => readAmounts(resources?.[list], names);
  const total = new Map<string, Quantity>();
  for (const container of containers) addTo(total, amountsOf(container));
  const sidecars = new Map<string, Quantity>();
  const initial = new Map<string, Quantity>();
  for (const container of initContainers) {
    const amounts = amountsOf(container);
    // Its other resources were counted with the sidecars before it.
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

/** What a pod needs: what it states as a whole in place of what its containers need, and its overhead. */
export function podTotal(
  spec: PodSpec,
  list: "requests" | "limits",
  names?: readonly string[],
): Map<string, Quantity> {
  const total = containersTotal(spec, list, names);
  for (const [name, amount] of readAmounts(spec.resources?.[list], names)) total.set(name, amount);
  addTo(total, readAmounts(spec.overhead, names));
  return total;
}

function raise(total: Map<string, Quantity>, name: string, amount: Quantity | undefined): void {
  const known = total.get(name);
  if (amount !== undefined && (known === undefined || known.compare(amount) < 0)) total.set(name, amount);
}
