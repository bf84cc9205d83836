import { append } from "../../../apimachinery/collections/append.js";
import type { FieldPath } from "../../../apimachinery/errors/field-error.js";
import {
  type ApiLevel,
  atLevel,
  type Before,
  hasLevel,
  isAtLeast,
  type LevelRange,
} from "../../../apimachinery/levels/api-level.js";
import type { PodSpec, Volume } from "../../gen/core-v1.js";
import { claimSpecWarnings } from "../persistent-volume-claim/warnings.js";

const removedPlugin = "deprecated in v1.22, non-functional in v1.25+";
const beforeRemoval = { "1.27": { message: "deprecated in v1.22, support removal is planned in v1.26" } };

interface DeprecatedVolume {
  readonly source: Exclude<keyof Volume, "name">;
  /** Field names that Kubernetes' paths spell differently. */
  readonly shown?: string | undefined;
  readonly message: string;
}

const deprecatedVolumes: readonly (DeprecatedVolume &
  LevelRange & { readonly before?: Before<DeprecatedVolume> })[] = [
  { source: "photonPersistentDisk", message: "deprecated in v1.11, non-functional in v1.16+" },
  {
    source: "gitRepo",
    message: "deprecated in v1.11, and disabled by default in v1.33+",
    before: { "1.33": { message: "deprecated in v1.11" } },
  },
  { source: "scaleIO", message: "deprecated in v1.16, non-functional in v1.22+" },
  { source: "flocker", message: removedPlugin, before: beforeRemoval },
  { source: "storageos", shown: "storageOS", message: removedPlugin, before: beforeRemoval },
  { source: "quobyte", message: removedPlugin, before: beforeRemoval },
  {
    source: "glusterfs",
    message: "deprecated in v1.25, non-functional in v1.26+",
    since: "1.25",
    before: {
      "1.27": {
        message: "deprecated in v1.25, this feature will be removed soon after in a subsequent release",
      },
    },
  },
  { source: "cephfs", message: "deprecated in v1.28, non-functional in v1.31+", since: "1.28" },
  { source: "rbd", message: "deprecated in v1.28, non-functional in v1.31+", since: "1.28" },
];

/** Warns of deprecated and removed volume types, and of problems in the claim templates of ephemeral volumes. */
export function volumeTypeWarnings({ volumes }: PodSpec, path: FieldPath, level: ApiLevel): string[] {
  const warnings: string[] = [];
  for (const [index, volume] of (volumes ?? []).entries()) {
    for (const deprecated of deprecatedVolumes) {
      if (volume[deprecated.source] === undefined || !hasLevel(deprecated, level)) continue;
      const {
        source,
        shown = source,
        message,
      } = atLevel<DeprecatedVolume>(deprecated, deprecated.before, level);
      warnings.push(`${path.index(index).child(shown)}: ${message}`);
    }
    const claim = volume.ephemeral?.volumeClaimTemplate;
    if (claim !== undefined && isAtLeast(level, "1.26")) {
      const at = path.index(index).child("ephemeral", "volumeClaimTemplate", "spec");
      append(warnings, claimSpecWarnings(claim.spec, at));
    }
  }
  return warnings;
}
