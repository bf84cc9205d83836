import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { column, nameColumn } from "../../definition/columns.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import { generationRules } from "../../definition/generation.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import { containerCells, labelsCell } from "../../definition/template-cells.js";
import type { PodTemplate } from "../../gen/core-v1.js";
import { setPodTemplateSpecDefaults } from "../pod-spec/defaults.js";
import { dropDisabledPodTemplateFields } from "../pod-spec/disabled-fields.js";
import { validatePodTemplateSpec } from "../pod-spec/validation.js";
import { podValidationOptions } from "../pod-spec/validation-options.js";
import { podTemplateWarnings } from "../pod-spec/warnings.js";

export function podTemplates(context: ApiContext): ResourceDefinition<PodTemplate> {
  const path = FieldPath.of("template");
  const rules = generationRules<PodTemplate>((object) => object.template, {
    validateName: nameIsDnsSubdomain,
    prepareForCreate: (_write, object) => dropDisabledPodTemplateFields(context, object.template),
    prepareForUpdate: (_write, object, old) =>
      dropDisabledPodTemplateFields(context, object.template, old.template),
    validate: (_write, { template }) =>
      validatePodTemplateSpec(template, path, podValidationOptions(context, template)),
    validateUpdate: (_write, { template }, old) =>
      validatePodTemplateSpec(template, path, podValidationOptions(context, template, old.template)),
    warningsOnCreate: (_write, { template }) => podTemplateWarnings(context, path, template),
    warningsOnUpdate: (_write, object, old) =>
      object.metadata.generation === old.metadata.generation
        ? []
        : podTemplateWarnings(context, path, object.template),
  });
  return defineResource<PodTemplate>({
    group: "",
    resource: "podtemplates",
    kind: "PodTemplate",
    namespaced: true,
    versions: [
      hub<PodTemplate>(context, {
        version: "v1",
        type: "core/v1.PodTemplate",
        setDefaults: (object) => setPodTemplateSpecDefaults(object.template, context),
      }),
    ],
    storage: { version: "v1", prefix: "/podtemplates" },
    strategy: strategy<PodTemplate>(rules),
    returnsDeletedObject: true,
    columns,
  });
}

const columns: TableColumns<PodTemplate> = {
  columns: [
    nameColumn,
    column("Containers", "string", "Names of the containers."),
    column("Images", "string", "Images of the containers."),
    column("Pod Labels", "string", "Labels of pods made from the template."),
  ],
  cells({ metadata, template }) {
    const { names, images } = containerCells(template);
    return [metadata.name ?? "", names, images, labelsCell(template.metadata.labels)];
  },
};
