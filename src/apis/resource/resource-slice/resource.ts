import { isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type { ApiContext } from "../../definition/api-context.js";
import { strategy } from "../../definition/base-strategy.js";
import { ageCell, ageColumn, column, nameColumn } from "../../definition/columns.js";
import { defineResource } from "../../definition/define-resource.js";
import { generationRules } from "../../definition/generation.js";
import type { ResourceDefinition } from "../../definition/resource-definition.js";
import type { TableColumns } from "../../definition/table-columns.js";
import type { ResourceSlice } from "../../gen/resource-v1.js";
import type { ResourceSlice as ResourceSliceV1alpha3 } from "../../gen/resource-v1alpha3.js";
import type { ResourceSlice as ResourceSliceV1beta1 } from "../../gen/resource-v1beta1.js";
import { sliceConversion, sliceV1alpha3Conversion } from "../conversion.js";
import { storageOf, versionsOf } from "../older-versions.js";
import { refusedSliceField } from "../refused-field.js";
import { setDeviceDefaults } from "./defaults.js";
import { validateResourceSlice } from "./validation.js";

export function resourceSlices(context: ApiContext): ResourceDefinition<ResourceSlice> {
  const { level, naming, now } = context;
  // Defaults of the versions that describe devices in `basic`.
  const setBasicDefaults = ({ spec }: Pick<ResourceSliceV1beta1 | ResourceSliceV1alpha3, "spec">): void => {
    for (const { basic } of spec.devices ?? []) setDeviceDefaults(basic, now());
  };
  return defineResource<ResourceSlice>({
    group: naming.group("resource"),
    resource: "resourceslices",
    kind: "ResourceSlice",
    namespaced: false,
    since: "1.31",
    versions: versionsOf<ResourceSlice, ResourceSliceV1beta1, ResourceSliceV1alpha3>(context, {
      kind: "ResourceSlice",
      setDefaults({ spec }) {
        for (const device of spec.devices ?? []) setDeviceDefaults(device, now());
      },
      v1beta1: { ...sliceConversion, setDefaults: setBasicDefaults },
      v1alpha3: { ...sliceV1alpha3Conversion, setDefaults: setBasicDefaults },
    }),
    storage: storageOf("resourceslices"),
    strategy: strategy<ResourceSlice>(
      generationRules<ResourceSlice>(({ spec }) => spec, {
        validate: (_write, slice) => validateResourceSlice(slice, undefined, context),
        validateUpdate: (_write, slice, old) => validateResourceSlice(slice, old, context),
        ...(isAtLeast(level, "1.35") && {
          warningsOnCreate: (_write, slice) => warnings(slice),
          warningsOnUpdate: (_write, slice) => warnings(slice),
        }),
      }),
    ),
    returnsDeletedObject: true,
    selectableFields: {
      names: ["spec.nodeName", "spec.driver"],
      values: ({ spec }) => ({ "spec.nodeName": spec.nodeName ?? "", "spec.driver": spec.driver }),
      refusal: refusedSliceField(naming.group("resource")),
    },
    columns,
  });
}

function warnings({ spec: { driver } }: ResourceSlice): string[] {
  if (driver === driver.toLowerCase()) return [];
  return [
    `spec.driver: driver names should be lowercase; ${JSON.stringify(driver)} contains uppercase characters`,
  ];
}

const columns: TableColumns<ResourceSlice> = {
  columns: [
    nameColumn,
    column("Node", "string", "Node that has the devices, if it is one."),
    column("Driver", "string", "Driver of the devices."),
    column("Pool", "string", "Pool that the devices belong to."),
    ageColumn,
  ],
  cells: (object, now) => [
    object.metadata.name ?? "",
    object.spec.nodeName ?? "",
    object.spec.driver,
    object.spec.pool.name,
    ageCell(object, now),
  ],
};
