import type {
  DownwardAPIVolumeFile,
  KeyToPath,
  PodSpec,
  Volume,
  VolumeProjection,
} from "../../gen/core-v1.js";

/** Files of a volume that take each other's place, or need a directory where another file is. */
export function overlappingPathWarnings({ volumes }: PodSpec): string[] {
  return (volumes ?? []).flatMap((volume) => [...ownWarnings(volume), ...projectedWarnings(volume)]);
}

function ownWarnings({ name, configMap, secret, downwardAPI }: Volume): string[] {
  const shown = `volume ${JSON.stringify(name)}`;
  return [
    ...overlaps(pathsOf(configMap?.items), `${shown} (ConfigMap ${JSON.stringify(configMap?.name ?? "")})`),
    ...overlaps(pathsOf(secret?.items), `${shown} (Secret ${JSON.stringify(secret?.secretName ?? "")})`),
    ...overlaps(pathsOf(downwardAPI?.items), `${shown} (DownwardAPI)`),
  ];
}

function projectedWarnings({ name, projected }: Volume): string[] {
  const shown = `volume ${JSON.stringify(name)}`;
  const known = new Set<string>();
  return (projected?.sources ?? []).flatMap((source) => {
    const files = filesOf(source);
    if (files === undefined) return [`${shown} (Projected) has no sources provided`];
    const what = `${shown} (Projected ${files.kind})`;
    const own = overlaps(files.paths, what);
    const all = [...new Set([...files.paths, ...known])].sort();
    const among = files.paths.length === 0 ? [] : overlaps(all, what);
    for (const path of files.paths) known.add(path);
    return [...own, ...among];
  });
}

/** Undefined for a source of no kind. */
function filesOf(source: VolumeProjection): { kind: string; paths: readonly string[] } | undefined {
  const { configMap, secret, downwardAPI, serviceAccountToken, clusterTrustBundle, podCertificate } = source;
  if (configMap !== undefined)
    return { kind: `ConfigMap ${quoted(configMap.name)}`, paths: pathsOf(configMap.items) };
  if (secret !== undefined) return { kind: `Secret ${quoted(secret.name)}`, paths: pathsOf(secret.items) };
  if (downwardAPI !== undefined) return { kind: "DownwardAPI", paths: pathsOf(downwardAPI.items) };
  if (serviceAccountToken !== undefined) {
    return { kind: "ServiceAccountToken", paths: [serviceAccountToken.path] };
  }
  if (clusterTrustBundle !== undefined) {
    const { name, signerName, path } = clusterTrustBundle;
    return { kind: `ClusterTrustBundle ${quoted(name ?? signerName)}`, paths: [path] };
  }
  return podCertificate === undefined ? undefined : { kind: "PodCertificate", paths: [] };
}

function pathsOf(items: readonly (KeyToPath | DownwardAPIVolumeFile)[] | undefined): string[] {
  return (items ?? []).map(({ path }) => path);
}

/** `what` is the volume. Paths are looked up by their directories: comparing all with all would take too long. */
function overlaps(paths: readonly string[], what: string): string[] {
  const warnings: string[] = [];
  const files = new Set<string>();
  const directories = new Map<string, string>();
  for (const path of paths) {
    const file = withoutLastSlashes(path);
    if (file === "") continue;
    const parents = parentsOf(file);
    const other = files.has(file)
      ? file
      : (directories.get(file) ?? parents.find((parent) => files.has(parent)));
    if (other !== undefined) {
      warnings.push(`${what}: overlapping paths: ${JSON.stringify(file)} with ${JSON.stringify(other)}`);
    }
    files.add(file);
    for (const parent of parents) directories.set(parent, file);
  }
  return warnings;
}

/** Without a pattern, which would scan a long run of slashes again from each of them. */
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

function quoted(text: string | undefined): string {
  return JSON.stringify(text ?? "");
}
