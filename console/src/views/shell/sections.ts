import { customResources, keyOf, type Resource } from "../../api/discovery.ts";

export interface Section {
  readonly title: string;
  readonly resources: readonly Resource[];
}

/** Where people look for the resources that they ask for most; whatever is not named goes by its group. */
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

/** What can be listed, in sections; a section without resources is left out. */
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
