import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiLevel } from "../apimachinery/levels/api-level.js";
import type { ServerClock } from "../lab/clock/server-clock.js";
import type { ServerFaults } from "../lab/faults/server-faults.js";
import type { ServerHistory } from "../lab/history/object-history.js";
import type { ServerRecorder } from "../lab/recording/recorder.js";
import type { RewindReport, Snapshot, Snapshots } from "../lab/snapshots/snapshots.js";
import { clientProfile, createNaming, type ProfileName } from "../naming/naming.js";
import { defaultSettings, type SimulationSettings } from "../simulation/machinery/settings.js";
import {
  adminKubeconfig,
  clientKubeconfig,
  type KubeconfigSubject,
  prepareKubeconfigPlaces,
} from "./admin-kubeconfig.js";
import { ApiServer } from "./api-server.js";
import { createServerLog } from "./logging/server-log.js";
import { forOption, OptionFailure } from "./options/option-failure.js";
import type { OptionName, Options } from "./options/options.js";
import { optionNames, optionProperty } from "./options/options.js";
import { resolveOptions } from "./options/parse-options.js";
import { writeFileAtomically } from "./pki/write-file.js";
import { buildInfo } from "./settings/version.js";

/** `options.authorizationMode` is `["RBAC"]` unless it is given: roles decide what a client may do. */
export interface StartApiServerOptions {
  /** The profile of names. Default: the one that client libraries expect. */
  readonly profile?: ProfileName | undefined;
  /** The Kubernetes version of the API, such as "1.31". Default: that of `options`, or of the profile: "1.35" of the default one. */
  readonly level?: ApiLevel | undefined;
  /** Port on `host`; default any free one. */
  readonly port?: number | undefined;
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Keeps the data there after `stop`. Unset: a temporary directory that `stop` removes. */
  readonly dataDirectory?: string | undefined;
  /** Adds what tests use besides the API: a clock, snapshots, faults. Default: `options.lab`. */
  readonly lab?: boolean | undefined;
  /** Simulates a cluster of the given shape: controllers, a scheduler and nodes. Default: `options.simulate`, which is off. */
  readonly simulate?: boolean | Partial<SimulationSettings> | undefined;
  /** Any startup option by its name in camel case, durations in milliseconds: `{ requestTimeoutMs: 5000 }`. */
  readonly options?: Partial<Options> | undefined;
  /** Where log lines go; nowhere when unset. */
  readonly log?: ((line: string) => void) | undefined;
}

export interface RunningApiServer {
  /** `https://127.0.0.1:PORT` */
  readonly url: string;
  /** Text of a client configuration with an administrator's certificate. */
  readonly kubeconfig: string;
  /** PEM of the authority that signed the server's certificate. */
  readonly caCert: string;
  /**
   * Text of a kubeconfig for a user in any groups, or for a service account, to test RBAC roles. Rejects with an `Error` if another CA
   * signs client certificates, or the account does not exist.
   */
  kubeconfigFor(subject: KubeconfigSubject): Promise<string>;
  /** A URL that opens the console once within 15 minutes, as the administrator. Undefined when `options.console` turns it off. */
  consoleLink(): Promise<string | undefined>;
  /** The time of the cluster. Its methods throw unless the server has a lab. */
  readonly clock: ServerClock;
  /**
   * Keeps the present state of the store until the server stops, in no more time for a large store. Default name: the next number. Rejects
   * when the name is taken, and unless the server has a lab; so do the methods below.
   */
  snapshot(name?: string): Promise<Snapshot>;
  /**
   * Returns the store to a snapshot, which is kept. What changed since is written as creates, updates and deletes at new revisions, which
   * every watch sees. Objects get their former uids and times; finalizers and webhooks are skipped.
   */
  rewind(snapshot: Snapshot | string): Promise<RewindReport>;
  /**
   * Starts a further server in this process with the state of a snapshot or of now, for tests that run in parallel. It has the same
   * authorities, and a clock that starts at the same time and then runs independently. Stopping a server stops its forks.
   */
  fork(snapshot?: Snapshot | string): Promise<RunningApiServer>;
  /** Faults in the answers to clients. Its methods throw unless the server has a lab. */
  readonly faults: ServerFaults;
  /** The history of objects. Its methods reject unless the server has a lab. */
  readonly history: ServerHistory;
  /** Records requests and answers for `replay`. Its methods throw unless the server has a lab. */
  readonly recorder: ServerRecorder;
  /** Finishes requests in progress, closes the store, and removes temporary data. May be called again. */
  stop(): Promise<void>;
}

/** Starts a server in this process. Rejects with an `Error` that names the invalid setting, or says what failed. */
export async function startApiServer(start: StartApiServerOptions = {}): Promise<RunningApiServer> {
  refuseUnknown(start, settingNames, "");
  const server = await inSettings(start, () => startAnywhere(start));
  return { ...server, kubeconfigFor: (subject) => inSettings(start, () => server.kubeconfigFor(subject)) };
}

