import type { Naming } from "../../naming/naming.js";

/** Since when a node label is deprecated, and what replaces it; undefined for other labels. */
export function nodeLabelDeprecation(label: string, naming: Naming): string | undefined {
  const { domain } = naming;
  // Every deprecated label has it, and no other label.
  if (!label.includes("beta.")) return undefined;
  const renamed: { readonly [label: string]: readonly [since: string, now: string] } = {
    [`beta.${domain}/arch`]: ["v1.14", `${domain}/arch`],
    [`beta.${domain}/os`]: ["v1.14", `${domain}/os`],
    [`failure-domain.beta.${domain}/region`]: ["v1.17", `topology.${domain}/region`],
    [`failure-domain.beta.${domain}/zone`]: ["v1.17", `topology.${domain}/zone`],
    [`beta.${domain}/instance-type`]: ["v1.17", `node.${domain}/instance-type`],
  };
  const found = Object.hasOwn(renamed, label) ? renamed[label] : undefined;
  return found === undefined ? undefined : `deprecated since ${found[0]}; use "${found[1]}" instead`;
}
