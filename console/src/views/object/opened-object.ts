import { signal } from "@preact/signals";
import { pathOf, type Resource } from "../../api/discovery.ts";
import { at, type JsonObject, parseObject, textAt } from "../../api/json.ts";
import { ApiError, getObject, getText, isAborted, linesOf, messageOf, send } from "../../api/request.ts";
import { nameOf } from "../../state/session.ts";
import type * as YamlPart from "../../yaml/yaml-part.ts";

/** One object, kept up to date. */
export class OpenedObject {
  /** Undefined until it has been read, and when there is none. */
  readonly object = signal<JsonObject | undefined>(undefined);
  readonly isDeleted = signal(false);
  readonly problem = signal("");
  readonly yaml = signal<typeof YamlPart | undefined>(undefined);
  readonly #resource: Resource;
  readonly #namespace: string;
  readonly #name: string;
  readonly #ending = new AbortController();

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
        if (version === undefined) return;
        await this.#follow(version);
      } catch (failure) {
        if (ending.aborted || isAborted(failure)) return;
        this.problem.value = messageOf(this.yaml.value?.readableFailure(failure));
      }
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  /** An object that is not there may come back: that is no failure. */
  async #read(): Promise<void> {
    const path = pathOf(this.#resource, { namespace: this.#namespace, name: this.#name });
    let text: string;
    try {
      text = await getText(path, { accept: "application/yaml", signal: this.#ending.signal });
    } catch (failure) {
      const error = this.yaml.value?.readableFailure(failure);
      if (!(error instanceof ApiError) || error.code !== 404) throw error;
      this.isDeleted.value = this.object.value !== undefined;
      this.problem.value = error.message;
      return;
    }
    const parsed = this.yaml.value?.parseYaml(text);
    if (parsed?.kind !== "object") throw new Error("the server's answer is not YAML");
    this.object.value = parsed.object;
    this.isDeleted.value = false;
    this.problem.value = "";
  }

  /** From which a watch sees every change; undefined where the user may not watch. The object's own may be too long ago. */
  async #version(): Promise<string | undefined> {
    if (!this.#resource.verbs.has("watch")) return undefined;
    try {
      const query = new URLSearchParams({ fieldSelector: `metadata.name=${this.#name}` });
      const list = await getObject(`${this.#listPath}?${query}`, this.#ask("PartialObjectMetadataList"));
      return textAt(list, "metadata", "resourceVersion");
    } catch (error) {
      if (error instanceof ApiError && error.code === 403) return undefined;
      throw error;
    }
  }

  /** Until the watch ends, or cannot go on. */
  async #follow(version: string): Promise<void> {
    const query = new URLSearchParams({
      watch: "1",
      fieldSelector: `metadata.name=${this.#name}`,
      resourceVersion: version,
      timeoutSeconds: "300",
    });
    const answer = await send(`${this.#listPath}?${query}`, this.#ask("PartialObjectMetadata"));
    for await (const line of linesOf(answer)) {
      const event = parseObject(line);
      if (at(event, "type") === "ERROR") return;
      if (at(event, "type") === "DELETED") this.isDeleted.value = true;
      else await this.#read();
    }
  }

  get #listPath(): string {
    return pathOf(this.#resource, { namespace: this.#namespace });
  }

  #ask(kind: string): { readonly accept: string; readonly signal: AbortSignal } {
    const accept = `application/json;as=${kind};g=${nameOf("metaGroup")};v=v1`;
    return { accept, signal: this.#ending.signal };
  }
}
