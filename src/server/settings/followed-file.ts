import { readFile } from "node:fs/promises";

export interface FollowedFileOptions {
  readonly file: string;
  /** Takes over the changed content. When it rejects, what was in use stays. Calls do not overlap. */
  readonly onChange: (content: Buffer) => Promise<void>;
  /** Called with why the file could not be read, or its content not be taken over; once for each content. */
  readonly onProblem: (error: unknown) => void;
  /** Time between two looks; default 2 s. */
  readonly intervalMs?: number | undefined;
}

const intervalMsDefault = 2000;

/** A configuration file that is taken over when its content changes: replaced by renaming, or behind a symbolic link, too. */
export class FollowedFile {
  readonly #options: FollowedFileOptions;
  readonly #timer: NodeJS.Timeout;
  #content: Buffer;
  #reported = "";
  #working: Promise<void> | undefined;

  /** `content` is what is in use. */
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
    const { file, onChange, onProblem } = this.#options;
    try {
      const content = await readFile(file);
      if (content.equals(this.#content)) return;
      this.#content = content;
      this.#reported = "";
      await onChange(content);
    } catch (error) {
      const problem = String(error);
      if (problem !== this.#reported) onProblem(error);
      this.#reported = problem;
    }
  }
}
