import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { serviceBackends } from "../../aggregation/service-backends.js";
import type { BuiltinRegistries } from "../../registry/generic/builtin-registries.js";
import type { Dial } from "../../remote/remote-client.js";
import { ServiceDialer } from "./service-dialer.js";

const objects: Record<string, object> = {
  services: { metadata: {}, spec: { clusterIP: "10.0.0.9", ports: [{ port: 443, name: "https" }] } },
  endpoints: {
    metadata: {},
    subsets: [{ addresses: [{ ip: "192.0.2.7" }], ports: [{ name: "https", port: 8443 }] }],
  },
};

function open(reach: (host: string) => "connects" | "refuses" | "swallows", known = objects) {
  const dialed: string[] = [];
  const dial: Dial = ({ host, port }, signal) => {
    dialed.push(`${host}:${port}`);
    switch (reach(host)) {
      case "connects":
        return Promise.resolve(new PassThrough());
      case "refuses":
        return Promise.reject(new Error("connection refused"));
      case "swallows":
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("given up")), { once: true });
        });
    }
  };
  const builtin: BuiltinRegistries = (resource) =>
    // The part of the registry that the dialer uses.
    ({ find: async () => ({ decode: () => known[resource] }) }) as never;
  const backends = serviceBackends({ level: "1.33", builtin, serviceNameLabel: "service-name" });
  const services = new ServiceDialer({ context: { builtin }, backends, dial, random: () => 0 });
  const connect = () =>
    services.to("ns", "guard")({ host: "guard.ns.svc", port: 443 }, new AbortController().signal);
  return { dialed, connect };
}

test("the address of a service comes first", async () => {
  const { dialed, connect } = open(() => "connects");
  await connect();
  expect(dialed).toEqual(["10.0.0.9:443"]);
});

test.each(["refuses", "swallows"] as const)(
  "an endpoint takes its place when it %s, from then on",
  async (reach) => {
    const { dialed, connect } = open((host) => (host === "10.0.0.9" ? reach : "connects"));
    await connect();
    await connect();
    expect(dialed).toEqual(["10.0.0.9:443", "192.0.2.7:8443", "192.0.2.7:8443"]);
  },
);

test("an endpoint is dialled at its canonical address, which the system reads as it was checked", async () => {
  const octal = {
    services: { metadata: {}, spec: { clusterIP: "None", ports: [{ port: 443, name: "https" }] } },
    endpoints: {
      metadata: {},
      subsets: [{ addresses: [{ ip: "0177.0.0.1" }], ports: [{ name: "https", port: 8443 }] }],
    },
  };
  const { dialed, connect } = open(() => "connects", octal);
  await connect();
  expect(dialed).toEqual(["177.0.0.1:8443"]);
});

test("a service that cannot be reached says why", async () => {
  await expect(open(() => "refuses").connect()).rejects.toThrow("connection refused");
  await expect(open(() => "connects", { services: objects.services ?? {} }).connect()).rejects.toThrow(
    'cannot find endpoints for service/guard in "ns"',
  );
});
