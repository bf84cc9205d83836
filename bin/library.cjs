// Jest gives its tests a realm and a loader of their own. The server needs those of Node.js, which scripts of the first realm reach.
const { runInThisContext } = require("node:vm");
const { createRequire } = runInThisContext('process.getBuiltinModule("node:module")');
module.exports = createRequire(__filename)("./library.mjs");
