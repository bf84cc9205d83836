import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { claimSpecWarnings } from "../../core/persistent-volume-claim/warnings.js";
import type { StatefulSet } from "../../gen/apps-v1.js";

const path = FieldPath.of("spec");

/** Warnings besides those of the template. */
export function statefulSetWarnings(
  { spec }: StatefulSet,
  level: ApiLevel,
  { isUpdate }: { readonly isUpdate: boolean },
): string[] {
  const claims = isAtLeast(level, "1.26") ? (spec.volumeClaimTemplates ?? []) : [];
  return [
    ...claims.flatMap((claim, index) => {
      const at = path.child("volumeClaimTemplates").index(index);
      // Kubernetes names the spec wrongly on updates, and not at all on creation.
      return claimSpecWarnings(claim.spec, isUpdate ? at.child("Spec") : at);
    }),
    ...(isAtLeast(level, "1.33") && (spec.revisionHistoryLimit ?? 0) < 0
      ? [
          `${path.child("revisionHistoryLimit")}: a negative value retains all historical revisions; a value >= 0 is recommended`,
        ]
      : []),
  ];
}
