import { describeVersions } from "../support/version-tables.js";

describeVersions("with watch caches", () => []);
describeVersions("without watch caches", () => ["--watch-cache=false"]);
describeVersions("without one of the resource's own", () => ["--watch-cache-sizes=configmaps#0"]);
