import { setTimeout } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "playwright-core";
import { ApiClient } from "../test/support/api-client.js";
import { type OpenedPage, openPage, startBrowser } from "../test/support/browser.js";
import { type ServerProcess, startServer } from "../test/support/server-process.js";
import { Figures } from "./support/figures.js";
import { privateBytes } from "./support/process-memory.js";
import { cpuSeconds } from "./support/process-time.js";
import { quantile } from "./support/statistics.js";

/**
 * What the console costs a server while nobody uses it, and how smoothly a list of 10,000 objects scrolls in a headless Chromium.
 * BENCH_OBJECTS sets their number.
 */

const objects = Number(process.env.BENCH_OBJECTS ?? 10_000);
const starts = 5;
/** Frames of scrolling; each moves the list by `stepPixels`, which are 22 rows. */
const frames = 400;
const stepPixels = 616;
const figures = new Figures();

await main();

async function main(): Promise<void> {
  await measureStarts();
  const server = await startServer();
  const api = new ApiClient(server);
  const browser = await startBrowser();
  try {
    await measureScrolling(server, api, browser);
  } finally {
    await browser.close();
    await api.close();
    await server.dispose();
  }
  figures.end();
}

/** Takes turns, so that other work on the machine affects both. */
async function measureStarts(): Promise<void> {
  const modes = ["off", "on"] as const;
  const seconds = { off: [] as number[], on: [] as number[] };
  const memory = { off: [] as number[], on: [] as number[] };
  for (let round = 0; round < starts; round++) {
    for (const mode of modes) {
      const server = await startServer({ args: [`--console=${mode}`] });
      seconds[mode].push(cpuSeconds(server.pid));
      await setTimeout(3000);
      memory[mode].push(privateBytes(server.pid));
      await server.dispose();
    }
  }
  for (const mode of modes) {
    figures.record(`console ${mode}: start, processor time (s)`, quantile(seconds[mode], 0));
    figures.record(`console ${mode}: memory, without mapped files (MB)`, quantile(memory[mode], 0.5) / 1e6);
  }
}

async function measureScrolling(server: ServerProcess, api: ApiClient, browser: Browser): Promise<void> {
  const names = Array.from({ length: objects }, (_, index) => `object-${index}`);
  const create = async (): Promise<void> => {
    for (let name = names.pop(); name !== undefined; name = names.pop())
      await api.post("/api/v1/namespaces/default/configmaps", { metadata: { name }, data: { name } });
  };
  await Promise.all(Array.from({ length: 32 }, create));
  const opened = await openPage(browser);
  const { page } = opened;
  await page.goto((await api.post("/console/links", {})).body.link);
  await page.getByRole("heading", { name: "What is in the server" }).waitFor();
  await measureFirstView(opened);

  const began = performance.now();
  const before = cpuSeconds(server.pid);
  await page.goto(`${server.url}/console/#/list/-/configmaps?ns=default`);
  await page.getByText("live", { exact: true }).waitFor();
  figures.record(`list of ${objects} until live (ms)`, performance.now() - began);
  figures.record("of the server, processor time (ms)", (cpuSeconds(server.pid) - before) * 1000);

  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  const taskBefore = await taskSeconds(client);
  const times = await scroll(page);
  const perFrame = ((await taskSeconds(client)) - taskBefore) / frames;
  figures.record("frame of scrolling, median (ms)", quantile(times, 0.5));
  figures.record("frame of scrolling, p95 (ms)", quantile(times, 0.95));
  figures.record("frame of scrolling, longest (ms)", quantile(times, 1));
  figures.record("processor time of the page's thread per frame (ms)", perFrame * 1000);
  await opened.close();
}

async function measureFirstView(opened: OpenedPage): Promise<void> {
  figures.record("first view, as sent (KB)", (await opened.received()) / 1000);
}

/** Milliseconds between frames while the list scrolls from its top towards its end. */
async function scroll(page: Page): Promise<readonly number[]> {
  const times: unknown = await page.evaluate(`new Promise((resolve) => {
    const grid = document.querySelector(".grid");
    const times = [];
    let last;
    const frame = (now) => {
      if (last !== undefined) times.push(now - last);
      last = now;
      grid.scrollTop = (grid.scrollTop + ${stepPixels}) % (grid.scrollHeight - grid.clientHeight);
      if (times.length < ${frames}) requestAnimationFrame(frame);
      else resolve(times);
    };
    requestAnimationFrame(frame);
  })`);
  return Array.isArray(times) ? times.map(Number) : [];
}

async function taskSeconds(client: CDPSession): Promise<number> {
  const { metrics } = await client.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
}
