import { expect, test } from "vitest";
import type { ApiObject, ManagedFieldsEntry } from "../../apimachinery/objects/meta.js";
import { keepManagersValid } from "./admitted-managers.js";

const entry: ManagedFieldsEntry = {
  manager: "kubectl",
  operation: "Update",
  apiVersion: "v1",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:data": {} },
};
const { apiVersion: _, ...withoutVersion } = entry;

function admitted(before: ManagedFieldsEntry[] | undefined, after: ManagedFieldsEntry[] | undefined) {
  const object: ApiObject = { metadata: { ...(after !== undefined && { managedFields: after }) } };
  const warnings: string[] = [];
  keepManagersValid(object, before, { warn: (text) => void warnings.push(text) });
  return { managers: object.metadata.managedFields, warnings };
}

test.each([
  ["apiVersion must not be empty", withoutVersion],
  [
    'metadata.managedFields[0].operation: Invalid value: "Patch": must be `Apply` or `Update`',
    { ...entry, operation: "Patch" },
  ],
  ["missing colon: data", { ...entry, fieldsV1: { data: {} } }],
])("managers that cannot be read are put back: %s", (problem, broken) => {
  const warning = `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`;
  expect(admitted([entry], [broken])).toEqual({ managers: [entry], warnings: [warning] });
  expect(admitted(undefined, [broken])).toEqual({ managers: undefined, warnings: [warning] });
});

test("managers that can be read stay as admission left them", () => {
  const other = { ...entry, manager: "other" };
  expect(admitted([entry], [other])).toEqual({ managers: [other], warnings: [] });
  expect(admitted([entry], undefined)).toEqual({ managers: undefined, warnings: [] });
});

test("managers that admission did not touch are not looked at", () => {
  const broken = [withoutVersion];
  expect(admitted(broken, broken)).toEqual({ managers: broken, warnings: [] });
});
