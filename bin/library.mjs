import { existsSync } from "node:fs";
import { loadProgram, programFile, settledMs } from "./program.mjs";

if (!existsSync(programFile)) {
  throw new Error(
    `${programFile} is missing: run "npm run build", or let your bundler leave this package out`,
  );
}

const { run, keepIfNew } = loadProgram();
const program = run();

export const { replay } = program;

/** `src/index.ts` declares its types. A test often ends before `settledMs` has passed, so the compiled code is also stored when the server stops. */
export async function startApiServer(options) {
  const server = await program.startApiServer(options);
  setTimeout(keepIfNew, settledMs).unref();
  const stop = async () => {
    await server.stop();
    keepIfNew();
  };
  return { ...server, stop };
}
