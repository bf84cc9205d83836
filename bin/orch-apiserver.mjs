#!/usr/bin/env node
process.env.ORCH_COMMAND_NAME = "orch-apiserver";
await import("../dist/main.js");
