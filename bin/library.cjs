// Jest runs tests in a realm of their own, with its own module loader. The server needs the loader of Node.js, which a script in the main
// realm can reach.
const { runInThisContext } = require("node:vm");
const { createRequire } = runInThisContext('process.getBuiltinModule("node:module")');
module.exports = createRequire(__filename)("./library.mjs");
