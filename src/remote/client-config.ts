import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../apimachinery/json/json-value.js";
import { parseYaml } from "../apimachinery/yaml/parse-yaml.js";

/** How a server is reached and recognized: the `cluster` of a client configuration, its files read. */
export interface ServerConfig {
  /** `http` or `https`, with a path when the configuration has one. */
  readonly url: URL;
  /** PEM of the authorities that may sign the server's certificate. Undefined: those of the host. */
  readonly caPem: string | undefined;
  /** The name to expect in the certificate, instead of the URL's host. */
  readonly serverName: string | undefined;
  /** Skips the check of the certificate. */
  readonly insecure: boolean;
}

/** The identity of a client: the `user` of a client configuration, its files read. */
export interface ClientIdentity {
  /** PEM. */
  readonly certificate: { readonly certPem: string; readonly keyPem: string } | undefined;
  /** Value of the `Authorization` header. */
  readonly authorization: string | undefined;
  /** `Impersonate-*` headers, in order. */
  readonly impersonation: readonly (readonly [name: string, value: string])[];
}

export interface ClientConfig {
  readonly server: ServerConfig;
  readonly identity: ClientIdentity;
}

export const noIdentity: ClientIdentity = {
  certificate: undefined,
  authorization: undefined,
  impersonation: [],
};

/**
 * A file in the format of client configurations (kubeconfig). Certificates, keys and tokens are inline or in files whose names are
 * relative to it. Format: Kubernetes documentation, "Organizing Cluster Access Using kubeconfig Files".
 */
export class ClientConfigFile {
  readonly #path: string;
  readonly #document: JsonObject;
  /** Contents of every file that was read, by path. */
  readonly #contents = new Map<string, string>();

  private constructor(path: string, document: JsonObject) {
    this.#path = path;
    this.#document = document;
  }

  /** Rejects with an `Error` that names the file and never shows a secret. */
  static async read(path: string): Promise<ClientConfigFile> {
    return await ClientConfigFile.parse(path, await readFile(path));
  }

  /** `path` names the file in errors, and is the base of relative paths in it. */
  static async parse(path: string, bytes: Buffer): Promise<ClientConfigFile> {
    let document: JsonValue;
    try {
      document = await parseYaml(bytes);
    } catch {
      throw new Error(`${path}: not a client configuration: it is no YAML`);
    }
    if (!isJsonObject(document)) throw new Error(`${path}: not a client configuration`);
    const kind = document.kind ?? "Config";
    const apiVersion = document.apiVersion ?? "v1";
    if (kind !== "Config" || apiVersion !== "v1") {
      throw new Error(`${path}: want kind Config of apiVersion v1`);
    }
    const file = new ClientConfigFile(path, document);
    file.#contents.set(path, bytes.toString("utf8"));
    return file;
  }

  /** From the current context. */
  async current(): Promise<ClientConfig> {
    const name = this.#text(this.#document, "current-context", "") ?? "";
    if (name === "") throw this.#problem("it has no current-context");
    const context = this.#named("contexts", name, "context");
    const cluster = this.#text(context, "cluster", `context ${quoted(name)}`) ?? "";
    const user = this.#text(context, "user", `context ${quoted(name)}`) ?? "";
    return {
      server: await this.#server(cluster),
      identity: user === "" ? noIdentity : await this.user(user),
    };
  }

  /** Names of the users, in order: an admission webhook's user is found by the webhook's host. */
  get userNames(): readonly string[] {
    return this.#list("users").flatMap(({ name }) => (typeof name === "string" ? [name] : []));
  }

  async user(name: string): Promise<ClientIdentity> {
    const user = this.#named("users", name, "user");
    const where = `user ${quoted(name)}`;
    for (const refused of ["exec", "auth-provider"]) {
      if (user[refused] !== undefined && user[refused] !== null) {
        throw this.#problem(`${where}: ${refused} is not supported: this server starts no other programs`);
      }
    }
    const certPem = await this.#inlineOrFile(user, "client-certificate", where);
    const keyPem = await this.#inlineOrFile(user, "client-key", where);
    if ((certPem === undefined) !== (keyPem === undefined)) {
      throw this.#problem(`${where}: client-certificate and client-key go together`);
    }
    return {
      certificate: certPem === undefined || keyPem === undefined ? undefined : { certPem, keyPem },
      authorization: await this.#authorization(user, where),
      impersonation: impersonationOf(user),
    };
  }