async function startAnywhere(start: StartApiServerOptions): Promise<RunningApiServer> {
  const dataDirectory = start.dataDirectory ?? start.options?.dataDir;
  if (dataDirectory !== undefined) return await startIn(dataDirectory, start);
  const temporary = await mkdtemp(join(tmpdir(), "apiserver-"));
  const remove = () => rm(temporary, { recursive: true, force: true });
  try {
    const server = await startIn(temporary, start);
    return {
      ...server,
      async stop() {
        await server.stop();
        await remove();
      },
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function startIn(dataDir: string, start: StartApiServerOptions): Promise<RunningApiServer> {
  const profile = start.profile ?? start.options?.apiProfile ?? clientProfile;
  const { bindAddress, ...given } = start.options ?? {};
  const host = start.host ?? bindAddress ?? "127.0.0.1";
  const wanted: Partial<Options> = {
    ...(start.options?.authorizationConfig === undefined && { authorizationMode: ["RBAC"] }),
    certDir: join(dataDir, "pki"),
    ...given,
    ...(start.level !== undefined && { apiLevel: start.level }),
    ...(start.lab !== undefined && { lab: start.lab }),
    ...(start.simulate !== undefined && { simulate: simulationOf(start.simulate) }),
    apiProfile: profile,
    dataDir,
  };
  const resolved = resolveOptions(wanted, { profile, spell: (name) => settingOf(name, start) });
  if (resolved.kind === "error") throw new Error(resolved.message);
  // The library also takes a host name; the command takes addresses only.
  const options: Options = { ...resolved.options, bindAddress: host };
  const naming = createNaming(profile);
  const log = start.log;
  await prepareKubeconfigPlaces(options, naming);
  const server = await ApiServer.start({
    options,
    given: namesOf(wanted),
    naming,
    log: createServerLog(options, (line) => log?.(line)),
    build: buildInfo,
    port: start.port ?? start.options?.securePort ?? 0,
    // Tests wait for each start and each user, and their clients can read such keys.
    clientKeys: "ec",
  });
  const running = await runningServer(server, host);
  const { writeKubeconfig: path } = options;
  if (path !== undefined) {
    await forOption("write-kubeconfig", naming, () =>
      writeFileAtomically(path, running.kubeconfig, 0o600),
    ).catch(async (error: unknown) => {
      await server.stop();
      throw error;
    });
  }
  return running;
}

async function runningServer(server: ApiServer, host: string): Promise<RunningApiServer> {
  const { naming } = server.settings;
  const place = { pki: server.pki, host, port: server.port, name: naming.apiServiceName };
  return {
    url: server.url,
    kubeconfig: (await adminKubeconfig(place)) ?? "",
    caCert: server.pki.caPem,
    consoleLink: () => server.consoleLink(),
    kubeconfigFor: (subject) =>
      clientKubeconfig(
        { ...place, naming, tokenFor: (namespace, account) => server.tokenFor(namespace, account) },
        subject,
        Date.now(),
      ),
    ...labOf(server),
    fork: async (snapshot) => await runningServer(await server.fork(snapshot && nameOf(snapshot)), host),
    stop: () => server.stop(),
  };
}

function labOf({
  lab,
}: ApiServer): Pick<RunningApiServer, "clock" | "faults" | "history" | "recorder" | "snapshot" | "rewind"> {
  const snapshots = lab?.snapshots ?? absent<Snapshots>("snapshots");
  return {
    clock: lab?.clock ?? absent("clock"),
    faults: lab?.faults ?? absent("faults"),
    history: lab?.history ?? absent("history"),
    recorder: lab?.recorder ?? absent("recorder"),
    snapshot: async (name) => await snapshots.create(name),
    rewind: async (snapshot) => await snapshots.rewind(nameOf(snapshot)),
  };
}

function simulationOf(simulate: boolean | Partial<SimulationSettings>): SimulationSettings | undefined {
  if (typeof simulate === "boolean") return simulate ? defaultSettings : undefined;
  refuseUnknown(simulate, defaultSettings, "simulate.");
  return { ...defaultSettings, ...simulate };
}

/** A program without types may misspell a setting. */
function refuseUnknown(given: object, known: object, place: string): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown !== undefined) throw new Error(`${place}${unknown}: unknown setting`);
}

function nameOf(snapshot: Snapshot | string): string {
  return typeof snapshot === "string" ? snapshot : snapshot.name;
}

/** Throws an error that says what is missing, for any member but symbols. */
function absent<T extends object>(name: string): T {
  const get = (_target: object, property: string | symbol): undefined => {
    // Printing or awaiting it must not throw.
    if (typeof property === "symbol" || property === "then" || property === "toJSON") return undefined;
    throw new Error(`the server has no ${name} for tests: start it with { lab: true }`);
  };
  return new Proxy<T>({} as T, { get }); // nothing of it is ever reached
}

/** What `startApiServer` calls the setting of an option. */
function settingOf(name: OptionName, { options = {} }: StartApiServerOptions): string {
  const property = optionProperty(name);
  const setting = settings[name];
  return setting === undefined || options[property] !== undefined ? `options.${property}` : setting;
}

const settingNames: Readonly<Record<keyof StartApiServerOptions, true>> = {
  profile: true,
  level: true,
  port: true,
  host: true,
  dataDirectory: true,
  lab: true,
  simulate: true,
  options: true,
  log: true,
};

const settings: Partial<Record<OptionName, keyof StartApiServerOptions>> = {
  "api-level": "level",
  "api-profile": "profile",
  "bind-address": "host",
  "data-dir": "dataDirectory",
  lab: "lab",
  simulate: "simulate",
  "secure-port": "port",
};

/** Makes errors of `work` name settings of `startApiServer` rather than options of the command. */
async function inSettings<T>(start: StartApiServerOptions, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OptionFailure)) throw error;
    throw new Error(`${settingOf(error.option, start)}: ${error.reason}`, { cause: error.cause });
  }
}

function namesOf(wanted: Partial<Options>): ReadonlySet<OptionName> {
  return new Set(optionNames().filter((name) => wanted[optionProperty(name)] !== undefined));
}
