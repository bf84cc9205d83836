#!/usr/bin/env node
import { runCommand } from "./program.mjs";

runCommand("orch-apiserver");
