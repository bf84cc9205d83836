import type { ApiAnswer, ApiClient } from "./api-client.js";
import type { TestAuthority } from "./test-authority.js";

export const apiServices = "/apis/apiregistration.k8s.io/v1/apiservices";

export interface RegisteredServer {
  readonly group: string;
  readonly version: string;
  /** Port on this machine, to which the service leads. */
  readonly port: number;
  readonly authority: TestAuthority;
  /** Of the service; `flunders` when not given. */
  readonly service?: string | undefined;
  /** Further members of the specification. */
  readonly changes?: object | undefined;
}

/** Makes a service outside the cluster, which is where the servers of tests are, and an `APIService` for it. Returns the latter's answer. */
export async function registerServer(api: ApiClient, server: RegisteredServer): Promise<ApiAnswer> {
  const { group, version, port, authority, service = "flunders", changes } = server;
  await api.post("/api/v1/namespaces/default/services", {
    metadata: { name: service },
    spec: { type: "ExternalName", externalName: "localhost", ports: [{ port }] },
  });
  return await api.post(apiServices, {
    metadata: { name: `${version}.${group}` },
    spec: {
      group,
      version,
      groupPriorityMinimum: 2000,
      versionPriority: version === "v1" ? 20 : 10,
      service: { namespace: "default", name: service, port },
      caBundle: Buffer.from(authority.caPem).toString("base64"),
      ...changes,
    },
  });
}

export async function availability(
  api: ApiClient,
  version: string,
  group: string,
): Promise<{ readonly status?: string; readonly reason?: string; readonly message?: string }> {
  const { body } = await api.get(`${apiServices}/${version}.${group}`);
  return body.status?.conditions?.[0] ?? {};
}