  /** Whether this file and those it names are unchanged since they were read. False when one cannot be read. */
  async isUnchanged(): Promise<boolean> {
    try {
      for (const [path, text] of this.#contents) if ((await readFile(path, "utf8")) !== text) return false;
      return true;
    } catch {
      return false;
    }
  }

  async #server(name: string): Promise<ServerConfig> {
    const cluster = this.#named("clusters", name, "cluster");
    const where = `cluster ${quoted(name)}`;
    const proxy = this.#text(cluster, "proxy-url", where) ?? "";
    if (proxy !== "") throw this.#problem(`${where}: proxy-url is not supported`);
    const caPem = await this.#inlineOrFile(cluster, "certificate-authority", where);
    const insecure = cluster["insecure-skip-tls-verify"] === true;
    if (insecure && caPem !== undefined) {
      throw this.#problem(
        `${where}: certificate-authority has no meaning together with insecure-skip-tls-verify`,
      );
    }
    return {
      url: this.#url(this.#text(cluster, "server", where) ?? "", where),
      caPem,
      serverName: this.#text(cluster, "tls-server-name", where) || undefined,
      insecure,
    };
  }

  #url(server: string, where: string): URL {
    const text = server.includes("://") ? server : `https://${server}`;
    const url = server !== "" && URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || !["http:", "https:"].includes(url.protocol)) {
      throw this.#problem(`${where}: server must be an http or https URL`);
    }
    return url;
  }

  async #authorization(user: JsonObject, where: string): Promise<string | undefined> {
    // As in client-go, a token file takes precedence, because it is replaced while in use.
    const file = this.#text(user, "tokenFile", where) ?? "";
    const token =
      file === "" ? (this.#text(user, "token", where) ?? "") : (await this.#fileText(file)).trim();
    const username = this.#text(user, "username", where) ?? "";
    if (token !== "" && username !== "") {
      throw this.#problem(`${where}: has both a token and a username: one of them must go`);
    }
    if (token !== "") return `Bearer ${token}`;
    if (username === "") return undefined;
    const password = this.#text(user, "password", where) ?? "";
    return `Basic ${Buffer.from(`${username}:${password}`, "utf8").toString("base64")}`;
  }

  /** `KEY-data` holds base64, `KEY` the name of a file; the first wins. */
  async #inlineOrFile(object: JsonObject, key: string, where: string): Promise<string | undefined> {
    const inline = this.#text(object, `${key}-data`, where) ?? "";
    if (inline !== "") return Buffer.from(inline, "base64").toString("utf8");
    const file = this.#text(object, key, where) ?? "";
    return file === "" ? undefined : await this.#fileText(file);
  }

  async #fileText(name: string): Promise<string> {
    const path = resolve(dirname(this.#path), name);
    const text = await readFile(path, "utf8");
    this.#contents.set(path, text);
    return text;
  }

  #named(list: string, name: string, member: string): JsonObject {
    const found = this.#list(list).find((entry) => entry.name === name);
    if (found === undefined) throw this.#problem(`${member} ${quoted(name)} does not exist`);
    const value = found[member];
    return isJsonObject(value) ? value : {};
  }

  #list(name: string): readonly JsonObject[] {
    const value = this.#document[name];
    return Array.isArray(value) ? value.filter(isJsonObject) : [];
  }

  #text(object: JsonObject, key: string, where: string): string | undefined {
    const value = object[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "string")
      throw this.#problem(`${where === "" ? "" : `${where}: `}${key} must be a string`);
    return value;
  }

  #problem(what: string): Error {
    return new Error(`${this.#path}: ${what}`);
  }
}

function impersonationOf(user: JsonObject): readonly (readonly [string, string])[] {
  const headers: [string, string][] = [];
  const texts = (value: JsonValue | undefined): string[] =>
    (Array.isArray(value) ? value : [value]).filter((item) => typeof item === "string" && item !== "");
  for (const name of texts(user.as)) headers.push(["Impersonate-User", name]);
  for (const uid of texts(user["as-uid"])) headers.push(["Impersonate-Uid", uid]);
  for (const group of texts(user["as-groups"])) headers.push(["Impersonate-Group", group]);
  const extra = user["as-user-extra"];
  for (const [key, values] of Object.entries(isJsonObject(extra) ? extra : {})) {
    for (const value of texts(values)) headers.push([`Impersonate-Extra-${encodeURIComponent(key)}`, value]);
  }
  return headers;
}

function quoted(name: string): string {
  return JSON.stringify(name);
}
