import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ObjectMeta } from "../../../apimachinery/objects/meta.js";
import { nameIsAnything } from "../../../apimachinery/validation/object-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import type { Strategy } from "../../definition/strategy.js";
import type { CustomResourceDefinition } from "../../gen/apiextensions-v1.js";
import { cleanupFinalizer, withCondition } from "./conditions.js";
import { formatWarnings } from "./format-warnings.js";
import { recordStorageVersion } from "./stored-versions.js";
import {
  type DefinitionValidationParts,
  definitionErrors,
  definitionNames,
  validateCustomResourceDefinitionStatus,
} from "./validation.js";
import {
  dropOptionalOldSelf,
  dropValidationRules,
  hasOptionalOldSelf,
  hasValidationRules,
} from "./validation-rules.js";

export interface CustomResourceDefinitionStrategies {
  readonly main: Strategy<CustomResourceDefinition>;
  readonly status: Strategy<CustomResourceDefinition>;
}

export function customResourceDefinitionStrategies(context: ApiContext): CustomResourceDefinitionStrategies {
  const { naming } = context;
  const dropsRules = !context.isEnabled("CustomResourceValidationExpressions");
  // Levels without the field drop it in decoding.
  const dropsOldSelf = isAtLeast(context.level, "1.29") && !context.isEnabled("CRDValidationRatcheting");
  const finalizer = cleanupFinalizer(naming);
  const metaCodec = context.schemas.codec<ObjectMeta>("meta/v1.ObjectMeta");
  const parts: DefinitionValidationParts = {
    naming,
    level: context.level,
    oldestLevel: context.oldestLevel,
    readMeta: (value) => metaCodec.fromJson(value),
  };
  const main = strategy<CustomResourceDefinition>({
    termination: {
      begin: (definition) => beginTermination(definition, finalizer),
      ignoresPropagation: true,
      isHeld: () => false,
    },
    namesOf: definitionNames,
    validateName: nameIsAnything,
    allowUnconditionalUpdate: false,
    resetFields: [["status"]],
    prepareForCreate(_write, object) {
      object.metadata.generation = 1;
      object.status = recordStorageVersion(object.spec, emptyStatus());
      if (dropsRules) dropValidationRules(object.spec, naming.extensionPrefix);
      if (dropsOldSelf) dropOptionalOldSelf(object.spec, naming.extensionPrefix);
    },
    prepareForUpdate(_write, object, old) {
      if (!isDeepEqual(object.spec, old.spec)) {
        object.metadata.generation = Number(old.metadata.generation ?? 0) + 1;
      }
      object.status = recordStorageVersion(object.spec, old.status);
      if (dropsRules && !hasValidationRules(old.spec, naming.extensionPrefix)) {
        dropValidationRules(object.spec, naming.extensionPrefix);
      }
      if (dropsOldSelf && !hasOptionalOldSelf(old.spec, naming.extensionPrefix)) {
        dropOptionalOldSelf(object.spec, naming.extensionPrefix);
      }
    },
    validate: (_write, object) => definitionErrors(object, undefined, parts),
    validateUpdate: (_write, object, old) => definitionErrors(object, old, parts),
    warningsOnCreate: (_write, { spec }) => formatWarnings(spec, undefined, context.level),
    warningsOnUpdate: (_write, { spec }, old) => formatWarnings(spec, old.spec, context.level),
  });
  const status = strategy<CustomResourceDefinition>({
    ...main,
    warningsOnUpdate: () => [],
    // A write of the status can set labels; since 1.36 it owns them too.
    resetFields: isAtLeast(context.level, "1.36") ? [["spec"]] : [["metadata"], ["spec"]],
    prepareForUpdate(_write, object, old) {
      object.spec = old.spec;
    },
    validateUpdate: (_write, object) => validateCustomResourceDefinitionStatus(object),
  });
  return { main, status };
}

/** Lets a controller delete the custom resources first: it then removes the finalizer. */
function beginTermination({ metadata, status }: CustomResourceDefinition, finalizer: string): void {
  const finalizers = metadata.finalizers ?? [];
  if (!finalizers.includes(finalizer)) metadata.finalizers = [...finalizers, finalizer];
  const terminating = {
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  };
  status.conditions = [
    ...withCondition(status.conditions ?? [], terminating, metadata.deletionTimestamp ?? ""),
  ];
}

function emptyStatus(): CustomResourceDefinition["status"] {
  return { acceptedNames: { plural: "", kind: "" } };
}
