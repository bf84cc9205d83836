import type { Quantity } from "../../../apimachinery/values/quantity.js";
import type { Container, PodSpec } from "../../gen/core-v1.js";
import { type Amounts, addTo, raiseTo, readAmounts } from "../resource-quota/amounts.js";
import { isSidecar } from "./containers.js";

/**
 * What the containers of a pod need together: the regular ones and the sidecars run at the same time, the other init containers one
 * after another before them, each beside the sidecars that started before it. Source: KEP-753.
 */
export function containersTotal(
  { containers = [], initContainers = [] }: PodSpec,
  list: "requests" | "limits",
): Map<string, Quantity> {
  const amountsOf = ({ resources }: Container): Amounts => readAmounts(resources?.[list]);
  const total = new Map<string, Quantity>();
  for (const container of containers) addTo(total, amountsOf(container));
  const sidecars = new Map<string, Quantity>();
  const initial = new Map<string, Quantity>();
  for (const container of initContainers) {
    const amounts = amountsOf(container);
    if (isSidecar(container)) {
      addTo(total, amounts);
      addTo(sidecars, amounts);
      raiseTo(initial, sidecars);
    } else if (sidecars.size === 0) raiseTo(initial, amounts);
    else {
      const beside = new Map(sidecars);
      addTo(beside, amounts);
      raiseTo(initial, beside);
    }
  }
  raiseTo(total, initial);
  return total;
}
