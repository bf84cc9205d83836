import { aggregateText } from "../../apimachinery/errors/aggregate-text.js";
import type { TokenRequest } from "../../apis/gen/authentication-v1.js";
import type { PersistentVolumeSpec, Pod, Volume } from "../../apis/gen/core-v1.js";
import type { AdmissionAttributes } from "../chain/admission-attributes.js";
import type { PluginContext } from "./plugin-context.js";

/** Drivers for volumes of kinds that were once built in. Source: Kubernetes' `csi-translation-lib`. */
const driversOfKinds = {
  awsElasticBlockStore: "ebs.csi.aws.com",
  azureDisk: "disk.csi.azure.com",
  azureFile: "file.csi.azure.com",
  cinder: "cinder.csi.openstack.org",
  gcePersistentDisk: "pd.csi.storage.gke.io",
  portworxVolume: "pxd.portworx.com",
  vsphereVolume: "csi.vsphere.vmware.com",
} as const;

/**
 * Why a node may not have a token of the pod's account for this audience. Undefined when it may, because a volume of the pod, or its
 * driver, requests the audience, or the node is allowed to.
 */
export async function audienceProblem(
  { naming, cluster, authorizer }: Pick<PluginContext, "naming" | "cluster" | "authorizer">,
  { user, namespace, name, signal }: AdmissionAttributes,
  { spec: { audiences = [] } }: TokenRequest,
  pod: Pod,
): Promise<string | undefined> {
  const [audience = "", ...others] = audiences;
  if (others.length > 0) return "node may only request 0 or 1 audiences";
  const missing: string[] = [];
  for (const volume of pod.spec.volumes ?? []) {
    const sources = volume.projected?.sources ?? [];
    if (sources.some(({ serviceAccountToken: token }) => token && (token.audience ?? "") === audience)) {
      return undefined;
    }
    const driver = await driverOf(volume);
    if (driver === undefined) continue;
    const found = await cluster.read("csidrivers.storage", "", driver);
    if (found === undefined) missing.push(`csidriver.${naming.group("storage")} "${driver}" not found`);
    else if (found.spec.tokenRequests?.some((asked) => asked.audience === audience)) return undefined;
  }
  const quotedAudience = JSON.stringify(audience);
  if (missing.length > 0) {
    return `error validating audience ${quotedAudience}: ${aggregateText(missing)}`;
  }
  const verb = "request-serviceaccounts-token-audience";
  const question = { verb, group: "", version: "v1", resource: audience, subresource: "", namespace, name };
  const { isAllowed } = await authorizer.authorize(user, question, signal);
  if (isAllowed) return undefined;
  return `audience ${quotedAudience} not found in pod spec volume, ${user.name} is not authorized to request tokens for this audience`;

  async function driverOf(volume: Volume): Promise<string | undefined> {
    const { ephemeral, persistentVolumeClaim } = volume;
    if (ephemeral !== undefined) return await driverOfClaim(`${pod.metadata.name}-${volume.name}`);
    if (persistentVolumeClaim !== undefined) return await driverOfClaim(persistentVolumeClaim.claimName);
    return volume.csi?.driver ?? driverOfKind(volume);
  }

  async function driverOfClaim(claimName: string): Promise<string | undefined> {
    const claim = await cluster.read("persistentvolumeclaims", namespace, claimName);
    if (claim === undefined) {
      missing.push(`persistentvolumeclaim "${claimName}" not found`);
      return undefined;
    }
    const volumeName = claim.spec?.volumeName ?? "";
    const volume = await cluster.read("persistentvolumes", "", volumeName);
    if (volume === undefined) missing.push(`persistentvolume "${volumeName}" not found`);
    return volume?.spec?.csi?.driver ?? (volume?.spec && driverOfKind(volume.spec));
  }
}

function driverOfKind(volume: Volume | PersistentVolumeSpec): string | undefined {
  const entries = Object.entries(driversOfKinds);
  return entries.find(([kind]) => Reflect.get(volume, kind) !== undefined)?.[1];
}
