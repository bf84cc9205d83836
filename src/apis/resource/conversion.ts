import type {
  DeviceClaim,
  DeviceRequest as DeviceRequestV1,
  Device as DeviceV1,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from "../gen/resource-v1.js";
import type { ResourceSlice as ResourceSliceV1alpha3 } from "../gen/resource-v1alpha3.js";
import type {
  Device,
  DeviceRequest,
  ResourceClaimTemplate as ResourceClaimTemplateV1beta1,
  ResourceClaim as ResourceClaimV1beta1,
  ResourceSlice as ResourceSliceV1beta1,
} from "../gen/resource-v1beta1.js";

/** v1beta1 and v1alpha3 have the fields of `exactly` in the request itself, and what describes a device in `basic`. */

interface Conversion<V, H> {
  toHub(object: V): H;
  fromHub(hub: H): V;
}

type FlatClaim = { requests?: DeviceRequest[] | undefined };

export const claimConversion: Conversion<ResourceClaimV1beta1, ResourceClaim> = {
  toHub: ({ spec, ...object }) => ({ ...object, spec: { ...spec, devices: claimToHub(spec.devices) } }),
  fromHub: ({ spec, ...hub }) => ({ ...hub, spec: { ...spec, devices: claimFromHub(spec.devices) } }),
};

export const templateConversion: Conversion<ResourceClaimTemplateV1beta1, ResourceClaimTemplate> = {
  toHub({ spec, ...object }) {
    const devices = claimToHub(spec.spec.devices);
    return { ...object, spec: { ...spec, spec: { ...spec.spec, devices } } };
  },
  fromHub({ spec, ...hub }) {
    const devices = claimFromHub(spec.spec.devices);
    return { ...hub, spec: { ...spec, spec: { ...spec.spec, devices } } };
  },
};

function claimToHub<T extends FlatClaim>({ requests, ...claim }: T): Omit<T, "requests"> & DeviceClaim {
  return { ...claim, requests: requests?.map(requestToHub) };
}

function claimFromHub<T extends DeviceClaim>({ requests, ...claim }: T): Omit<T, "requests"> & FlatClaim {
  return { ...claim, requests: requests?.map(requestFromHub) };
}

function requestToHub({ name, firstAvailable, ...exactly }: DeviceRequest): DeviceRequestV1 {
  const isExact = Object.values(exactly).some((value) => value !== undefined && value !== "" && value !== 0);
  return isExact ? { name, exactly, firstAvailable } : { name, firstAvailable };
}

function requestFromHub({ name, exactly, firstAvailable }: DeviceRequestV1): DeviceRequest {
  return { name, deviceClassName: "", ...exactly, firstAvailable };
}

export const sliceConversion: Conversion<ResourceSliceV1beta1, ResourceSlice> = {
  toHub: ({ spec, ...object }) => ({
    ...object,
    spec: {
      ...spec,
      // In these versions, zero values mean absent.
      nodeName: spec.nodeName === "" ? undefined : spec.nodeName,
      allNodes: spec.allNodes === false ? undefined : spec.allNodes,
      devices: spec.devices?.map(deviceToHub),
    },
  }),
  fromHub: ({ spec, ...hub }) => ({ ...hub, spec: { ...spec, devices: spec.devices?.map(deviceFromHub) } }),
};

function deviceToHub({ name, basic }: Device): DeviceV1 {
  return { name, ...basic };
}

function deviceFromHub({ name, ...basic }: DeviceV1): Device {
  return { name, basic };
}

/** As in v1beta1, with plain quantities instead of objects. */
export const sliceV1alpha3Conversion: Conversion<ResourceSliceV1alpha3, ResourceSlice> = {
  toHub: ({ spec, ...object }) =>
    sliceConversion.toHub({
      ...object,
      spec: {
        ...spec,
        devices: spec.devices?.map(({ name, basic }) => ({
          name,
          basic: basic && { ...basic, capacity: mapValues(basic.capacity, (value) => ({ value })) },
        })),
      },
    }),
  fromHub(hub) {
    const { spec, ...object } = sliceConversion.fromHub(hub);
    const devices = spec.devices?.map(({ name, basic }) => ({
      name,
      basic: basic && { ...basic, capacity: mapValues(basic.capacity, ({ value }) => value) },
    }));
    return { ...object, spec: { ...spec, devices } };
  },
};

function mapValues<A, B>(
  map: { readonly [name: string]: A } | undefined,
  change: (value: A) => B,
): { [name: string]: B } | undefined {
  return map && Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));
}
