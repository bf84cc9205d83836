import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { type FieldError, FieldPath, invalid } from "../../../apimachinery/errors/field-error.js";
import { isExtendedResource } from "../../core/pod-spec/resource-names.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { defineResource, hub } from "../../definition/define-resource.js";
import { generationRules } from "../../definition/generation.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { DeviceClass } from "../../gen/resource-v1.js";
import { configurationsMax } from "../claim-validation.js";
import { validateDeviceConfiguration } from "../configuration.js";
import { validateList } from "../lists.js";
import { validateSelectors } from "../selectors.js";

export function deviceClasses(context: ApiContext): ResourceDefinition<DeviceClass> {
  return defineResource<DeviceClass>({
    group: context.naming.group("resource"),
    resource: "deviceclasses",
    kind: "DeviceClass",
    namespaced: false,
    since: "1.31",
    versions: [
      hub<DeviceClass>(context, {
        version: "v1",
        since: "1.34",
        type: "resource/v1.DeviceClass",
        featureGate: "DynamicResourceAllocation",
      }),
    ],
    storage: { version: "v1", prefix: "/deviceclasses" },
    strategy: strategy<DeviceClass>(
      generationRules<DeviceClass>(({ spec }) => spec, {
        validate: (_write, object) => validateDeviceClass(object, undefined, context),
        validateUpdate: (_write, object, old) => validateDeviceClass(object, old, context),
      }),
    ),
    returnsDeletedObject: true,
  });
}

/** What did not change is taken as it is stored. */
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
    ...validateList(spec.config, path.child("config"), configurationsMax, (configuration, at) =>
      validateDeviceConfiguration(configuration, at, hasOldConfig),
    ),
  ];
  const name = spec.extendedResourceName;
  if (name !== undefined && !isExtendedResource(name, context.naming)) {
    const at = path.child("extendedResourceName");
    errors.push(invalid(at, name, "must be a valid extended resource name"));
  }
  return errors;
}
