import { append } from "../../../apimachinery/collections/append.js";
import { isDeepEqual } from "../../../apimachinery/collections/deep-equal.js";
import { type FieldError, FieldPath } from "../../../apimachinery/errors/field-error.js";
import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import { timestamp } from "../../../apimachinery/values/time.js";
import { validateConditions } from "../../checks/condition-validation.js";
import { validateDriverName } from "../../checks/driver-name.js";
import type { ApiContext } from "../../definition/api-context.js";
import { specStrategy, statusStrategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn, sinceCell } from "../../definition/columns.js";
import { defineResource, hub, partVerbs, spoke } from "../../definition/define-resource.js";
import { fieldRules } from "../../definition/field-rules.js";
import { resetMetadataForStatus } from "../../definition/reset-metadata.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type {
  DeviceTaintRule,
  DeviceTaintRuleStatus,
  DeviceTaintSelector,
} from "../../gen/resource-v1alpha3.js";
import { validatePoolName } from "../names.js";
import { validateSelectors } from "../selectors.js";
import { setTaintDefaults, validateDeviceTaint } from "../taints.js";
import { resourceV1alpha3Types } from "../v1alpha3/types.js";

const selectorRules = fieldRules<DeviceTaintSelector>(resourceV1alpha3Types, "DeviceTaintSelector");
const statusRules = fieldRules<DeviceTaintRuleStatus>(resourceV1alpha3Types, "DeviceTaintRuleStatus");

export function deviceTaintRules(context: ApiContext): ResourceDefinition<DeviceTaintRule> {
  const { level, naming } = context;
  const hasStatus = isAtLeast(level, "1.35");
  const shared = {
    enabledByDefault: false,
    setDefaults: ({ spec }: DeviceTaintRule) => setTaintDefaults([spec.taint], context.now()),
  } as const;
  const main = specStrategy<DeviceTaintRule>({
    emptyStatus: () => (hasStatus ? {} : undefined),
    prepareForUpdate({ now }, { spec: { taint } }, { spec: { taint: old } }) {
      // `timeAdded` says when the current effect began.
      const isNew = isAtLeast(level, "1.36") && taint.effect !== old.effect;
      if (isNew && taint.timeAdded === old.timeAdded) taint.timeAdded = timestamp(now);
    },
    validate: (_write, rule) => validateRule(rule, undefined, context),
    validateUpdate: (_write, rule, old) => validateRule(rule, old, context),
  });
  return defineResource<DeviceTaintRule>({
    group: naming.group("resource"),
    resource: "devicetaintrules",
    kind: "DeviceTaintRule",
    namespaced: false,
    since: "1.33",
    versions: [
      // The same fields as in v1alpha3.
      spoke<DeviceTaintRule, DeviceTaintRule>(context, {
        ...shared,
        version: "v1beta2",
        since: "1.36",
        type: "resource/v1beta2.DeviceTaintRule",
        lifecycle: { introduced: "1.36", deprecated: "1.39", removed: "1.42" },
        toHub: (object) => object,
        fromHub: (object) => object,
      }),
      hub<DeviceTaintRule>(context, {
        ...shared,
        version: "v1alpha3",
        since: "1.33",
        type: "resource/v1alpha3.DeviceTaintRule",
        lifecycle: { introduced: "1.33", deprecated: "1.36", removed: "1.39" },
      }),
    ],
    storage: { version: "v1alpha3", prefix: "/devicetaintrules" },
    strategy: main,
    returnsDeletedObject: true,
    subresources: [
      {
        kind: "part",
        name: "status",
        since: "1.35",
        verbs: partVerbs,
        strategy: statusStrategy(main, {
          resetFields: [["metadata"], ["spec"]],
          prepareForUpdate: (_write, rule, old) => resetMetadataForStatus(rule, old),
          validateUpdate: (_write, rule) => validateStatus(rule),
        }),
      },
    ],
    columns,
  });
}

function validateRule(
  { spec }: DeviceTaintRule,
  old: DeviceTaintRule | undefined,
  context: ApiContext,
): FieldError[] {
  const path = FieldPath.of("spec");
  return [
    ...validateSelector(spec, old?.spec, path.child("deviceSelector"), context),
    ...validateDeviceTaint(spec.taint, path.child("taint"), context.level, old?.spec.taint),
  ];
}

/** An empty selector selects all devices. */
function validateSelector(
  { deviceSelector = {} }: DeviceTaintRule["spec"],
  old: DeviceTaintRule["spec"] | undefined,
  path: FieldPath,
  context: ApiContext,
): FieldError[] {
  const { driver, pool, selectors } = deviceSelector;
  const errors = selectorRules.check(deviceSelector, path, "deviceClassName");
  if (driver !== undefined) append(errors, validateDriverName(driver, path.child("driver")));
  if (pool !== undefined) append(errors, validatePoolName(pool, path.child("pool")));
  append(errors, selectorRules.check(deviceSelector, path, "device"));
  const isStored = old !== undefined && isDeepEqual(selectors, old.deviceSelector?.selectors);
  return [...errors, ...validateSelectors(selectors, path.child("selectors"), context, isStored)];
}

function validateStatus({ status = {} }: DeviceTaintRule): FieldError[] {
  const path = FieldPath.of("status");
  return [
    ...validateConditions(status.conditions ?? [], path.child("conditions")),
    ...statusRules.check(status, path, "conditions"),
  ];
}

const columns: TableColumns<DeviceTaintRule> = {
  columns: [
    nameColumn,
    column("Key", "string", "Key of the taint."),
    column("Value", "string", "Value of the taint."),
    column("Effect", "string", "What the taint does to claims that do not tolerate it."),
    column("TimeAdded", "string", "Time since the taint was added."),
    ageColumn,
  ],
  cells(object, now) {
    const { key, value = "", effect, timeAdded } = object.spec.taint;
    return [object.metadata.name ?? "", key, value, effect, sinceCell(timeAdded, now), ageCell(object, now)];
  },
};
