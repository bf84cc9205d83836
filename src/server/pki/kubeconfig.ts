export interface KubeconfigOptions {
  /** Names the cluster and the context. */
  readonly name: string;
  /** Names the user; the cluster's name with `-admin` when unset. */
  readonly user?: string | undefined;
  /** `https://127.0.0.1:6443` */
  readonly server: string;
  readonly caPem: string;
  readonly credentials:
    | { readonly kind: "certificate"; readonly certPem: string; readonly keyPem: string }
    | { readonly kind: "token"; readonly token: string };
}

/** The text of a client configuration with all files embedded, so that it can be copied anywhere. */
export function kubeconfigText(options: KubeconfigOptions): string {
  const { name, credentials } = options;
  const user = quoted(options.user ?? `${name}-admin`);
  const secret =
    credentials.kind === "token"
      ? [`    token: ${quoted(credentials.token)}`]
      : [
          `    client-certificate-data: ${base64(credentials.certPem)}`,
          `    client-key-data: ${base64(credentials.keyPem)}`,
        ];
  return `${[
    "apiVersion: v1",
    "kind: Config",
    "clusters:",
    `- name: ${quoted(name)}`,
    "  cluster:",
    `    server: ${quoted(options.server)}`,
    `    certificate-authority-data: ${base64(options.caPem)}`,
    "users:",
    `- name: ${user}`,
    "  user:",
    ...secret,
    "contexts:",
    `- name: ${quoted(name)}`,
    "  context:",
    `    cluster: ${quoted(name)}`,
    `    user: ${user}`,
    `current-context: ${quoted(name)}`,
    "preferences: {}",
  ].join("\n")}\n`;
}

/** JSON strings are YAML strings. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
