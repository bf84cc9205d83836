import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ApiClient } from "../support/api-client.js";
import { startServer } from "../support/server-process.js";

const mebibyte = 1024 * 1024;
const maps = "/api/v1/namespaces/default/configmaps";

/** Mounts a disk of `mebibytes` until the returned function is called; undefined without the right to mount. */
function mountDisk(mebibytes: number): { readonly disk: string; readonly unmount: () => void } | undefined {
  const disk = mkdtempSync(join(tmpdir(), "full-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${mebibytes}m`, "tmpfs", disk], { stdio: "ignore" });
  } catch {
    rmSync(disk, { recursive: true });
    return undefined;
  }
  return {
    disk,
    unmount: () => {
      execFileSync("umount", [disk]);
      rmSync(disk, { recursive: true });
    },
  };
}

const noMount = "a disk of its own needs the right to mount";

test("on a full disk writes are 503 and reads go on; with room again writes do too", async ({ skip }) => {
  const mounted = mountDisk(72) ?? skip(noMount);
  const { disk } = mounted;
  // Other programs have files there too; the store wants 16 MiB left.
  const others = join(disk, "others");
  writeFileSync(others, Buffer.alloc(24 * mebibyte));
  try {
    const server = await startServer({ dataDirectory: join(disk, "data") });
    const api = new ApiClient(server);
    try {
      const data = { text: "x".repeat(200_000) };
      const create = (name: string) => api.post(maps, { metadata: { name }, data });
      let count = 0;
      let answer = await create("map-0");
      while (answer.status === 201) answer = await create(`map-${++count}`);
      expect(answer.body).toMatchObject({ kind: "Status", code: 503 });
      expect(count).toBeGreaterThan(20);
      // To the very last byte.
      expect(() => writeFileSync(others, Buffer.alloc(72 * mebibyte))).toThrow("ENOSPC");
      const refused = await Promise.all(Array.from({ length: 50 }, (_, i) => create(`more-${i}`)));
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
      expect((await api.get(`${maps}/map-0`)).body.data).toEqual(data);
      expect((await api.get(`${maps}?limit=1`)).status).toBe(200);
      expect((await api.ask("DELETE", `${maps}/map-0`)).status).toBe(200);
      rmSync(others);
      await expect.poll(async () => (await create("again")).status).toBe(201);
      expect(server.output()).not.toMatch(/^ {4}at /m);
    } finally {
      await api.close();
      expect(await server.stop()).toBe(0);
    }
  } finally {
    mounted.unmount();
  }
});

test("a server starts again on a disk that is nearly full, and takes deletions", async ({ skip }) => {
  const { disk, unmount } = mountDisk(43) ?? skip(noMount);
  // With a lease for each server.
  const options = { dataDirectory: join(disk, "data"), args: ["--api-level=1.30"] };
  try {
    const first = await startServer(options);
    const before = new ApiClient(first);
    try {
      expect((await before.post(maps, { metadata: { name: "a" } })).status).toBe(201);
      writeFileSync(join(disk, "others"), Buffer.alloc(26 * mebibyte));
      await expect
        .poll(async () => (await before.post(maps, { metadata: { generateName: "b" } })).status)
        .toBe(503);
    } finally {
      await before.close();
      expect(await first.stop()).toBe(0);
    }
    const second = await startServer(options);
    const after = new ApiClient(second);
    try {
      expect((await after.get(`${maps}/a`)).status).toBe(200);
      expect((await after.post(maps, { metadata: { generateName: "b" } })).status).toBe(503);
      expect((await after.ask("DELETE", `${maps}/a`)).status).toBe(200);
    } finally {
      await after.close();
      expect(await second.stop()).toBe(0);
    }
  } finally {
    unmount();
  }
});
