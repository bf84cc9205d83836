import { readFile } from "node:fs/promises";
import {
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from "../../apimachinery/errors/field-error.js";
import { isJsonObject, type JsonObject, type JsonValue } from "../../apimachinery/json/json-value.js";
import { parseYaml } from "../../apimachinery/yaml/parse-yaml.js";
import type { Naming } from "../../naming/naming.js";
import type { Dial } from "../../remote/remote-client.js";
import { openTunnel, type TunnelProxy, type TunnelStage } from "../../serving/proxy/tunnel.js";

/** The purpose of the server's own connections. */
type Purpose = keyof Egress<unknown>;
const kind = "EgressSelectorConfiguration";

/** By purpose; undefined for direct connections. */
interface Egress<T> {
  /** To nodes, pods and services: proxied requests, extension servers, webhooks by service. */
  readonly cluster: T | undefined;
  /** To other servers of the control plane: webhooks by URL, of admission, authentication, authorization and auditing. */
  readonly controlplane: T | undefined;
  readonly store: T | undefined;
}

/** Opens the server's own connections through the proxies that are configured. */
export type EgressSelection = Egress<Dial>;

export type EgressTransport = "tcp" | "uds";

/** Observes connections through proxies. */
export interface EgressObserver {
  dialed(transport: EgressTransport, milliseconds: number): void;
  failed(transport: EgressTransport, stage: TunnelStage): void;
}

/** Rejects as `loadEgressProxies` does. */
export async function loadEgressSelection(
  file: string | undefined,
  naming: Naming,
  observer: EgressObserver,
): Promise<EgressSelection> {
  const { cluster, controlplane, store } = await loadEgressProxies(file, naming);
  return {
    cluster: dialThrough(cluster, observer),
    controlplane: dialThrough(controlplane, observer),
    store: dialThrough(store, observer),
  };
}

function dialThrough(proxy: TunnelProxy | undefined, observer: EgressObserver): Dial | undefined {
  if (proxy === undefined) return undefined;
  const transport = "socketPath" in proxy.at ? "uds" : "tcp";
  return async (target, signal) => {
    const began = performance.now();
    const socket = await openTunnel(proxy, target, signal, (stage) => observer.failed(transport, stage));
    observer.dialed(transport, performance.now() - began);
    return socket;
  };
}

/**
 * Reads the file of `--egress-selector-config-file`. Throws an `Error` that says what is wrong with it. Source: apiserver
 * `pkg/server/egressselector`.
 */
export async function loadEgressProxies(
  file: string | undefined,
  naming: Naming,
): Promise<Egress<TunnelProxy>> {
  if (file === undefined || file === "")
    return { cluster: undefined, controlplane: undefined, store: undefined };
  const document = await parseYaml(await readFile(file));
  const group = `apiserver.${naming.groupDomain}`;
  const versions = [`${group}/v1beta1`, `${group}/v1alpha1`];
  if (
    !isJsonObject(document) ||
    document.kind !== kind ||
    !versions.includes(String(document.apiVersion ?? ""))
  ) {
    throw new Error(`${file}: want ${kind} of ${versions.join(" or ")}`);
  }
  const reader = new SelectionReader(
    new Map([
      ["cluster", "cluster"],
      ["controlplane", "controlplane"],
      [naming.storeName, "store"],
    ]),
  );
  const proxies = reader.proxies(document.egressSelections ?? []);
  if (reader.errors.length > 0) {
    throw new Error(`${file}: ${reader.errors.map(({ field, body }) => `${field}: ${body}`).join(", ")}`);
  }
  const proxyFor = async (purpose: Purpose): Promise<TunnelProxy | undefined> => {
    const described = proxies.get(purpose);
    return described && (await withCertificates(described));
  };
  return {
    cluster: await proxyFor("cluster"),
    controlplane: await proxyFor("controlplane"),
    store: await proxyFor("store"),
  };
}

/** A proxy whose certificates are still file names, which `withCertificates` reads. */
interface DescribedProxy {
  readonly at: TunnelProxy["at"];
  readonly tls:
    | { readonly [part in "caBundle" | "clientCert" | "clientKey"]?: string | undefined }
    | undefined;
}

async function withCertificates({ at, tls }: DescribedProxy): Promise<TunnelProxy> {
  if (tls === undefined) return { at };
  const read = async (file: string | undefined): Promise<string | undefined> =>
    file === undefined ? undefined : await readFile(file, "utf8");
  const ca = await read(tls.caBundle);
  const cert = await read(tls.clientCert);
  const key = await read(tls.clientKey);
  return { at, tls: { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) } };
}

