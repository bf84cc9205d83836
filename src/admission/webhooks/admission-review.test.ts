import { expect, test } from "vitest";
import type { JsonObject } from "../../apimachinery/json/json-value.js";
import { denial } from "./admission-review.js";

const deniedBy = 'admission webhook "hook.example.com" denied the request';

test.each<[what: string, status: JsonObject | undefined, denied: JsonObject]>([
  ["nothing", undefined, { code: 400, message: `${deniedBy} without explanation` }],
  ["a message", { message: "too large" }, { code: 400, message: `${deniedBy}: too large` }],
  [
    "a known reason and a code",
    { code: 404, reason: "NotFound" },
    { code: 404, reason: "NotFound", message: `${deniedBy}: NotFound` },
  ],
  // As controller-runtime's `admission.Denied` answered until its release 0.15.
  [
    "a reason in words of its own",
    { code: 403, reason: "Always denied" },
    { code: 403, reason: "Always denied", message: `${deniedBy}: Always denied` },
  ],
  [
    "a success",
    { status: "Success", code: 200, message: "fine" },
    { code: 400, message: `${deniedBy}: fine` },
  ],
  [
    "details",
    { details: { causes: [{ field: "spec" }] } },
    { code: 400, message: `${deniedBy} without explanation`, details: { causes: [{ field: "spec" }] } },
  ],
])("the answer when a webhook denies with %s", (_what, status, denied) => {
  expect(denial("hook.example.com", status).status).toEqual({ metadata: {}, status: "Failure", ...denied });
});
