import type { Naming } from "../../naming/naming.js";

type Words = Pick<Naming, "domain" | "groupDomain" | "nodeAgentName">;

/** Whether only administrators may set the label. */
export function isRestrictedLabel(key: string, { domain }: Words): boolean {
  return isBelow(prefixOf(key), `node-restriction.${domain}`);
}

/** Whether the label's domain is reserved for Kubernetes. */
export function isReservedLabel(key: string, { domain, groupDomain }: Words): boolean {
  return isBelow(prefixOf(key), domain) || isBelow(prefixOf(key), groupDomain);
}

/** Whether node agents may set a reserved label: facts about their node. */
export function isNodeAgentLabel(key: string, { domain, nodeAgentName }: Words): boolean {
  const known = [
    `${domain}/hostname`,
    `${domain}/os`,
    `${domain}/arch`,
    `topology.${domain}/zone`,
    `topology.${domain}/region`,
    `failure-domain.beta.${domain}/zone`,
    `failure-domain.beta.${domain}/region`,
    `node.${domain}/instance-type`,
    `beta.${domain}/instance-type`,
    `beta.${domain}/os`,
    `beta.${domain}/arch`,
  ];
  return (
    known.includes(key) ||
    isBelow(prefixOf(key), `${nodeAgentName}.${domain}`) ||
    isBelow(prefixOf(key), `node.${domain}`)
  );
}

function prefixOf(key: string): string {
  return key.slice(0, Math.max(0, key.indexOf("/")));
}

function isBelow(prefix: string, domain: string): boolean {
  return prefix === domain || prefix.endsWith(`.${domain}`);
}
