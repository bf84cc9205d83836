import { expect, test } from "vitest";
import { errorTexts } from "../../testing/kind-under-test.js";
import { validatePodLogOptions } from "./log-options-validation.js";

test.each([
  [{ tailLines: 0, limitBytes: 1, sinceSeconds: 1 }, []],
  [{ tailLines: -1 }, ["tailLines: Invalid value: -1: must be greater than or equal to 0"]],
  [{ limitBytes: 0 }, ["limitBytes: Invalid value: 0: must be greater than 0"]],
  [{ sinceSeconds: 0 }, ["sinceSeconds: Invalid value: 0: must be greater than 0"]],
  [
    { sinceSeconds: 0, sinceTime: "2022-01-01T00:00:00Z" },
    ["[]: Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified"],
  ],
  [{ stream: "All", tailLines: 1 }, []],
  [
    { stream: "stdout" },
    ['stream: Unsupported value: "stdout": supported values: "All", "Stderr", "Stdout"'],
  ],
  [
    { stream: "Stdout", tailLines: 1 },
    ["[]: Forbidden: `tailLines` and specific `stream` are mutually exclusive for now"],
  ],
])("%j: %j", (options, expected) => {
  expect(errorTexts(validatePodLogOptions(options, true))).toEqual(expected);
});

test("without the gate no stream may be named, not even all", () => {
  const refused = ["stream: Forbidden: may not be specified"];
  expect(errorTexts(validatePodLogOptions({ stream: "All" }, false))).toEqual(refused);
  expect(errorTexts(validatePodLogOptions({ stream: "Stdout", tailLines: 1 }, false))).toEqual(refused);
  expect(errorTexts(validatePodLogOptions({ tailLines: 1 }, false))).toEqual([]);
});
