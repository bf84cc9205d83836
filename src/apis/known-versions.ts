import { type ApiLevel, hasLevel, type LevelRange } from "../apimachinery/levels/api-level.js";
import type { GroupVersion } from "../apimachinery/objects/meta.js";
import type { Naming } from "../naming/naming.js";

interface KnownVersion extends LevelRange {
  readonly version: string;
}

/**
 * The versions that Kubernetes has types for, by the neutral name of their group. Some are off by default, some are no longer served, and some
 * are only sent to other programs. Source: the folders of the module k8s.io/api at each release.
 */
const known: readonly (readonly [stem: string, versions: readonly KnownVersion[]])[] = [
  ["", [{ version: "v1" }]],
  ["admission", [{ version: "v1" }, { version: "v1beta1" }]],
  [
    "admissionregistration",
    [{ version: "v1" }, { version: "v1alpha1", since: "1.26" }, { version: "v1beta1" }],
  ],
  ["apiextensions", [{ version: "v1" }, { version: "v1beta1" }]],
  ["apiregistration", [{ version: "v1" }, { version: "v1beta1" }]],
  ["apps", [{ version: "v1" }, { version: "v1beta1" }, { version: "v1beta2" }]],
  ["authentication", [{ version: "v1" }, { version: "v1alpha1", since: "1.26" }, { version: "v1beta1" }]],
  ["authorization", [{ version: "v1" }, { version: "v1beta1" }]],
  [
    "autoscaling",
    [
      { version: "v1" },
      { version: "v2" },
      { version: "v2beta1", until: "1.36" },
      { version: "v2beta2", until: "1.36" },
    ],
  ],
  ["batch", [{ version: "v1" }, { version: "v1beta1" }]],
  ["certificates", [{ version: "v1" }, { version: "v1alpha1", since: "1.27" }, { version: "v1beta1" }]],
  [
    "coordination",
    [
      { version: "v1" },
      { version: "v1alpha1", since: "1.31", until: "1.32" },
      { version: "v1alpha2", since: "1.32" },
      { version: "v1beta1" },
    ],
  ],
  ["discovery", [{ version: "v1" }, { version: "v1beta1" }]],
  ["events", [{ version: "v1" }, { version: "v1beta1" }]],
  ["extensions", [{ version: "v1beta1" }]],
  [
    "flowcontrol.apiserver",
    [
      { version: "v1", since: "1.29" },
      { version: "v1alpha1", until: "1.29" },
      { version: "v1beta1" },
      { version: "v1beta2" },
      { version: "v1beta3", since: "1.26" },
    ],
  ],
  ["imagepolicy", [{ version: "v1alpha1" }]],
  ["internal.apiserver", [{ version: "v1alpha1" }]],
  [
    "networking",
    [{ version: "v1" }, { version: "v1alpha1", since: "1.25", until: "1.34" }, { version: "v1beta1" }],
  ],
  ["node", [{ version: "v1" }, { version: "v1alpha1" }, { version: "v1beta1" }]],
  ["policy", [{ version: "v1" }, { version: "v1beta1" }]],
  ["rbac.authorization", [{ version: "v1" }, { version: "v1alpha1" }, { version: "v1beta1" }]],
  [
    "resource",
    [
      { version: "v1", since: "1.34" },
      { version: "v1alpha1", since: "1.26", until: "1.27" },
      { version: "v1alpha2", since: "1.27", until: "1.31" },
      { version: "v1alpha3", since: "1.31" },
      { version: "v1beta1", since: "1.32" },
      { version: "v1beta2", since: "1.33" },
    ],
  ],
  [
    "scheduling",
    [
      { version: "v1" },
      { version: "v1alpha1", until: "1.36" },
      { version: "v1alpha2", since: "1.36" },
      { version: "v1beta1" },
    ],
  ],
  ["storage", [{ version: "v1" }, { version: "v1alpha1" }, { version: "v1beta1" }]],
  [
    "storagemigration",
    [
      { version: "v1alpha1", since: "1.30", until: "1.35" },
      { version: "v1beta1", since: "1.35" },
    ],
  ],
];

/** The group versions that delete options and watch events are registered in, by their names in the profile. */
export function knownVersions(naming: Naming, level: ApiLevel): readonly GroupVersion[] {
  return known.flatMap(([stem, versions]) =>
    versions
      .filter((range) => hasLevel(range, level))
      .map(({ version }) => ({ group: naming.group(stem), version })),
  );
}
