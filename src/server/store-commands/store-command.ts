import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type ApiLevel, apiLevels, isApiLevel } from "../../apimachinery/levels/api-level.js";
import { parseMediaTypeName } from "../../naming/media-types.js";
import type { Naming } from "../../naming/naming.js";
import { defaultOptions } from "../options/options.js";
import { type CommandEnvironment, exitStatus } from "../settings/command-environment.js";
import { storeRoot } from "../stores/store-root.js";
import { type StoreCommandName, storeCommandNames } from "./store-command-name.js";
import { storeCommandHelp, storeHelp } from "./store-help.js";

/** `store …`: `argv` holds the arguments after it. Resolves with the exit status; failures are one line on stderr. */
export async function runStoreCommand(
  argv: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const { naming, stdout, stderr } = environment;
  const [first, ...rest] = argv;
  if (first === undefined || first === "--help" || first === "-h" || first === "help") {
    stdout(storeHelp(naming));
    return first === undefined ? 1 : 0;
  }
  const name = storeCommandNames.find((each) => each === first);
  if (name === undefined) {
    stderr(`error: unknown command "store ${first}", expected one of: ${storeCommandNames.join(", ")}\n`);
    return 1;
  }
  return await exitStatus(environment, async () => {
    const line = parseLine(rest, name);
    if (!line.help) return await commands[name](line, environment);
    stdout(storeCommandHelp(name, naming));
    return 0;
  });
}

interface Line {
  readonly help: boolean;
  readonly file: string | undefined;
  readonly dataDir: string | undefined;
  readonly output: string | undefined;
  readonly mediaType: string | undefined;
  readonly revisionBump: string | undefined;
  readonly apiLevel: string | undefined;
  readonly storePrefix: string | undefined;
}

const optionsOf: Readonly<Record<StoreCommandName, readonly string[]>> = {
  backup: ["data-dir"],
  restore: ["data-dir", "revision-bump"],
  check: ["data-dir", "api-level", "store-prefix"],
  decode: ["output"],
  encode: ["storage-media-type"],
};

function parseLine(argv: readonly string[], name: StoreCommandName): Line {
  const own = optionsOf[name].map((option) => [
    option,
    { type: "string" as const, ...(option === "output" && { short: "o" }) },
  ]);
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { ...Object.fromEntries(own), help: { type: "boolean" as const, short: "h" } },
    allowPositionals: true,
  });
  if (positionals.length > 1) throw new Error(`unexpected argument ${JSON.stringify(positionals[1])}`);
  const given = new Map(Object.entries(values));
  const text = (option: string): string | undefined => {
    const value = given.get(option);
    return typeof value === "string" ? value : undefined;
  };
  return {
    help: given.get("help") === true,
    file: positionals[0],
    dataDir: text("data-dir"),
    output: text("output"),
    mediaType: text("storage-media-type"),
    revisionBump: text("revision-bump"),
    apiLevel: text("api-level"),
    storePrefix: text("store-prefix"),
  };
}

type Command = (line: Line, environment: CommandEnvironment) => Promise<number>;

const commands: Readonly<Record<StoreCommandName, Command>> = {
  async backup(line, { naming, stdout }) {
    const file = required(line.file);
    const { backupDirectory, check } = await import("../../storage/embedded/backup.js");
    await backupDirectory(storeDirectory(line, naming), file);
    const { revision, keys } = await check(file);
    stdout(`${file}: ${keys} keys at revision ${revision}\n`);
    return 0;
  },

  async restore(line, { naming, stdout }) {
    const file = required(line.file);
    const directory = storeDirectory(line, naming);
    const { restore } = await import("../../storage/embedded/backup.js");
    await restore(file, directory, { revisionBump: revisionBump(line) });
    stdout(`${directory}: restored from ${file}\n`);
    return 0;
  },

  async check(line, { naming, stdout, stderr }) {
    const level = apiLevel(line);
    const { readTables } = await import("../../storage/embedded/backup.js");
    const { checkTables } = await import("../../storage/embedded/check.js");
    const path = line.file ?? storeDirectory(line, naming);
    return await readTables(path, async (tables) => {
      const { problems, keys, historyRecords, leases, revision, compactedRevision } =
        await checkTables(tables);
      for (const problem of problems) stderr(`${problem}\n`);
      const counts = `${keys} keys, ${historyRecords} versions, ${leases} leases`;
      const state = problems.length === 0 ? "sound" : "damaged";
      stdout(`${path}: ${state}; ${counts}; revision ${revision}, compacted ${compactedRevision}\n`);
      if (problems.length > 0) return 1;
      if (level === undefined) return 0;
      const { hiddenAtLevel } = await import("./hidden-at-level.js");
      const { levelReport } = await import("./level-report.js");
      const root = storeRoot({ storePrefix: line.storePrefix ?? defaultOptions(naming).storePrefix });
      stdout(levelReport(level, await hiddenAtLevel(tables, { level, naming, root })));
      return 0;
    });
  },

  async decode(line, environment) {
    const format = line.output ?? "json";
    if (format !== "json" && format !== "yaml") {
      throw new Error(`--output: invalid value ${JSON.stringify(format)}, allowed values: json, yaml`);
    }
    const { decodeStoredValue } = await import("./stored-value.js");
    const { StoredKinds } = await import("./stored-kinds.js");
    const input = await readInput(line.file, environment);
    environment.stdout(await decodeStoredValue(input, new StoredKinds(environment.naming), format));
    return 0;
  },

  async encode(line, environment) {
    const { naming, stdout } = environment;
    const mediaType =
      line.mediaType === undefined ? "protobuf" : (parseMediaTypeName(line.mediaType) ?? line.mediaType);
    if (mediaType !== "protobuf" && mediaType !== "json") {
      throw new Error(
        `--storage-media-type: invalid value ${JSON.stringify(line.mediaType)}, allowed values: application/json, ${naming.protobufMediaType}`,
      );
    }
    const { encodeStoredValue } = await import("./stored-value.js");
    const { StoredKinds } = await import("./stored-kinds.js");
    const input = await readInput(line.file, environment);
    stdout(await encodeStoredValue(input, new StoredKinds(naming), mediaType));
    return 0;
  },
};

function required(file: string | undefined): string {
  if (file === undefined) throw new Error("FILE is required");
  // LMDB reads and writes files only.
  if (file === "-") throw new Error("FILE must be a file, not standard input or output");
  return file;
}

/** Where the server with the same `--data-dir` keeps its store. */
function storeDirectory(line: Line, naming: Naming): string {
  return join(line.dataDir ?? defaultOptions(naming).dataDir, "store");
}

function apiLevel({ apiLevel: given }: Line): ApiLevel | undefined {
  if (given === undefined || isApiLevel(given)) return given;
  throw new Error(
    `--api-level: invalid value ${JSON.stringify(given)}, allowed values: ${apiLevels.join(", ")}`,
  );
}

function revisionBump({ revisionBump: given }: Line): number | undefined {
  if (given === undefined) return undefined;
  const bump = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(bump)) {
    throw new Error(`--revision-bump: invalid value ${JSON.stringify(given)}, must be a whole number`);
  }
  return bump;
}

async function readInput(file: string | undefined, { stdin }: CommandEnvironment): Promise<Uint8Array> {
  if (file !== undefined && file !== "-") return await readFile(file);
  const chunks: Uint8Array[] = [];
  for await (const chunk of stdin) chunks.push(chunk);
  return Buffer.concat(chunks);
}
