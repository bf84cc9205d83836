#!/usr/bin/env node
import { get } from "node:http";
import { runCommand } from "../program.mjs";

const option = "--etcd-servers=";

const [node, script, ...given] = process.argv;
/**
 * Options that make the server behave like the kube-apiserver of envtest: controllers of other components are off, and unknown fields
 * cause warnings, which current clients expect and which levels from 1.25 give by default. Tests may override both.
 */
const standard = [
  "--controllers=apiserver-service",
  ...(minorLevel() < 25 ? ["--feature-gates=ServerSideFieldValidation=true"] : []),
];
const stores = given.filter((argument) => argument.startsWith(option));
const directory = stores.length === 1 ? await directoryOf(stores[0].slice(option.length)) : undefined;
const rest = directory === undefined ? given : given.filter((argument) => !argument.startsWith(option));
const data = directory === undefined ? [] : [`--data-dir=${directory}`];
process.argv = [node, script, ...standard, ...data, ...rest];
runCommand("kube-apiserver");

/** 35 for `--api-level=1.35`; the last one counts. The scripts of `envtest-assets` always pass a level. */
function minorLevel() {
  const last = given.map((argument) => /^--api-level=1\.(\d+)$/.exec(argument)).findLast((found) => found);
  return Number(last?.[1]);
}

/** The data directory that the stand-in for etcd names; undefined when the URL is that of a real etcd, which then stores the objects. */
function directoryOf(url) {
  return new Promise((found) => {
    const none = () => found(undefined);
    const request = get(new URL("/server-data-directory", url), { timeout: 5000 }, (answer) => {
      answer.setEncoding("utf8");
      let text = "";
      answer.on("data", (piece) => {
        text += piece;
      });
      answer.on("error", none);
      answer.on("end", () => found(answer.statusCode === 200 ? text : undefined));
    });
    request.on("timeout", () => request.destroy());
    request.on("error", none);
  });
}
