import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { validateImmutable } from "../../../apimachinery/validation/values.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import { validateTemplateMetadata } from "../../definition/template-metadata.js";
import type { ResourceClaimTemplate } from "../../gen/resource-v1.js";
import { validateClaimSpec } from "../claim-validation.js";
import { setTemplateDefaults } from "../defaults.js";

export function resourceClaimTemplates(context: ApiContext): ResourceDefinition<ResourceClaimTemplate> {
  const path = FieldPath.of("spec");
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
    versions: [
      hub<ResourceClaimTemplate>(context, {
        version: "v1",
        since: "1.34",
        type: "resource/v1.ResourceClaimTemplate",
        featureGate: "DynamicResourceAllocation",
        setDefaults: setTemplateDefaults,
      }),
    ],
    storage: { version: "v1", prefix: "/resourceclaimtemplates" },
    strategy: strategy<ResourceClaimTemplate>({
      validate: (_write, template) => validate(template, false),
      validateUpdate: (_write, template, old) => [
        ...validateImmutable(template.spec, old.spec, path),
        ...validate(template, true),
      ],
    }),
    returnsDeletedObject: true,
  });
}
