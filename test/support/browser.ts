import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { type Browser, chromium, type Page } from "playwright-core";

const programs = ["chromium", "chromium-browser", "google-chrome"];

const program = process.env.CHROMIUM ?? programs.map(pathOf).find((path) => path !== "");

function pathOf(name: string): string {
  return spawnSync("which", [name], { encoding: "utf8" }).stdout.trim();
}

/** Why tests in a browser cannot run, or undefined when they can. With `REQUIRE_CHROMIUM=1` they run, and fail. */
export const lacksBrowser =
  program !== undefined || process.env.REQUIRE_CHROMIUM === "1"
    ? undefined
    : "no Chromium on the PATH (Debian: chromium); REQUIRE_CHROMIUM=1 makes this a failure";

export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: program ?? "/usr/bin/chromium",
    // The tests may run as root, in a container without the kernel's namespaces.
    // Without a GPU, Chromium would run a process that emulates one.
    args: ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"],
    timeout: 60_000,
  });
}

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly dark?: boolean;
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors of the page: of its code, and violations of its content security policy. */
  readonly faults: readonly string[];
  /** The origins to which the page sent requests. */
  readonly origins: ReadonlySet<string>;
  /** Bytes of all response bodies so far, compressed as they were sent. */
  received(): Promise<number>;
  close(): Promise<void>;
}

/** Violations of accessibility rules that axe finds: rule, element and message. */
export async function barriersOn(page: Page): Promise<readonly string[]> {
  const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
  const found: unknown = await page.evaluate(`${readFileSync(axe, "utf8")};
    axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) =>
        [id, html.slice(0, 150), any.map(({ message }) => message).join("; ")].join(" | "))))`);
  return Array.isArray(found) ? found.map(String) : ["axe gave no answer"];
}

/** A page in its own browser context, which accepts the server's certificate. */
export async function openPage(browser: Browser, options: PageOptions = {}): Promise<OpenedPage> {
  const { width = 1280, height = 800, dark = false } = options;
  const context = await browser.newContext({
    ignoreHTTPSErrors: true,
    viewport: { width, height },
    colorScheme: dark ? "dark" : "light",
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  const faults: string[] = [];
  const origins = new Set<string>();
  const sizes: Promise<number>[] = [];
  page.on("pageerror", (error) => faults.push(String(error.stack ?? error)));
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("console", (message) => {
    if (/Content Security Policy|Trusted/i.test(message.text())) faults.push(message.text());
  });
  page.on("request", (request) => origins.add(new URL(request.url()).origin));
  page.on("requestfinished", (request) => {
    sizes.push(
      request.sizes().then(
        ({ responseBodySize }) => responseBodySize,
        // The page was closed meanwhile.
        () => 0,
      ),
    );
  });
  return {
    page,
    faults,
    origins,
    received: async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0),
    close: () => context.close(),
  };
}
