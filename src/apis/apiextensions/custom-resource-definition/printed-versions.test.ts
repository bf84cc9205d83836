import { expect, test } from "vitest";
import { withErrorTextsOf } from "../../../apimachinery/errors/error-texts.js";
import { commonParts } from "./common-parts.js";
import { printVersion } from "./printed-versions.js";

const versions = [
  {
    name: "v1",
    served: true,
    storage: false,
    schema: { openAPIV3Schema: { type: "object" } },
    subresources: { status: {}, scale: { specReplicasPath: ".spec.a", statusReplicasPath: ".status.a" } },
    selectableFields: [{ jsonPath: ".spec.a" }],
  },
  { name: "v2", served: true, storage: false },
];

test("since 1.30 versions are printed with their selectable fields", () => {
  const printed = (minor: number) =>
    withErrorTextsOf(minor, () =>
      versions.map((one) => printVersion(one, commonParts(versions), "x-a-").text),
    );
  const columns = "AdditionalPrinterColumns:[]apiextensions.CustomResourceColumnDefinition(nil)";
  expect(printed(29)[0]).toMatch(new RegExp(`${columns.replaceAll(/[[\]()]/g, "\\$&")}}$`));
  expect(printed(30)[0]).toContain(
    `${columns}, SelectableFields:[]apiextensions.SelectableField{apiextensions.SelectableField{JSONPath:".spec.a"}}}`,
  );
  expect(printed(30)[1]).toContain(`${columns}, SelectableFields:[]apiextensions.SelectableField(nil)}`);
});

test("in JSON the parts of versions have the fields of the internal types, null where they are absent", () => {
  const json = withErrorTextsOf(34, () =>
    versions.map((one) => JSON.parse(printVersion(one, commonParts(versions), "x-a-").json ?? "")),
  );
  expect(json).toEqual([
    {
      Name: "v1",
      Served: true,
      Storage: false,
      Deprecated: false,
      DeprecationWarning: null,
      Schema: { OpenAPIV3Schema: expect.objectContaining({ ID: "", Type: "object", AllOf: null }) },
      Subresources: {
        Status: {},
        Scale: { SpecReplicasPath: ".spec.a", StatusReplicasPath: ".status.a", LabelSelectorPath: null },
      },
      AdditionalPrinterColumns: null,
      SelectableFields: [{ JSONPath: ".spec.a" }],
    },
    {
      Name: "v2",
      Served: true,
      Storage: false,
      Deprecated: false,
      DeprecationWarning: null,
      Schema: null,
      Subresources: null,
      AdditionalPrinterColumns: null,
      SelectableFields: null,
    },
  ]);
});
