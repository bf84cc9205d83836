// Jest runs tests in another realm, with its own module loader. The server needs those of Node.js, which a script in the main realm can
// reach.
const { runInThisContext } = require("node:vm");
const { createRequire } = runInThisContext('process.getBuiltinModule("node:module")');
module.exports = createRequire(__filename)("./library.mjs");
