import type { NodeSelectorRequirement, PersistentVolume } from "../../apis/gen/core-v1.js";
import type { AdmissionPlugin } from "../chain/admission-plugin.js";
import { refused } from "../chain/refusal.js";
import { writesOf } from "../checks/writes-of.js";
import type { PluginContext } from "./plugin-context.js";

const providers = [
  { field: "awsElasticBlockStore", disk: "AWS EBS volume", provider: "AWS cloud provider for EBS" },
  { field: "gcePersistentDisk", disk: "GCE PD volume", provider: "GCE cloud provider for PD" },
  { field: "azureDisk", disk: "AzureDisk volume", provider: "Azure cloud provider for AzureDisk" },
  { field: "cinder", disk: "Cinder volume", provider: "OpenStack cloud provider for Cinder" },
] as const;
/** Name of a volume that its provisioner has yet to create. */
const placeholder = "placeholder-for-provisioning";

/**
 * Requires topology labels on volumes of cloud providers. This server has no cloud provider to ask, so it uses the labels that a
 * provisioner set, and refuses volumes without them.
 */
export function persistentVolumeLabel({ naming }: Pick<PluginContext, "naming">): AdmissionPlugin {
  const provisionedBy = `pv.${naming.domain}/provisioned-by`;
  const labelPairs = [
    { zone: `topology.${naming.domain}/zone`, region: `topology.${naming.domain}/region` },
    {
      zone: `failure-domain.beta.${naming.domain}/zone`,
      region: `failure-domain.beta.${naming.domain}/region`,
    },
  ];
  const writesVolume = writesOf("persistentvolumes", naming);
  return {
    operations: ["CREATE"],
    mutate(attributes) {
      const volume = writesVolume(attributes) ? attributes.object : undefined;
      if (volume === undefined) return;
      const { labels = {}, annotations = {} } = volume.metadata;
      const found = labelPairs
        .map(({ zone, region }) => [
          [zone, labels[zone]],
          [region, labels[region]],
        ])
        .find((pair) => pair.every(([, value]) => value !== undefined));
      if (annotations[provisionedBy] === undefined || found === undefined) {
        const problem = problemOf(volume);
        if (problem !== undefined) throw refused(attributes, problem);
        return;
      }
      setAffinity(
        volume,
        found.map(([key = "", value = ""]) => ({
          key,
          operator: "In",
          // Several zones share one label.
          values: key.endsWith("/zone") ? [...new Set(value.split("__"))].sort() : [value],
        })),
      );
    },
  };
}

function problemOf({ spec }: PersistentVolume): string | undefined {
  const known = providers.find(({ field }) => spec[field] !== undefined);
  if (known === undefined) return undefined;
  const { awsElasticBlockStore, gcePersistentDisk, azureDisk, cinder } = spec;
  const id =
    awsElasticBlockStore?.volumeID ??
    gcePersistentDisk?.pdName ??
    azureDisk?.diskName ??
    cinder?.volumeID ??
    "";
  if (id === placeholder) return undefined;
  return `error querying ${known.disk} ${id}: unable to build ${known.provider}`;
}

function setAffinity(volume: PersistentVolume, requirements: readonly NodeSelectorRequirement[]): void {
  const terms = volume.spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  const isSet = terms.some(({ matchExpressions = [] }) =>
    matchExpressions.some(({ key }) => requirements.some((requirement) => requirement.key === key)),
  );
  if (isSet) return;
  volume.spec.nodeAffinity = {
    ...volume.spec.nodeAffinity,
    required: {
      nodeSelectorTerms: (terms.length === 0 ? [{}] : terms).map((term) => ({
        ...term,
        matchExpressions: [...(term.matchExpressions ?? []), ...requirements],
      })),
    },
  };
}
