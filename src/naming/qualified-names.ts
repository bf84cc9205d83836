const groupDomains = [".orch.io", ".k8s.io"] as const;

/** The stem of a name that a client has qualified in either profile's words: `v4.channel.k8s.io` → `v4.channel`; undefined for any other. */
export function stemOf(name: string): string | undefined {
  for (const domain of groupDomains) {
    if (name.endsWith(domain)) return name.slice(0, -domain.length);
  }
  return undefined;
}

/** Whether `group`, as in `application/json;as=Table;g=<group>`, is the meta group of either profile. */
export function isMetaGroup(group: string): boolean {
  return stemOf(group) === "meta";
}

/** Whether `group` is, in either profile, the group of component configurations and status pages. */
export function isComponentConfigGroup(group: string): boolean {
  return stemOf(group) === "config";
}

/** Whether `group` is the aggregated discovery group of either profile. */
export function isDiscoveryDocumentGroup(group: string): boolean {
  return stemOf(group) === "apidiscovery";
}
