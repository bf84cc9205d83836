import { Agent, request } from "undici";
import { testSigningRequest } from "../../src/admission/testing/signing-request.js";
import { credentialsOf, type ServerProcess } from "./server-process.js";

export interface Shown {
  /** PEM; intermediates may follow the certificate. */
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string | string[]>> | undefined;
  readonly http2?: boolean | undefined;
}

export interface Seen {
  readonly status: number;
  readonly user?: string;
  readonly groups?: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
  readonly challenge?: string | undefined;
  readonly message?: string;
}

/**
 * The user that the server sees in a client: a certificate signing request in a dry run names its requestor. Every call uses a new
 * connection.
 */
export async function whoAmI(server: Pick<ServerProcess, "url" | "kubeconfig">, shown: Shown): Promise<Seen> {
  const { ca } = credentialsOf(server);
  const agent = new Agent({
    allowH2: shown.http2 === true,
    connect: { ca, ...(shown.cert !== undefined && { cert: shown.cert, key: shown.key }) },
  });
  try {
    return await ask(server, shown, agent);
  } finally {
    await agent.close();
  }
}

/** The same over a connection that the caller keeps. */
export async function ask(
  server: Pick<ServerProcess, "url" | "kubeconfig">,
  shown: Shown,
  agent: Agent,
): Promise<Seen> {
  const answer = await request(
    `${server.url}/apis/certificates.k8s.io/v1/certificatesigningrequests?dryRun=All`,
    {
      method: "POST",
      dispatcher: agent,
      headers: {
        "content-type": "application/json",
        ...(shown.token !== undefined && { authorization: `Bearer ${shown.token}` }),
        ...shown.headers,
      },
      body: JSON.stringify({
        metadata: { generateName: "who-" },
        spec: {
          request: await testSigningRequest(),
          signerName: "example.org/signer",
          usages: ["client auth"],
        },
      }),
    },
  );
  const body = (await answer.body.json()) as {
    readonly message?: string;
    readonly spec?: {
      readonly username: string;
      readonly groups?: string[];
      readonly uid?: string;
      readonly extra?: Record<string, string[]>;
    };
  };
  const { spec } = body;
  if (spec === undefined) {
    const challenge = answer.headers["www-authenticate"];
    return { status: answer.statusCode, challenge: String(challenge ?? ""), message: body.message ?? "" };
  }
  return {
    status: answer.statusCode,
    user: spec.username,
    groups: spec.groups ?? [],
    ...(spec.uid !== undefined && { uid: spec.uid }),
    ...(spec.extra !== undefined && { extra: spec.extra }),
  };
}
