import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { type ApiAnswer, ApiClient } from "./api-client.js";
import { type ServerHere, startServerHere } from "./in-process-server.js";
import {
  disposeAll,
  type ServerProcess,
  type ServerProcessOptions,
  startServer,
  type TestServer,
} from "./server-process.js";

export interface AuditEvent {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly auditID: string;
  readonly stage: string;
  readonly level: string;
  readonly requestURI: string;
  readonly verb: string;
  readonly user: { readonly username?: string };
  readonly objectRef?: object;
  readonly responseStatus?: { readonly code?: number; readonly message?: string };
  readonly requestObject?: unknown;
  readonly responseObject?: {
    readonly kind?: string;
    readonly metadata?: object;
    readonly items?: readonly object[];
  };
  readonly annotations?: Readonly<Record<string, string>>;
}

export const everything = [{ level: "RequestResponse" }];

/** The server's arguments, the rules of the policy, its other fields, and the data directory of an earlier server. */
type How = [args: readonly string[], rules: readonly object[], more?: object, dataDirectory?: string];

interface Audited<Server extends TestServer> {
  readonly server: Server;
  readonly api: ApiClient;
}

/** Starts servers that record audit events, with a directory for each test. */
export interface AuditGround {
  readonly directory: string;
  /** The log file for the test's servers, if their arguments name it. */
  readonly log: string;
  start(...how: How): Promise<Audited<ServerHere>>;
  /** One that can be killed, and prints. */
  startProcess(...how: How): Promise<Audited<ServerProcess>>;
  logged(): AuditEvent[];
  eventsFor(answer: ApiAnswer): AuditEvent[];
}

/** For all tests of a file. */
export function auditGround(): AuditGround {
  const servers: TestServer[] = [];
  let directory = "";
  const log = (): string => join(directory, "logs", "audit.log");

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "audit-"));
  });
  afterEach(async () => {
    await disposeAll(servers);
    rmSync(directory, { recursive: true, force: true });
  });

  function optionsOf(...[args, rules, more = {}, dataDirectory]: How): ServerProcessOptions {
    const policy = join(directory, "policy.yaml");
    writeFileSync(policy, JSON.stringify({ apiVersion: "audit.k8s.io/v1", kind: "Policy", rules, ...more }));
    return {
      args: [`--audit-policy-file=${policy}`, ...args],
      ...(dataDirectory !== undefined && { dataDirectory }),
    };
  }
  function opened<Server extends TestServer>(server: Server): Audited<Server> {
    servers.push(server);
    return { server, api: new ApiClient(server) };
  }
  const logged = (): AuditEvent[] => eventsOf(readFileSync(log(), "utf8"));

  return {
    get directory() {
      return directory;
    },
    get log() {
      return log();
    },
    start: async (...how) => opened(await startServerHere(optionsOf(...how))),
    startProcess: async (...how) => opened(await startServer(optionsOf(...how))),
    logged,
    eventsFor: (answer) => logged().filter(({ auditID }) => auditID === answer.headers["audit-id"]),
  };
}

/** Whole lines alone: one that is not JSON fails the test. */
export function eventsOf(text: string): AuditEvent[] {
  expect(text === "" || text.endsWith("\n")).toBe(true);
  return text
    .split("\n")
    .slice(0, -1)
    .map((line): AuditEvent => JSON.parse(line));
}
