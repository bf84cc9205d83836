import { customResources, keyOf, type Resource } from "../../api/discovery.ts";

export interface Section {
  readonly title: string;
  readonly resources: readonly Resource[];
}

/** Sections for the resources that people use most; the others are sorted by their group. */
const known: readonly (readonly [title: string, plurals: string])[] = [
  [
    "Workloads",
    "pods deployments replicasets statefulsets daemonsets jobs cronjobs replicationcontrollers podtemplates horizontalpodautoscalers poddisruptionbudgets controllerrevisions",
  ],
  ["Configuration", "configmaps secrets resourcequotas limitranges"],
  [
    "Network",
    "services endpoints endpointslices ingresses ingressclasses networkpolicies servicecidrs ipaddresses",
  ],
  [
    "Storage",
    "persistentvolumeclaims persistentvolumes storageclasses volumeattachments csidrivers csinodes csistoragecapacities volumeattributesclasses",
  ],
  [
    "Access",
    "serviceaccounts roles rolebindings clusterroles clusterrolebindings certificatesigningrequests clustertrustbundles podcertificaterequests",
  ],
];

const places = new Map(
  known.flatMap(([title, plurals]) =>
    plurals.split(" ").map((plural, order) => [plural, { title, order }] as const),
  ),
);
const titles = [...known.map(([title]) => title), "Cluster", "Custom resources"];

/** The resources that can be listed, in sections. Leaves out empty sections. */
export function sectionsOf(resources: readonly Resource[]): readonly Section[] {
  const sections = new Map<string, Resource[]>(titles.map((title) => [title, []]));
  for (const resource of resources) {
    if (!resource.verbs.has("list")) continue;
    sections.get(titleOf(resource))?.push(resource);
  }
  return [...sections]
    .filter(([, members]) => members.length > 0)
    .map(([title, members]) => ({ title, resources: members.sort(inOrder) }));
}

function titleOf(resource: Resource): string {
  if (customResources.value.has(keyOf(resource))) return "Custom resources";
  return places.get(resource.plural)?.title ?? "Cluster";
}

function inOrder(left: Resource, right: Resource): number {
  const orderOf = ({ plural }: Resource) => places.get(plural)?.order ?? 1000;
  return orderOf(left) - orderOf(right) || left.plural.localeCompare(right.plural);
}
