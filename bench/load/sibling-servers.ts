import type { StartApiServerOptions, startApiServer } from "../../src/index.js";

/** Servers in one process, which share the code that V8 compiles, so that they differ only in the cost of their options. */
export interface SiblingJob {
  /** The URL of the built library. */
  readonly library: string;
  readonly servers: readonly StartApiServerOptions["options"][];
}

process.once("message", async ({ library, servers }: SiblingJob) => {
  const { startApiServer: start }: { startApiServer: typeof startApiServer } = await import(library);
  const running = await Promise.all(servers.map((options) => start({ options })));
  process.once("disconnect", () => {
    void Promise.all(running.map((server) => server.stop())).then(() => process.exit(0));
  });
  process.send?.(running.map(({ url }) => Number(new URL(url).port)));
});
