import type { Endpoint, EndpointSlice } from "../../gen/discovery-v1.js";
import type {
  EndpointSlice as EndpointSliceV1beta1,
  Endpoint as EndpointV1beta1,
} from "../../gen/discovery-v1beta1.js";

export interface EndpointSliceConversion {
  toHub(object: EndpointSliceV1beta1): EndpointSlice;
  fromHub(hub: EndpointSlice): EndpointSliceV1beta1;
}

/**
 * v1 has fields for zone and node where v1beta1 has well-known keys of a topology map; other keys of the map are kept in
 * `deprecatedTopology`.
 */
export function endpointSliceConversion(domain: string): EndpointSliceConversion {
  const zoneKey = `topology.${domain}/zone`;
  const nodeKey = `${domain}/hostname`;
  return {
    toHub: ({ endpoints, ...rest }) => ({ ...rest, endpoints: endpoints?.map(endpointToHub) }),
    fromHub: ({ endpoints, ...rest }) => ({ ...rest, endpoints: endpoints?.map(endpointFromHub) }),
  };

  function endpointToHub({ topology, ...rest }: EndpointV1beta1): Endpoint {
    if (topology === undefined) return rest;
    const { [zoneKey]: zone, ...others } = topology;
    const endpoint: Endpoint = { ...rest };
    // The key may name another node than the field; it is kept then.
    if (others[nodeKey] !== undefined && others[nodeKey] === rest.nodeName) delete others[nodeKey];
    if (zone !== undefined) endpoint.zone = zone;
    if (Object.keys(others).length > 0) endpoint.deprecatedTopology = others;
    return endpoint;
  }

  function endpointFromHub({ deprecatedTopology, zone, ...rest }: Endpoint): EndpointV1beta1 {
    const topology = { ...deprecatedTopology };
    if (zone !== undefined) topology[zoneKey] = zone;
    if (rest.nodeName !== undefined) topology[nodeKey] ||= rest.nodeName;
    return Object.keys(topology).length === 0 ? rest : { ...rest, topology };
  }
}
