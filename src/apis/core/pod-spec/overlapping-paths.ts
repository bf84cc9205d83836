import { addToList } from "../../../apimachinery/collections/groups.js";
import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  PodSpec,
  Volume,
  VolumeProjection,
} from "../../gen/core-v1.js";

interface File {
  readonly path: string;
  /** Of the files of a projected volume. */
  readonly source?: string;
}

/** The most warnings of one pod, far more than a response has room for: a pod may have thousands of volumes. */
const warningsMax = 1000;

/** Warns of files in a volume that overwrite each other, or need a directory where another file is. */
export function overlappingPathWarnings({ volumes }: PodSpec): string[] {
  const warnings: string[] = [];
  for (const volume of volumes ?? []) {
    warnings.push(...ownWarnings(volume), ...projectedWarnings(volume));
    if (warnings.length >= warningsMax) return warnings.slice(0, warningsMax);
  }
  return warnings;
}

function ownWarnings({ name, configMap, secret, downwardAPI }: Volume): string[] {
  const shown = `volume ${JSON.stringify(name)}`;
  return [
    ...overlaps(filesOf(configMap?.items), `${shown} (${named("ConfigMap", configMap?.name)})`),
    ...overlaps(filesOf(secret?.items), `${shown} (${named("Secret", secret?.secretName)})`),
    ...overlaps(filesOf(downwardAPI?.items), `${shown} (DownwardAPI)`),
  ];
}

function projectedWarnings({ name, projected }: Volume): string[] {
  const shown = `volume ${JSON.stringify(name)} (Projected)`;
  const sources = (projected?.sources ?? []).map(projectedFiles);
  return [
    ...sources.filter((files) => files === undefined).map(() => `${shown} has no sources provided`),
    ...overlaps(
      sources.flatMap((files) => files ?? []),
      shown,
    ),
  ];
}

/** Undefined if no source is set. */
function projectedFiles(projection: VolumeProjection): readonly File[] | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } =
    projection;
  if (configMap !== undefined) return filesOf(configMap.items, named("ConfigMap", configMap.name));
  if (secret !== undefined) return filesOf(secret.items, named("Secret", secret.name));
  if (downwardAPI !== undefined) return filesOf(downwardAPI.items, "DownwardAPI");
  if (serviceAccountToken !== undefined) return filesOf([serviceAccountToken], "ServiceAccountToken");
  if (clusterTrustBundle !== undefined) {
    const { name, signerName } = clusterTrustBundle;
    return filesOf([clusterTrustBundle], named("ClusterTrustBundle", name ?? signerName));
  }
  if (podCertificate === undefined) return undefined;
  const { certificateChainPath = "", keyPath = "", credentialBundlePath = "" } = podCertificate;
  return [
    { path: certificateChainPath, source: "PodCertificate chain" },
    { path: keyPath, source: "PodCertificate key" },
    { path: credentialBundlePath, source: "PodCertificate credential bundle" },
  ];
}

function filesOf(
  items: readonly Pick<KeyToPath | DownwardAPIVolumeFile, "path">[] | undefined,
  source?: string,
): File[] {
  return (items ?? []).map(({ path }) => ({ path, ...(source !== undefined && { source }) }));
}

/** `what` is the volume. Files are looked up by their directories: comparing all with all would take too long. */
function overlaps(files: readonly File[], what: string): string[] {
  const warnings: string[] = [];
  const places = new Map<string, number[]>();
  const within = new Map<string, number[]>();
  const shown: string[] = [];
  for (const { path, source } of files) {
    const file = withoutLastSlashes(path);
    if (file === "") continue;
    const parents = parentsOf(file);
    const index = shown.push(`${JSON.stringify(file)}${source === undefined ? "" : ` (${source})`}`) - 1;
    const others = [file, ...parents].flatMap((place) => places.get(place) ?? []);
    for (const other of [...others, ...(within.get(file) ?? [])].sort((a, b) => a - b)) {
      if (warnings.length === warningsMax) return warnings;
      warnings.push(`${what}: overlapping paths: ${shown[index]} with ${shown[other]}`);
    }
    addToList(places, file, index);
    for (const parent of parents) addToList(within, parent, index);
  }
  return warnings;
}

/** A regular expression would scan a run of slashes again from each of them. */
function withoutLastSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === "/") end--;
  return path.slice(0, end);
}

/** The most directories to check, which is more than file systems allow. */
const parentsMax = 100;

function parentsOf(file: string): string[] {
  const parents: string[] = [];
  for (
    let end = file.indexOf("/");
    end >= 0 && parents.length < parentsMax;
    end = file.indexOf("/", end + 1)
  ) {
    parents.push(file.slice(0, end));
  }
  return parents;
}

function named(kind: string, name = ""): string {
  return `${kind} ${JSON.stringify(name)}`;
}
