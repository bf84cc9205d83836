import { existsSync } from "node:fs";
import { loadProgram, programFile, settledMs, tryToKeep } from "./program.mjs";

if (!existsSync(programFile)) {
  throw new Error(
    `${programFile} is missing: run "npm run build", or let your bundler leave this package out`,
  );
}

const { run, keep, isCompiled } = loadProgram();
const program = run();
let isKept = isCompiled;

export const { replay } = program;

/** `src/index.ts` has its types. A test ends sooner than a server settles, so its compiled code is kept when it stops its server. */
export async function startApiServer(options) {
  const server = await program.startApiServer(options);
  setTimeout(keepOnce, settledMs).unref();
  const stop = async () => {
    await server.stop();
    keepOnce();
  };
  return { ...server, stop };
}

function keepOnce() {
  if (isKept) return;
  isKept = true;
  tryToKeep(keep);
}
