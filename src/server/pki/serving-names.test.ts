import { expect, test } from "vitest";
import { createNaming } from "../../naming/naming.js";
import { servingNames } from "./serving-names.js";

test.each(["orch", "kubernetes"] as const)(
  "names of the %s profile cover the cluster, this machine and what is given",
  (profile) => {
    const names = servingNames({
      naming: createNaming(profile),
      clusterDomain: "cluster.local",
      hostName: "my-machine",
      others: ["api.example.org", "0.0.0.0", "::", "", undefined, "192.0.2.1", "10.0.0.1", "127.0.0.1"],
    });
    expect(names).toEqual([
      `${profile}.default.svc`,
      `${profile}.default`,
      profile,
      `${profile}.default.svc.cluster.local`,
      "localhost",
      "my-machine",
      "api.example.org",
      "192.0.2.1",
      "10.0.0.1",
      "127.0.0.1",
      "::1",
    ]);
  },
);

test.each(["bad name", "ünï", "-x", "a/b"])(
  "a machine name that no certificate can hold (%s) is left out",
  (hostName) => {
    const names = servingNames({ naming: createNaming("orch"), clusterDomain: "c", hostName, others: [] });
    expect(names).not.toContain(hostName);
  },
);
