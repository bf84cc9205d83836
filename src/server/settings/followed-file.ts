import { readFile } from "node:fs/promises";
import type { Logger } from "../../telemetry/logger.js";
import type { ReloadObserver } from "./reload-metrics.js";

/** Reloads the configuration file of an option when it changes: `replace` applies the new content. `reloaded` receives the result. */
export function followConfiguration(
  content: Buffer,
  file: string,
  {
    option,
    replace,
    reloaded,
    log,
  }: {
    /** Without dashes. */
    readonly option: string;
    readonly replace: (content: Buffer) => Promise<void>;
    readonly reloaded: Pick<ReloadObserver, "succeeded" | "failed">;
    readonly log: Pick<Logger, "error">;
  },
): FollowedFile {
  return new FollowedFile(content, {
    file,
    onChange: async (changed) => {
      await replace(changed);
      reloaded.succeeded(changed);
    },
    onProblem: (error) => {
      reloaded.failed();
      log.error(`the changed file of --${option} cannot be used; the previous content stays in use`, error);
    },
  });
}

export interface FollowedFileOptions {
  readonly file: string;
  /** Applies the changed content. If it rejects, the previous content stays in use. Calls do not overlap. */
  readonly onChange: (content: Buffer) => Promise<void>;
  /** Called with why the file could not be read or its content not applied: once per content, or once per attempt. */
  readonly onProblem: (error: unknown) => void;
  /** Whether content that could not be applied is retried, at growing intervals. Default: false, only other content is tried. */
  readonly isRetried?: boolean | undefined;
  /** Time between two checks; default 2 s. */
  readonly intervalMs?: number | undefined;
}

const intervalMsDefault = 2000;
const waitsMax = 512;

/** A configuration file that is taken over when its content changes, even when replaced by renaming or through a symbolic link. */
export class FollowedFile {
  readonly #options: FollowedFileOptions;
  readonly #timer: NodeJS.Timeout;
  #content: Buffer;
  /** The last content that could not be taken over. */
  #refused: Buffer | undefined;
  #reported = "";
  /** How many checks to skip before the next attempt, and how many after that. */
  #waits = 0;
  #waitsNext = 1;
  #working: Promise<void> | undefined;

  /** `content` is in use already. */
  constructor(content: Buffer, options: FollowedFileOptions) {
    this.#content = content;
    this.#options = options;
    this.#timer = setInterval(() => this.#look(), options.intervalMs ?? intervalMsDefault);
    this.#timer.unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#working;
  }

  #look(): void {
    this.#working ??= this.#reload().finally(() => {
      this.#working = undefined;
    });
  }

  async #reload(): Promise<void> {
    const { file, onChange, onProblem, isRetried = false } = this.#options;
    let content: Buffer | undefined;
    try {
      content = await readFile(file);
      if (content.equals(this.#content)) {
        this.#refused = undefined;
        return;
      }
      if (this.#refused?.equals(content) !== true) this.#begin();
      else if (!isRetried || this.#waits-- > 0) return;
      await onChange(content);
      this.#content = content;
      this.#refused = undefined;
    } catch (error) {
      if (content !== undefined) this.#refused = content;
      this.#waits = this.#waitsNext;
      this.#waitsNext = Math.min(2 * this.#waitsNext, waitsMax);
      const problem = String(error);
      if (problem !== this.#reported || (isRetried && content !== undefined)) onProblem(error);
      this.#reported = problem;
    }
  }

  /** Starts to apply content that was not seen before. */
  #begin(): void {
    this.#reported = "";
    this.#waits = 0;
    this.#waitsNext = 1;
  }
}
