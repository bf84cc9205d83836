import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { printInternal } from "../../checks/internal-form.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { nameAndAge } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import { validateTemplateMetadata } from "../../definition/template-metadata.js";
import type { ResourceClaimTemplate } from "../../gen/resource-v1.js";
import type { ResourceClaimTemplate as ResourceClaimTemplateV1beta1 } from "../../gen/resource-v1beta1.js";
import { validateClaimSpec } from "../claim-validation.js";
import { templateConversion } from "../conversion.js";
import { setFlatDefaults, setTemplateDefaults } from "../defaults.js";
import { storageOf, versionsOf } from "../older-versions.js";
import { resourceV1Types } from "../v1/types.js";

const rules = fieldRules<ResourceClaimTemplate>(resourceV1Types, "ResourceClaimTemplate");

export function resourceClaimTemplates(context: ApiContext): ResourceDefinition<ResourceClaimTemplate> {
  const path = FieldPath.of("spec");
  const older = {
    ...templateConversion,
    setDefaults: (template: ResourceClaimTemplateV1beta1) =>
      setFlatDefaults(template.spec.spec.devices, context.level),
  };
  const validate = ({ spec }: ResourceClaimTemplate, isStored: boolean): FieldError[] => [
    ...validateTemplateMetadata(spec.metadata, path.child("metadata"), "cannot be set"),
    ...validateClaimSpec(spec.spec, path.child("spec"), context, isStored),
  ];
  return defineResource<ResourceClaimTemplate>({
    group: context.naming.group("resource"),
    resource: "resourceclaimtemplates",
    kind: "ResourceClaimTemplate",
    namespaced: true,
    since: "1.31",
    versions: versionsOf(context, {
      kind: "ResourceClaimTemplate",
      setDefaults: setTemplateDefaults,
      v1beta1: older,
      v1alpha3: older,
    }),
    storage: storageOf("resourceclaimtemplates"),
    strategy: strategy<ResourceClaimTemplate>({
      validate: (_write, template) => validate(template, false),
      validateUpdate: (_write, template, old) => [
        ...validate(template, false),
        ...rules.unchangedValue("spec", template.spec, old.spec, FieldPath.of("spec"), (spec) =>
          printInternal(context.schemas, "resource/v1.ResourceClaimTemplateSpec", spec),
        ),
      ],
    }),
    returnsDeletedObject: true,
    columns: nameAndAge,
  });
}
