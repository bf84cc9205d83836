import { FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { type NameValidator, nameIsDnsSubdomain } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusPart } from "../../definition/base-strategy.js";
import { defineResource, hub, partVerbs } from "../../definition/define-resource.js";
import type { ResourceDefinition, ScaleView } from "../../definition/resource-definition.js";
import type { ReplicationController } from "../../gen/core-v1.js";
import { dropDisabledPodTemplateFields } from "../pod-spec/disabled-fields.js";
import { hostnameWarnings } from "../pod-spec/name-warnings.js";
import { podValidationOptions } from "../pod-spec/validation-options.js";
import { podTemplateWarnings } from "../pod-spec/warnings.js";
import { replicationControllerColumns } from "./columns.js";
import { setReplicationControllerDefaults } from "./defaults.js";
import { validateReplicationController, validateReplicationControllerStatus } from "./validation.js";

/** From 1.35 on, the declared rule of names counts bytes, and says nothing of a prefix. */
const declaredName: NameValidator = (name, isPrefix) =>
  isPrefix ? [] : nameIsDnsSubdomain(name, false).map((problem) => problem.replace(/ characters$/, " bytes"));

export function replicationControllers(context: ApiContext): ResourceDefinition<ReplicationController> {
  const templatePath = FieldPath.of("spec", "template");
  // Before 1.27, Kubernetes names a new template as if it were an object of its own.
  const newPath = isAtLeast(context.level, "1.27") ? templatePath : FieldPath.of("template");
  const main = specStrategy<ReplicationController>({
    validateName: isAtLeast(context.level, "1.35") ? declaredName : nameIsDnsSubdomain,
    // Pods outlive their controller unless the request says otherwise.
    defaultPropagation: () => "orphan",
    emptyStatus: () => ({ replicas: 0 }),
    prepareForCreate: (_write, object) => dropDisabledPodTemplateFields(context, object.spec.template),
    prepareForUpdate: (_write, object, old) =>
      dropDisabledPodTemplateFields(context, object.spec.template, old.spec.template),
    validate: (_write, object) =>
      validateReplicationController(object, podValidationOptions(context, object.spec.template)),
    validateUpdate(_write, object, old) {
      const options = podValidationOptions(context, object.spec.template, old.spec.template);
      const errors = validateReplicationController(object, options);
      // Before 1.35, Kubernetes repeats the rules of creation on updates, so each error appears twice.
      return isAtLeast(context.level, "1.35") ? errors : [...errors, ...errors];
    },
    warningsOnCreate: (_write, object) => [
      ...hostnameWarnings(context, object),
      ...podTemplateWarnings(context, newPath, object.spec.template),
    ],
    warningsOnUpdate: (_write, object, old) =>
      object.metadata.generation === old.metadata.generation
        ? []
        : // Kubernetes looks at the template that is replaced.
          podTemplateWarnings(context, templatePath, old.spec.template),
  });
  return defineResource<ReplicationController>({
    group: "",
    resource: "replicationcontrollers",
    kind: "ReplicationController",
    namespaced: true,
    shortNames: ["rc"],
    categories: ["all"],
    versions: [
      hub<ReplicationController>(context, {
        version: "v1",
        type: "core/v1.ReplicationController",
        setDefaults: (object) => setReplicationControllerDefaults(object, context),
      }),
    ],
    storage: { version: "v1", prefix: "/controllers" },
    strategy: main,
    subresources: [
      { kind: "scale", name: "scale", verbs: partVerbs, scale },
      statusPart(main, {
        validateUpdate: (_write, object) => validateReplicationControllerStatus(object.status),
      }),
    ],
    selectableFields: {
      names: ["status.replicas"],
      values: ({ status }) => ({ "status.replicas": String(status.replicas) }),
    },
    columns: replicationControllerColumns,
  });
}

const scale: ScaleView<ReplicationController> = {
  specReplicas: ({ spec }) => spec.replicas ?? 0,
  statusReplicas: ({ status }) => status.replicas,
  selector: ({ spec }) =>
    Object.entries(spec.selector ?? {})
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key}=${value}`)
      .join(","),
  setSpecReplicas({ spec }, replicas) {
    spec.replicas = replicas;
  },
};
