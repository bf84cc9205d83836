import { expect, test, vi } from "vitest";
import { ManualClock } from "../time/manual-clock.js";
import { IdentityLeaseController } from "./identity-lease.js";
import { TestRegistries } from "./testing/registries.js";

test("a server whose lease cannot be written starts, and writes it later", async () => {
  const registries = new TestRegistries(["leases"]);
  const leases = registries.of("leases");
  const clock = new ManualClock();
  const controller = new IdentityLeaseController(
    { ...registries.context, clock },
    {
      identity: {
        name: "server-1",
        holder: "server-1_x",
        label: { name: "of", value: "server" },
        labels: {},
      },
      namespace: "system",
      durationSeconds: 3600,
      renewIntervalMs: 10_000,
    },
  );
  const stored = async () => await leases.find("system", "server-1", { kind: "any" });
  const update = vi.spyOn(leases, "update").mockRejectedValue(new Error("the disk is full"));
  await controller.start();
  expect(await stored()).toBeUndefined();

  update.mockRestore();
  await clock.advance(10_000);
  await expect.poll(stored).toBeDefined();
  await controller.stop();
});
