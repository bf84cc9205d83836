import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { statusPart, strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { validateTemplateMetadata } from "../../definition/template-metadata.js";
import type {
  ResourceClaimTemplate as ResourceClaimTemplateV1alpha1,
  ResourceClaim as ResourceClaimV1alpha1,
} from "../../gen/resource-v1alpha1.js";
import type { ResourceClaim, ResourceClaimSpec, ResourceClaimTemplate } from "../../gen/resource-v1alpha2.js";
import { resourceV1alpha2Types } from "../v1alpha2/types.js";
import { validateClaimSpec, validateClaimStatus } from "./claim-validation.js";
import { classicStorage, classicVersions } from "./versions.js";

const specPath = FieldPath.of("spec");
const claimRules = fieldRules<ResourceClaim>(resourceV1alpha2Types, "ResourceClaim");
const templateRules = fieldRules<ResourceClaimTemplate>(resourceV1alpha2Types, "ResourceClaimTemplate");

export function classicClaims(context: ApiContext): ResourceDefinition<ResourceClaim> {
  const main = strategy<ResourceClaim>({
    resetFields: [["status"]],
    prepareForCreate(_write, claim) {
      claim.status = {};
    },
    prepareForUpdate(_write, claim, old) {
      claim.status = old.status;
    },
    validate: (_write, { spec }) => validateClaimSpec(spec, specPath),
    validateUpdate: (_write, claim, old) => [
      ...validateClaimSpec(claim.spec, specPath),
      ...claimRules.unchanged(claim, old, FieldPath.root, "spec"),
    ],
  });
  return defineResource<ResourceClaim>({
    group: context.naming.group("resource"),
    resource: "resourceclaims",
    kind: "ResourceClaim",
    namespaced: true,
    since: "1.26",
    until: "1.31",
    versions: classicVersions<ResourceClaim, ResourceClaimV1alpha1>(
      context,
      "ResourceClaim",
      { toHub: fromV1alpha1, fromHub: toV1alpha1 },
      ({ spec }) => setDefaults(spec),
    ),
    storage: classicStorage("resourceclaims"),
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      statusPart(main, {
        prepareForUpdate(_write, claim, old) {
          if (isAtLeast(context.level, "1.30")) resetMetadataForStatus(claim, old);
        },
        validateUpdate: (_write, claim, old) => validateClaimStatus(claim, old, context.level),
      }),
    ],
    columns,
  });
}

export function classicClaimTemplates(context: ApiContext): ResourceDefinition<ResourceClaimTemplate> {
  const validate = ({ spec }: ResourceClaimTemplate) => [
    ...validateTemplateMetadata(spec.metadata, specPath.child("metadata"), "cannot be set"),
    ...validateClaimSpec(spec.spec, specPath.child("spec")),
  ];
  return defineResource<ResourceClaimTemplate>({
    group: context.naming.group("resource"),
    resource: "resourceclaimtemplates",
    kind: "ResourceClaimTemplate",
    namespaced: true,
    since: "1.26",
    until: "1.31",
    versions: classicVersions<ResourceClaimTemplate, ResourceClaimTemplateV1alpha1>(
      context,
      "ResourceClaimTemplate",
      { toHub: (template) => template, fromHub: (template) => template },
      ({ spec }) => setDefaults(spec.spec),
    ),
    storage: classicStorage("resourceclaimtemplates"),
    strategy: strategy<ResourceClaimTemplate>({
      validate: (_write, template) => validate(template),
      validateUpdate: (_write, template, old) => [
        ...templateRules.unchanged(template, old, FieldPath.root, "spec"),
        ...validate(template),
      ],
    }),
    returnsDeletedObject: true,
    columns: templateColumns,
  });
}

function setDefaults(spec: Pick<ResourceClaimSpec, "allocationMode">): void {
  if ((spec.allocationMode ?? "") === "") spec.allocationMode = "WaitForFirstConsumer";
}

/** One handle became one for each driver. */
function fromV1alpha1({ status: { allocation, ...status }, ...claim }: ResourceClaimV1alpha1): ResourceClaim {
  if (allocation === undefined) return { ...claim, status };
  const { resourceHandle: data = "", ...others } = allocation;
  const resourceHandles = data === "" ? undefined : [{ driverName: status.driverName, data }];
  return { ...claim, status: { ...status, allocation: { ...others, resourceHandles } } };
}

function toV1alpha1({ status: { allocation, ...status }, ...claim }: ResourceClaim): ResourceClaimV1alpha1 {
  if (allocation === undefined) return { ...claim, status };
  const { resourceHandles, ...others } = allocation;
  return {
    ...claim,
    status: { ...status, allocation: { ...others, resourceHandle: resourceHandles?.[0]?.data } },
  };
}

const classColumn = column("ResourceClassName", "string", "Which resource is claimed.");
const modeColumn = column("AllocationMode", "string", "When the claim gets its resource.");

const columns: TableColumns<ResourceClaim> = {
  columns: [
    nameColumn,
    classColumn,
    modeColumn,
    column("State", "string", "Whether the claim has its resource, and pods that use it."),
    ageColumn,
  ],
  cells: (claim, now) => [
    claim.metadata.name ?? "",
    claim.spec.resourceClassName,
    claim.spec.allocationMode ?? "",
    stateOf(claim),
    ageCell(claim, now),
  ],
};

const templateColumns: TableColumns<ResourceClaimTemplate> = {
  columns: [nameColumn, classColumn, modeColumn, ageColumn],
  cells: (template, now) => [
    template.metadata.name ?? "",
    template.spec.spec.resourceClassName,
    template.spec.spec.allocationMode ?? "",
    ageCell(template, now),
  ],
};

function stateOf({ metadata, status }: ResourceClaim): string {
  const isDeleted = metadata.deletionTimestamp !== undefined;
  const states = isDeleted ? ["deleted"] : [];
  if (status.allocation === undefined) {
    if (!isDeleted) states.push("pending");
    return states.join(",");
  }
  states.push("allocated");
  if ((status.reservedFor ?? []).length > 0) states.push("reserved");
  else if (isDeleted || status.deallocationRequested === true) states.push("deallocating");
  return states.join(",");
}
