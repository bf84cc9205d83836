import { X509Certificate } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isJsonObject } from "../../apimachinery/json/json-value.js";
import type { Naming } from "../../naming/naming.js";
import { type ClientConfig, ClientConfigFile } from "../../remote/client-config.js";
import { defaultOptions } from "../options/options.js";
import { kubeconfigText } from "../pki/kubeconfig.js";
import { findLocalAuthority, type LocalAuthority } from "../pki/local-pki.js";
import { defaultKubeconfigPath } from "../pki/server-pki.js";
import { type CommandEnvironment, exitStatus } from "../settings/command-environment.js";
import { ServerClient } from "./server-client.js";

const tokenSeconds = 24 * 3600;
const callMs = 30_000;

/**
 * `kubeconfig …`: prints a kubeconfig for any user or service account of a server that has been started with the data directory.
 * `argv` holds the arguments after it. Resolves with the exit status; failures are one line on stderr.
 */
export async function runKubeconfigCommand(
  argv: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const { naming, stdout } = environment;
  return await exitStatus(environment, async () => {
    const line = parseLine(argv, naming);
    stdout(line === "help" ? helpOf(naming) : await configurationFor(line, naming));
    return 0;
  });
}

type Subject =
  | { readonly user: string; readonly groups: readonly string[] }
  | { readonly namespace: string; readonly account: string };

interface Line {
  readonly subject: Subject;
  readonly dataDir: string;
  readonly certDir: string | undefined;
}

function parseLine(argv: readonly string[], naming: Naming): Line | "help" {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      user: { type: "string" },
      group: { type: "string", multiple: true },
      "service-account": { type: "string" },
      "data-dir": { type: "string" },
      "cert-dir": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return "help";
  return {
    subject: subjectOf(values.user, values.group, values["service-account"]),
    dataDir: values["data-dir"] ?? defaultOptions(naming).dataDir,
    certDir: values["cert-dir"],
  };
}

function subjectOf(
  user: string | undefined,
  groups: readonly string[] = [],
  serviceAccount: string | undefined,
): Subject {
  if (serviceAccount === undefined) {
    if (user === undefined || user === "") throw new Error("--user or --service-account is required");
    return { user, groups };
  }
  if (user !== undefined || groups.length > 0) {
    throw new Error("--service-account cannot be combined with --user and --group");
  }
  const [namespace = "", account = "", ...more] = serviceAccount.split("/");
  if (namespace === "" || account === "" || more.length > 0) {
    throw new Error(`--service-account: expected NAMESPACE/NAME, got ${JSON.stringify(serviceAccount)}`);
  }
  return { namespace, account };
}

async function configurationFor(line: Line, naming: Naming): Promise<string> {
  const path = defaultKubeconfigPath(line.dataDir);
  if (!existsSync(path)) {
    throw new Error(
      `${path}: there is no administrator's kubeconfig: has a server been started with this --data-dir, and without --client-ca-file?`,
    );
  }
  const admin = await (await ClientConfigFile.read(path)).current();
  const { url, caPem = "" } = admin.server;
  const cluster = { name: naming.apiServiceName, server: url.origin, caPem };
  const { subject } = line;
  if ("account" in subject) {
    const token = await requestToken(admin, subject);
    return kubeconfigText({ ...cluster, user: subject.account, credentials: { kind: "token", token } });
  }
  const authority = authorityOf(admin, line, naming);
  const issued = await authority.issueClient(
    { commonName: subject.user, organizations: [...subject.groups] },
    Date.now(),
  );
  return kubeconfigText({ ...cluster, user: subject.user, credentials: { kind: "certificate", ...issued } });
}

/** The authority that signed the administrator's certificate. */
function authorityOf({ identity }: ClientConfig, { dataDir, certDir }: Line, naming: Naming): LocalAuthority {
  const places = certDir === undefined ? [join(dataDir, "pki"), naming.certDirectory] : [certDir];
  const { certificate } = identity;
  if (certificate === undefined) throw new Error("the administrator's kubeconfig has no certificate");
  const signed = new X509Certificate(certificate.certPem);
  for (const place of places) {
    const authority = findLocalAuthority(place);
    if (authority !== undefined && signed.verify(authority.certificate.publicKey)) return authority;
  }
  throw new Error(
    `the CA that signed the administrator's certificate is not in ${places.join(" or ")}: name its directory with --cert-dir`,
  );
}

async function requestToken(
  admin: ClientConfig,
  { namespace, account }: { readonly namespace: string; readonly account: string },
): Promise<string> {
  const client = new ServerClient(admin, callMs);
  try {
    const answer = await client.answer({
      method: "POST",
      path: `/api/v1/namespaces/${encodeURIComponent(namespace)}/serviceaccounts/${encodeURIComponent(account)}/token`,
      // Without apiVersion and kind, because the group's name differs by profile, and the server may run in either.
      body: { spec: { expirationSeconds: tokenSeconds } },
    });
    const token = isJsonObject(answer) && isJsonObject(answer.status) ? answer.status.token : undefined;
    if (typeof token === "string") return token;
    throw new Error(`${admin.server.url.origin} answered without a token`);
  } finally {
    await client.close();
  }
}

function helpOf(naming: Naming): string {
  return `Prints a kubeconfig for any user or service account, to try out their permissions.

Usage:
  ${naming.commandName} kubeconfig --user NAME [--group NAME]...
  ${naming.commandName} kubeconfig --service-account NAMESPACE/NAME

A user gets a certificate that is valid for a year, signed by the server's own CA. A service account gets a
token that is valid for a day; for that, the server must be running.

Options:
  --data-dir DIR (default ${defaultOptions(naming).dataDir})
      Data directory of the server, which must have been started with it before.
  --cert-dir DIR
      Directory with ca.key, if the server was started with --cert-dir.
`;
}