class SelectionReader {
  readonly errors: FieldError[] = [];
  readonly #purposes: ReadonlyMap<string, Purpose>;

  constructor(purposesByName: ReadonlyMap<string, Purpose>) {
    this.#purposes = purposesByName;
  }

  /** Undefined for direct connections. */
  proxies(selections: JsonValue): Map<Purpose, DescribedProxy | undefined> {
    const proxies = new Map<Purpose, DescribedProxy | undefined>();
    const path = FieldPath.of("egressSelections");
    if (!Array.isArray(selections)) {
      this.errors.push(invalid(path, "", "must be a list"));
      return proxies;
    }
    selections.forEach((selection: JsonValue, index) => {
      const at = path.index(index);
      const { name, connection } = record(selection);
      // An older name of the purpose.
      const purpose = this.#purposes.get(name === "master" ? "controlplane" : String(name ?? ""));
      if (purpose === undefined)
        this.errors.push(notSupported(at.child("name"), name, [...this.#purposes.keys()]));
      else if (proxies.has(purpose)) this.errors.push(invalid(at.child("name"), name, "must be unique"));
      else proxies.set(purpose, this.#proxy(record(connection), at.child("connection")));
    });
    return proxies;
  }

  #proxy(connection: JsonObject, path: FieldPath): DescribedProxy | undefined {
    const { proxyProtocol, transport } = connection;
    const transportPath = path.child("transport");
    switch (proxyProtocol) {
      case "Direct":
        if (transport !== undefined && transport !== null) {
          this.errors.push(
            invalid(transportPath, "direct", "Transport config should be absent for direct connect"),
          );
        }
        return undefined;
      case "HTTPConnect":
        return this.#transport(record(transport), transportPath);
      case "GRPC":
        this.errors.push(
          invalid(
            path.child("proxyProtocol"),
            proxyProtocol,
            "konnectivity over gRPC is not supported; its server also speaks HTTPConnect",
          ),
        );
        return undefined;
      default:
        this.errors.push(notSupported(path.child("proxyProtocol"), proxyProtocol, ["Direct", "HTTPConnect"]));
        return undefined;
    }
  }

  #transport(transport: JsonObject, path: FieldPath): DescribedProxy | undefined {
    const { tcp, uds } = transport;
    if ((tcp === undefined) === (uds === undefined)) {
      this.errors.push(required(path, "exactly one of tcp and uds must be set"));
      return undefined;
    }
    if (uds !== undefined) {
      const { udsName } = record(uds);
      if (typeof udsName === "string" && udsName !== "")
        return { at: { socketPath: udsName }, tls: undefined };
      this.errors.push(required(path.child("uds", "udsName"), "must be the path of a socket"));
      return undefined;
    }
    return this.#tcp(record(tcp), path.child("tcp"));
  }

  #tcp({ url, tlsConfig }: JsonObject, path: FieldPath): DescribedProxy | undefined {
    const parsed = typeof url === "string" && URL.canParse(url) ? new URL(url) : undefined;
    if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol)) {
      this.errors.push(invalid(path.child("url"), url ?? "", "must be an http or https URL"));
      return undefined;
    }
    const isSecure = parsed.protocol === "https:";
    const at = {
      host: parsed.hostname.replace(/^\[|\]$/g, ""),
      port: Number(parsed.port) || (isSecure ? 443 : 80),
    };
    if (!isSecure) {
      if (tlsConfig !== undefined && tlsConfig !== null) {
        this.errors.push(invalid(path.child("tlsConfig"), "", "must be absent when the URL is http"));
      }
      return { at, tls: undefined };
    }
    return { at, tls: this.#tls(record(tlsConfig), path.child("tlsConfig")) };
  }

  #tls(config: JsonObject, path: FieldPath): NonNullable<DescribedProxy["tls"]> {
    const { caBundle, clientCert, clientKey } = config;
    if ((clientCert === undefined) !== (clientKey === undefined)) {
      this.errors.push(required(path, "clientCert and clientKey go together"));
    }
    return { caBundle: text(caBundle), clientCert: text(clientCert), clientKey: text(clientKey) };
  }
}

function record(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function text(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
