// Jest runs tests in a realm and with a loader of its own. The server needs those of Node.js, which a script in the main realm can reach.
const { runInThisContext } = require("node:vm");
const { createRequire } = runInThisContext('process.getBuiltinModule("node:module")');
module.exports = createRequire(__filename)("./library.mjs");
