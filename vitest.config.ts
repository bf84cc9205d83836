import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { LongFilesFirst } from "./test/support/long-files-first.js";

const cores = availableParallelism();
/** More than the cores: a file of end-to-end tests waits more than it works. */
const waitingWorkers = 3 * Math.min(cores, 8);

/** The V8 of Node.js 20 optimizes what has run a few times, as most code of tests has: that took a fifth of the time. */
const optimizesLater = process.versions.v8.startsWith("11.") ? ["--interrupt-budget=600000"] : [];

/** Of a process that runs many files: it loads modules once, and has a young generation that short work seldom fills. */
const sharedProcess = {
  isolate: false,
  execArgv: ["--min-semi-space-size=32", "--max-semi-space-size=32", ...optimizesLater],
  // What is built is JavaScript for Node.js already.
  server: { deps: { external: [/\/dist\/testing\//] } },
};

/** Tests of servers that run beside them, and of clients that take their time. Many wait for the time that a server gives somebody. */
const patient = {
  maxConcurrency: 20,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
};

/** What writes are answered with, what they lead to, and what lists and watches show. */
const suitesOfLanes = [
  "admission",
  "admission-webhooks",
  "apply",
  "audit",
  "bad-input",
  "custom-resource-rules",
  "custom-resources",
  "deletion",
  "encryption",
  "field-validation",
  "live-catalog",
  "patches",
  "representations",
  "resource-quota",
  "watch-transports",
  "writes",
];

/** What reads are answered with, and who may read; what connections carry beside. */
const suitesOfThreads = [
  "access-selectors",
  "aggregation",
  "audit",
  "authentication",
  "authorization",
  "cbor",
  "custom-resources",
  "flow-control",
  "informers",
  "live-catalog",
  "representations",
  "sharded-lists",
  "watch-transports",
  "web-socket-streams",
];

export default defineConfig({
  test: {
    // Sources that have not changed are not made JavaScript again, by the next project nor the next run.
    experimental: { fsModuleCache: true },
    globalSetup: "test/support/before-all-tests.ts",
    sequence: { sequencer: LongFilesFirst },
    projects: [
      {
        test: {
          name: "unit",
          include: [
            "src/**/*.test.ts",
            "console/src/**/*.test.ts",
            "test/registry/**/*.test.ts",
            "test/robustness/**/*.test.ts",
          ],
          testTimeout: 120_000,
          hookTimeout: 120_000,
          expect: { poll: { timeout: 60_000 } },
          maxConcurrency: 20,
          // Loading the modules again for each file takes as long as the tests: what a test replaces in them it puts back.
          ...sharedProcess,
          maxWorkers: cores + 1,
        },
      },
      {
        test: {
          ...patient,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          ...sharedProcess,
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...patient,
          // The same suites with every write, and every form that is not kept, in a lane.
          name: "lanes",
          include: suitesOfLanes.map((name) => `test/e2e/${name}.test.ts`),
          env: { TEST_SERVER_ARGS: "--lane-request-bytes=0" },
          ...sharedProcess,
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...patient,
          // The same suites with two threads that serve.
          name: "threads",
          include: suitesOfThreads.map((name) => `test/e2e/${name}.test.ts`),
          env: { TEST_SERVER_ARGS: "--serving-threads=2" },
          ...sharedProcess,
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 4 },
        },
      },
      {
        test: {
          ...patient,
          // Every field, right and level, and the package.
          name: "matrix",
          include: ["test/matrix/**/*.test.ts"],
          ...sharedProcess,
          maxWorkers: waitingWorkers,
          // Beside the lanes.
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...patient,
          // What starts a browser, or kubectl some hundred times.
          name: "programs",
          include: ["test/programs/**/*.test.ts"],
          ...sharedProcess,
          maxWorkers: waitingWorkers,
          sequence: { groupOrder: 3 },
        },
      },
      {
        test: {
          ...patient,
          name: "soak",
          include: ["test/soak/**/*.test.ts"],
          // Each measures a server of its own, and mostly waits for it.
          maxWorkers: 2,
        },
      },
      {
        test: {
          name: "clients",
          include: ["test/clients/**/*.test.ts"],
          // The suites of controller-runtime wait a second here and there.
          fileParallelism: false,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...patient,
          name: "etcd",
          include: ["test/etcd/**/*.test.ts"],
          ...sharedProcess,
          // Not more: the members of a cluster expect to hear of each other in time.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
