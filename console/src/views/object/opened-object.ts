import { signal } from "@preact/signals";
import { pathOf, type Resource } from "../../api/discovery.ts";
import { at, type JsonObject, parseObject, textAt } from "../../api/json.ts";
import { pause } from "../../api/pause.ts";
import { ApiError, getObject, getText, isAborted, linesOf, messageOf, send } from "../../api/request.ts";
import { nameOf } from "../../state/session.ts";
import type * as YamlPart from "../../yaml/yaml-part.ts";

const retryMs = 1000;
/** How often to read an object that the user may not watch. */
const unwatchedMs = 15_000;

/** One object, kept up to date. */
export class OpenedObject {
  /** Undefined until the object has been read, and when it does not exist. */
  readonly object = signal<JsonObject | undefined>(undefined);
  readonly isDeleted = signal(false);
  readonly problem = signal("");
  readonly yaml = signal<typeof YamlPart | undefined>(undefined);
  readonly #resource: Resource;
  readonly #namespace: string;
  readonly #name: string;
  readonly #ending = new AbortController();
  #isRefreshing = false;
  #isOutdated = false;

  constructor(resource: Resource, at: { readonly namespace: string; readonly name: string }) {
    this.#resource = resource;
    this.#namespace = at.namespace;
    this.#name = at.name;
    void this.#run();
  }

  stop(): void {
    this.#ending.abort();
  }

  async #run(): Promise<void> {
    const { signal: ending } = this.#ending;
    try {
      this.yaml.value = await import("../../yaml/yaml-part.ts");
    } catch (error) {
      this.problem.value = messageOf(error);
      return;
    }
    while (this.#name !== "" && !ending.aborted) {
      try {
        const version = await this.#version();
        await this.#read();
        if (version === undefined || !(await this.#follow(version))) await pause(unwatchedMs);
      } catch (failure) {
        if (ending.aborted || isAborted(failure)) return;
        this.problem.value = messageOf(failure);
      }
      await pause(retryMs);
    }
  }

  /** 404 is not a failure: a deleted object may be created again. */
  async #read(): Promise<void> {
    const path = pathOf(this.#resource, { namespace: this.#namespace, name: this.#name });
    try {
      const text = await getText(path, { signal: this.#ending.signal });
      this.object.value = this.yaml.value?.parseExactly(text);
      this.isDeleted.value = false;
      this.problem.value = "";
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 404) throw error;
      this.isDeleted.value = this.object.value !== undefined;
      this.problem.value = error.message;
    }
  }

  /**
   * The version at which a watch starts; undefined if the kind cannot be watched or the user may not list it. The
   * object's own version may be too old.
   */
  async #version(): Promise<string | undefined> {
    if (!this.#resource.verbs.has("watch")) return undefined;
    try {
      const query = new URLSearchParams({ fieldSelector: this.#selector });
      const list = await getObject(`${this.#listPath}?${query}`, this.#ask("PartialObjectMetadataList"));
      return textAt(list, "metadata", "resourceVersion");
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) return undefined;
      throw error;
    }
  }

  /** Returns true when the watch has ended; false if the user may list, but not watch. */
  async #follow(version: string): Promise<boolean> {
    const query = new URLSearchParams({
      watch: "1",
      fieldSelector: this.#selector,
      resourceVersion: version,
      timeoutSeconds: "300",
    });
    let answer: Response;
    try {
      answer = await send(`${this.#listPath}?${query}`, this.#ask("PartialObjectMetadata"));
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) return false;
      throw error;
    }
    for await (const line of linesOf(answer)) {
      const event = parseObject(line);
      if (at(event, "type") === "ERROR") break;
      void this.#refresh();
    }
    return true;
  }

  /** Reads the object again, once for all changes that arrive during a read. */
  async #refresh(): Promise<void> {
    this.#isOutdated = true;
    if (this.#isRefreshing) return;
    this.#isRefreshing = true;
    while (this.#isOutdated && !this.#ending.signal.aborted) {
      this.#isOutdated = false;
      try {
        await this.#read();
      } catch (error) {
        if (isAborted(error)) return;
        this.problem.value = messageOf(error);
        this.#isOutdated = true;
        await pause(retryMs);
      }
    }
    this.#isRefreshing = false;
  }

  /** Names of RBAC objects may contain the characters that separate the parts of a field selector. */
  get #selector(): string {
    return `metadata.name=${this.#name.replace(/[\\,=]/g, "\\$&")}`;
  }

  get #listPath(): string {
    return pathOf(this.#resource, { namespace: this.#namespace });
  }

  #ask(kind: string): { readonly accept: string; readonly signal: AbortSignal } {
    const accept = `application/json;as=${kind};g=${nameOf("metaGroup")};v=v1`;
    return { accept, signal: this.#ending.signal };
  }
}
