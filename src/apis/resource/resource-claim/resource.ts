import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { printInternal } from "../../checks/internal-form.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ResourceClaim } from "../../gen/resource-v1.js";
import type { ResourceClaim as ResourceClaimV1beta1 } from "../../gen/resource-v1beta1.js";
import { devicesStillAllocated, validateClaimStatus } from "../claim-status-validation.js";
import { requestNamesOf, validateClaimSpec } from "../claim-validation.js";
import { claimConversion } from "../conversion.js";
import { setClaimDefaults, setFlatDefaults, setStatusDefaults } from "../defaults.js";
import { storageOf, versionsOf } from "../older-versions.js";
import { resourceV1Types } from "../v1/types.js";

const rules = fieldRules<ResourceClaim>(resourceV1Types, "ResourceClaim");

export function resourceClaims(context: ApiContext): ResourceDefinition<ResourceClaim> {
  const path = FieldPath.of("spec");
  const older = {
    ...claimConversion,
    setDefaults({ spec, status }: ResourceClaimV1beta1) {
      setFlatDefaults(spec.devices, context.level);
      setStatusDefaults(status);
    },
  };
  const main = strategy<ResourceClaim>({
    resetFields: [["status"]],
    prepareForCreate(_write, claim) {
      claim.status = {};
    },
    prepareForUpdate(_write, claim, old) {
      claim.status = old.status;
    },
    validate: (_write, { spec }) => validateClaimSpec(spec, path, context, false),
    validateUpdate: (_write, claim, old) => [
      ...rules.unchangedValue("spec", claim.spec, old.spec, path, (spec) =>
        printInternal(context.schemas, "resource/v1.ResourceClaimSpec", spec),
      ),
      // Since 1.35, a change of the spec is the only error reported.
      ...(isAtLeast(context.level, "1.35") ? [] : validateClaimSpec(claim.spec, path, context, true)),
    ],
  });
  return defineResource<ResourceClaim>({
    group: context.naming.group("resource"),
    resource: "resourceclaims",
    kind: "ResourceClaim",
    namespaced: true,
    since: "1.31",
    versions: versionsOf(context, {
      kind: "ResourceClaim",
      setDefaults: setClaimDefaults,
      v1beta1: older,
      v1alpha3: older,
    }),
    storage: storageOf("resourceclaims"),
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      statusPart(main, {
        // Before 1.36, a writer of the status could own labels that it cannot set.
        resetFields: isAtLeast(context.level, "1.35") ? [["metadata"], ["spec"]] : [["spec"]],
        prepareForUpdate(_write, claim, old) {
          resetMetadataForStatus(claim, old);
          const kept = devicesStillAllocated(claim.status, old.status);
          claim.status.devices = kept.length === 0 ? undefined : kept;
        },
        validateUpdate: (_write, { metadata, spec, status }, old) =>
          validateClaimStatus(status, old.status, FieldPath.of("status"), {
            level: context.level,
            schemas: context.schemas,
            names: requestNamesOf(spec.devices),
            isTerminating: metadata.deletionTimestamp !== undefined,
          }),
      }),
    ],
    columns,
  });
}

const columns: TableColumns<ResourceClaim> = {
  columns: [
    nameColumn,
    column(
      "State",
      "string",
      "Whether devices are allocated and reserved for pods, or the claim is being deleted.",
    ),
    ageColumn,
  ],
  cells: (object, now) => [object.metadata.name ?? "", stateOf(object), ageCell(object, now)],
};

function stateOf({
  metadata,
  status,
}: {
  readonly metadata: ResourceClaim["metadata"];
  readonly status: { readonly allocation?: unknown; readonly reservedFor?: readonly unknown[] | undefined };
}): string {
  const isTerminating = metadata.deletionTimestamp !== undefined;
  const states: string[] = isTerminating ? ["deleted"] : [];
  if (status.allocation === undefined) {
    if (!isTerminating) states.push("pending");
  } else {
    states.push("allocated");
    if ((status.reservedFor ?? []).length > 0) states.push("reserved");
  }
  return states.join(",");
}
