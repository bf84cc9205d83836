import { isDeepEqual } from "../apimachinery/collections/deep-equal.js";
import { isStatus } from "../apimachinery/errors/status.js";
import type { ApiObject, ObjectMeta } from "../apimachinery/objects/meta.js";
import type { BuiltinObjects, BuiltinResource } from "../apis/builtin-objects.js";
import type { EndpointSubset, Endpoints } from "../apis/gen/core-v1.js";
import type { Endpoint, EndpointSlice } from "../apis/gen/discovery-v1.js";
import type { SharedEndpoints } from "./api-service-reconcilers.js";
import { type ControllerContext, serverWrite } from "./controller.js";

export interface ApiServiceNames {
  /** Name of the Service and its Endpoints, in namespace `default`. */
  readonly name: string;
  /** `DOMAIN/service-name`. */
  readonly serviceNameLabel: string;
  /** This label keeps the mirroring controller away, because this server manages the slice. */
  readonly skipMirrorLabel: string;
}

const namespace = "default";

/** The Endpoints of the API's own service, and the EndpointSlice with the same content. */
export class ApiServiceEndpoints implements SharedEndpoints {
  readonly #context: ControllerContext;
  readonly #names: ApiServiceNames;

  constructor(context: ControllerContext, names: ApiServiceNames) {
    this.#context = context;
    this.#names = names;
  }

  async change(
    change: (current: readonly EndpointSubset[] | undefined) => readonly EndpointSubset[] | undefined,
  ): Promise<void> {
    const { name, skipMirrorLabel } = this.#names;
    const labels = { [skipMirrorLabel]: "true" };
    const changed = (current: Endpoints | undefined): Endpoints | undefined => {
      const subsets = change(current && (current.subsets ?? []));
      if (subsets === undefined) return current;
      return { metadata: labelled(current?.metadata ?? { name, namespace }, labels), subsets: [...subsets] };
    };
    const endpoints = await this.#write("endpoints", changed);
    if (endpoints === undefined) return;
    await this.#write("endpointslices.discovery", (current) => this.#slice(endpoints, current));
  }

  #slice({ subsets = [] }: Endpoints, current: EndpointSlice | undefined): EndpointSlice {
    const { name, serviceNameLabel } = this.#names;
    const [{ addresses = [], notReadyAddresses = [], ports = [] } = {}] = subsets;
    const all = [...addresses, ...notReadyAddresses];
    return {
      metadata: labelled(current?.metadata ?? { name, namespace }, { [serviceNameLabel]: name }),
      addressType: all.length > 0 && all.every(({ ip }) => ip.includes(":")) ? "IPv6" : "IPv4",
      endpoints: [
        ...addresses.map(({ ip }) => sliceEndpoint(ip, true)),
        ...notReadyAddresses.map(({ ip }) => sliceEndpoint(ip, false)),
      ],
      ports: ports.map(({ name: portName, port, protocol }) => ({ name: portName, port, protocol })),
    };
  }

  /** Updates an object to what `change` returns; undefined when there is none and none is wanted. */
  async #write<R extends BuiltinResource>(
    resource: R,
    change: (current: BuiltinObjects[R] | undefined) => BuiltinObjects[R] | undefined,
  ): Promise<BuiltinObjects[R] | undefined> {
    const { name } = this.#names;
    const registry = this.#context.builtin(resource);
    const write = serverWrite(this.#context, namespace);
    const current = (await registry.find(namespace, name, { kind: "mostRecent" }))?.decode();
    const wanted = change(current);
    if (wanted === undefined || (current !== undefined && isSame(current, wanted))) return current;
    if (isImmutable(current, wanted)) {
      await registry.delete(write, name, {});
      await registry.create(write, wanted);
      return wanted;
    }
    if (current === undefined) {
      try {
        await registry.create(write, wanted);
        return wanted;
      } catch (error) {
        // Another server was first: apply the change to its result.
        if (!isStatus(error, "AlreadyExists")) throw error;
      }
    }
    let written = wanted;
    await registry.update(write, name, {
      transform: async (latest) => {
        written = change(latest?.copy()) ?? wanted;
        return written;
      },
    });
    return written;
  }
}

function sliceEndpoint(ip: string, ready: boolean): Endpoint {
  return { addresses: [ip], conditions: { ready } };
}

function labelled(metadata: ObjectMeta, labels: Readonly<Record<string, string>>): ObjectMeta {
  return { ...metadata, labels: { ...metadata.labels, ...labels } };
}

/** A slice cannot change its address type, so it is replaced. */
function isImmutable<T extends ApiObject>(current: T | undefined, wanted: T): boolean {
  if (current === undefined) return false;
  return Reflect.get(current, "addressType") !== Reflect.get(wanted, "addressType");
}

function isSame<T extends ApiObject>(current: T, wanted: T): boolean {
  const fields = new Map(Object.entries(current));
  return Object.entries(wanted).every(([field, value]) => isDeepEqual(fields.get(field), value));
}
