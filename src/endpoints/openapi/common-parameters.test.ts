import { expect, test } from "vitest";
import type { ApiOperation, ApiParameter } from "./api-path.js";
import { withCommonParameters } from "./common-parameters.js";

const parameter = (name: string): ApiParameter => ({ name, in: "query", type: "string", description: "" });

function operation(method: ApiOperation["method"], ...names: readonly string[]): ApiOperation {
  return {
    method,
    id: method,
    description: "",
    tags: [],
    parameters: names.map(parameter),
    consumes: [],
    produces: [],
    responses: [],
  };
}

const namesOf = (parameters: readonly ApiParameter[]) => parameters.map(({ name }) => name);

test.each<[string, ApiOperation[], string[], string[][]]>([
  ["all of one operation", [operation("get", "limit", "continue")], ["continue", "limit", "pretty"], [[]]],
  [
    "what all have",
    [operation("put", "dryRun", "fieldManager"), operation("patch", "dryRun", "force")],
    ["dryRun", "pretty"],
    [["fieldManager"], ["force"]],
  ],
  ["nothing when one has none", [operation("get"), operation("put", "dryRun")], ["pretty"], [[], ["dryRun"]]],
])("a path has %s", (_what, operations, ofPath, ofOperations) => {
  const path = withCommonParameters({ path: "/a", parameters: [parameter("pretty")], operations });
  expect(namesOf(path.parameters)).toEqual(ofPath);
  expect(path.operations.map(({ parameters }) => namesOf(parameters))).toEqual(ofOperations);
});
