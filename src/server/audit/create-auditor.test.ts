import { expect, test } from "vitest";
import { logFileBytesMax } from "./create-auditor.js";

test("an audit log without a size is rotated at 100 MB, and never from 1.36 on", () => {
  expect(logFileBytesMax({ auditLogMaxsize: 0, apiLevel: "1.35" })).toBe(100 * 1024 * 1024);
  expect(logFileBytesMax({ auditLogMaxsize: 0, apiLevel: "1.36" })).toBe(Number.POSITIVE_INFINITY);
  expect(logFileBytesMax({ auditLogMaxsize: 2, apiLevel: "1.36" })).toBe(2 * 1024 * 1024);
});
