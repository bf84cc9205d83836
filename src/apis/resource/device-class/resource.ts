import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { validateList } from "../../checks/lists.js";
import { validateNodeSelector } from "../../checks/node-selector.js";
import { isExtendedResource } from "../../checks/resource-names.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { nameAndAge } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import { generationRules } from "../../definition/generation.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { DeviceClass } from "../../gen/resource-v1.js";
import { configurationsMax } from "../claim-validation.js";
import { validateDeviceConfiguration } from "../configuration.js";
import { storageOf, versionsOf } from "../older-versions.js";
import { validateSelectors } from "../selectors.js";

export function deviceClasses(context: ApiContext): ResourceDefinition<DeviceClass> {
  const same = { toHub: (object: DeviceClass) => object, fromHub: (object: DeviceClass) => object };
  return defineResource<DeviceClass>({
    group: context.naming.group("resource"),
    resource: "deviceclasses",
    kind: "DeviceClass",
    namespaced: false,
    since: "1.31",
    versions: versionsOf(context, {
      kind: "DeviceClass",
      setDefaults: () => undefined,
      v1beta1: same,
      v1alpha3: same,
    }),
    storage: storageOf("deviceclasses"),
    strategy: strategy<DeviceClass>(
      generationRules<DeviceClass>(({ spec }) => spec, {
        validate: (_write, object) => validateDeviceClass(object, undefined, context),
        validateUpdate: (_write, object, old) => validateDeviceClass(object, old, context),
      }),
    ),
    returnsDeletedObject: true,
    columns: nameAndAge,
  });
}

/** Unchanged parts are not validated again. */
function validateDeviceClass(
  { spec }: DeviceClass,
  old: DeviceClass | undefined,
  context: ApiContext,
): FieldError[] {
  const path = FieldPath.of("spec");
  const hasOldSelectors = old !== undefined && isDeepEqual(spec.selectors, old.spec.selectors);
  const hasOldConfig = old !== undefined && isDeepEqual(spec.config, old.spec.config);
  const errors = [
    ...validateSelectors(spec.selectors, path.child("selectors"), context, hasOldSelectors),
    ...validateList(
      spec.config,
      path.child("config"),
      configurationsMax,
      (configuration, at) => validateDeviceConfiguration(configuration, at, hasOldConfig),
      context.level,
    ),
  ];
  if (spec.suitableNodes !== undefined) {
    errors.push(
      ...validateNodeSelector(spec.suitableNodes, FieldPath.of("suitableNodes"), { anyValues: true }),
    );
  }
  const name = spec.extendedResourceName;
  if (name !== undefined && !isExtendedResource(name, context.naming)) {
    const at = path.child("extendedResourceName");
    errors.push(invalid(at, name, "must be a valid extended resource name"));
  }
  return errors;
}
