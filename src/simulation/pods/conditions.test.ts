import { expect, test } from "vitest";
import { mergedConditions } from "./conditions.js";

const ready = { type: "Ready", status: "True" };
const notReady = { type: "Ready", status: "False" };
const checked = { type: "Checked", status: "True" };
const failed = { type: "Failed", status: "True" };

test.each([
  ["what others added stays", [ready, checked], [ready], [notReady], [notReady, checked]],
  [
    "what others changed stays if the pass left it alone",
    [notReady],
    [ready],
    [ready, failed],
    [notReady, failed],
  ],
  ["what others removed does not come back", [], [checked], [checked, failed], [failed]],
  ["the pass decides what both wrote", [ready], [], [notReady], [notReady]],
  ["what the pass removed goes", [ready, failed], [ready, failed], [ready], [ready]],
  ["nothing stays nothing", undefined, undefined, undefined, undefined],
])("%s", (_, newest, seen, wanted, merged) => {
  expect(mergedConditions(newest, seen, wanted)).toEqual(merged);
});
