#!/usr/bin/env node
process.env.ORCH_COMMAND_NAME = "kube-apiserver";
await import("../dist/main.js");
