import { expect, test } from "vitest";
import type { Endpoints, Service } from "../apis/gen/core-v1.js";
import type { EndpointSlice } from "../apis/gen/discovery-v1.js";
import { serviceAddresses } from "./service-addresses.js";
import { type Backends, backendsOfEndpoints, backendsOfSlices } from "./service-backends.js";

const name = { namespace: "ns", name: "svc", port: 443 };

function service(spec: object): Service {
  return { metadata: {}, spec: { ports: [{ name: "https", port: 443 }], ...spec }, status: {} } as Service; // no more is looked at
}

function endpoints(subsets: Endpoints["subsets"]): Backends {
  return backendsOfEndpoints({ metadata: {}, subsets });
}

const none = backendsOfEndpoints(undefined);

function slice(addressType: "IPv4" | "IPv6", of: Partial<EndpointSlice>): EndpointSlice {
  return { metadata: {}, addressType, ...of };
}

const ready = endpoints([
  { addresses: [{ ip: "10.1.0.1" }, { ip: "10.1.0.2" }], ports: [{ name: "https", port: 6443 }] },
  { addresses: [{ ip: "10.1.0.3" }], ports: [{ name: "http", port: 80 }] },
  { notReadyAddresses: [{ ip: "10.1.0.4" }], ports: [{ name: "https", port: 6443 }] },
]);

test("a service has its own address and those of its ready endpoints", () => {
  expect(serviceAddresses(name, service({ clusterIP: "10.0.0.7" }), ready)).toEqual({
    kind: "found",
    service: { host: "10.0.0.7", port: 443 },
    endpoints: [
      { host: "10.1.0.1", port: 6443 },
      { host: "10.1.0.2", port: 6443 },
    ],
  });
});

test("what is dialled is the canonical form of what was checked", () => {
  const odd = endpoints([
    {
      addresses: [{ ip: "0177.0.0.1" }, { ip: "::ffff:10.1.0.2" }, { ip: "2001:DB8::1" }, { ip: "127.1" }],
      ports: [{ name: "https", port: 6443 }],
    },
  ]);
  expect(serviceAddresses(name, service({ clusterIP: "010.0.0.07" }), odd)).toEqual({
    kind: "found",
    service: { host: "10.0.0.7", port: 443 },
    endpoints: [
      { host: "177.0.0.1", port: 6443 },
      { host: "10.1.0.2", port: 6443 },
      { host: "2001:db8:0:0:0:0:0:1", port: 6443 },
    ],
  });
  const spelled = service({ type: "ExternalName", externalName: "127.1" });
  expect(serviceAddresses(name, spelled, none)).toMatchObject({ kind: "missing" });
  const external = service({ type: "ExternalName", externalName: "0177.0.0.1" });
  expect(serviceAddresses(name, external, none)).toMatchObject({ service: { host: "177.0.0.1" } });
});

test("a headless service has the addresses of its endpoints alone", () => {
  const found = serviceAddresses(name, service({ clusterIP: "None" }), ready);
  expect(found).toMatchObject({ kind: "found", service: undefined });
});

test("an external name is an address", () => {
  const found = serviceAddresses(
    name,
    service({ type: "ExternalName", externalName: "api.example.com" }),
    none,
  );
  expect(found).toEqual({ kind: "found", service: { host: "api.example.com", port: 443 }, endpoints: [] });
});

test.each([
  [undefined, ready, "ServiceNotFound", 'service/svc in "ns" is not present'],
  [
    service({ ports: [{ port: 80 }] }),
    ready,
    "ServicePortError",
    'service/svc in "ns" is not listening on port 443',
  ],
  [service({}), none, "EndpointsNotFound", 'cannot find endpoints for service/svc in "ns"'],
  [
    service({}),
    endpoints([]),
    "MissingEndpoints",
    'endpoints for service/svc in "ns" have no addresses with port name "https"',
  ],
  [
    service({}),
    backendsOfSlices([]),
    "EndpointsNotFound",
    'cannot find endpointslices for service/svc in "ns"',
  ],
  [
    service({}),
    backendsOfSlices([slice("IPv4", { endpoints: [{ addresses: ["10.1.0.1"], conditions: {} }] })]),
    "MissingEndpoints",
    'endpointslices for service/svc in "ns" have no addresses with port name "https"',
  ],
])("what is missing is reported in the words that people search for: %#", (of, its, reason, message) => {
  expect(serviceAddresses(name, of, its)).toEqual({ kind: "missing", reason, message });
});

test("slices tell which servers are ready, of the family that the service prefers", () => {
  const ports = [
    { name: "http", port: 80 },
    { name: "https", port: 6443 },
  ];
  const slices = backendsOfSlices([
    slice("IPv6", { endpoints: [{ addresses: ["2001:DB8::1"], conditions: {} }], ports }),
    slice("IPv4", {
      endpoints: [
        { addresses: ["10.1.0.1", "10.1.0.9"], conditions: {} },
        { addresses: ["10.1.0.2"], conditions: { ready: true } },
        { addresses: ["10.1.0.3"], conditions: { ready: false, serving: true } },
      ],
      ports,
    }),
    slice("IPv4", { endpoints: [{ addresses: ["10.1.0.4"], conditions: {} }], ports: [{ name: "https" }] }),
  ]);
  const found = (ipFamilies?: string[]) => serviceAddresses(name, service({ ipFamilies }), slices);
  const v4 = [
    { host: "10.1.0.1", port: 6443 },
    { host: "10.1.0.2", port: 6443 },
  ];
  const v6 = { host: "2001:db8:0:0:0:0:0:1", port: 6443 };
  expect(found(["IPv4", "IPv6"])).toMatchObject({ endpoints: v4 });
  expect(found(["IPv6"])).toMatchObject({ endpoints: [v6] });
  expect(found()).toMatchObject({ endpoints: [v6, ...v4] });
});
