import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const cores = availableParallelism();

/** Tests of servers that run beside them, and of clients that take their time. */
const patient = {
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts", "test/registry/**/*.test.ts", "test/robustness/**/*.test.ts"],
          testTimeout: 20_000,
          expect: { poll: { timeout: 15_000 } },
          // Loading the modules again for each file takes as long as the tests: what a test replaces in them it puts back.
          isolate: false,
          maxWorkers: Math.max(2, cores),
        },
      },
      {
        test: {
          ...patient,
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          // Each file has at least one server beside it.
          maxWorkers: Math.max(2, Math.floor(cores / 2)),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...patient,
          name: "soak",
          include: ["test/soak/**/*.test.ts"],
          fileParallelism: false,
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
          fileParallelism: false,
        },
      },
    ],
  },
});
