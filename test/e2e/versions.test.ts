import { describe } from "vitest";
import { describeVersions } from "../support/version-tables.js";

// Each waits for versions that never come, on servers of its own.
describe.concurrent("versions", () => {
  describeVersions("with watch caches", () => []);
  describeVersions("without watch caches", () => ["--watch-cache=false"]);
  describeVersions("without one of the resource's own", () => ["--watch-cache-sizes=configmaps#0"]);
});
