#!/usr/bin/env node
import { runCommand } from "./program.mjs";

runCommand("kube-apiserver");
