// What starts a server in the process of a test.

export { createNaming } from "../../src/naming/naming.js";
export { adminKubeconfig } from "../../src/server/admin-kubeconfig.js";
export { ApiServer } from "../../src/server/api-server.js";
export { createServerLog } from "../../src/server/logging/server-log.js";
export { parseOptions, resolveOptions } from "../../src/server/options/parse-options.js";
export { buildInfo } from "../../src/server/settings/version.js";
