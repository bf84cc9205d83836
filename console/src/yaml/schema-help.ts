import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import type { Extension, Text } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import type { Schema } from "../api/schema.ts";
import { placeOf } from "./path-at.ts";

/** Help from the server's schema: a description of the field at the cursor, and completions. */
export function schemaHelp(schemaNow: () => Schema | undefined): Extension {
  return [
    autocompletion({ override: [(context) => complete(context, schemaNow())], icons: false }),
    hoverTooltip((view, position) => {
      const line = view.state.doc.lineAt(position);
      const { path, key } = placeOf(linesUpTo(view.state.doc, line.number));
      const schema = schemaAt(schemaNow(), path)?.member(key);
      const start = line.from + line.text.indexOf(key);
      if (key === "" || schema === undefined || position < start || position > start + key.length)
        return null;
      return {
        pos: start,
        end: start + key.length,
        above: true,
        create: () => ({ dom: helpOf(key, schema) }),
      };
    }),
  ];
}

function schemaAt(schema: Schema | undefined, path: readonly (string | -1)[]): Schema | undefined {
  let current = schema;
  for (const step of path) current = step === -1 ? current?.items() : current?.member(step);
  return current;
}

/** Maximum number of lines above the cursor that are read to find its position; enough in practice. */
const linesMax = 5000;

function linesUpTo(text: Text, number: number): readonly string[] {
  return [...text.iterLines(Math.max(1, number - linesMax), number + 1)];
}

function helpOf(name: string, schema: Schema): HTMLElement {
  const help = document.createElement("div");
  help.className = "schema-help";
  const title = document.createElement("b");
  title.textContent = name;
  const type = document.createElement("i");
  type.textContent = ` ${schema.typeName}`;
  const text = document.createElement("p");
  text.textContent = schema.description;
  help.append(title, type, text);
  if (schema.values.length > 0) {
    const values = document.createElement("p");
    values.textContent = `One of: ${schema.values.join(", ")}`;
    help.append(values);
  }
  return help;
}

function complete(context: CompletionContext, schema: Schema | undefined): CompletionResult | null {
  const { doc } = context.state;
  const line = doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const lines = [...linesUpTo(doc, line.number).slice(0, -1), before];
  const value = /^.*?:\s+(\S*)$/.exec(before);
  if (value !== null) {
    const { path, key } = placeOf(lines);
    const field = schemaAt(schema, path)?.member(key);
    const values = field?.typeName === "boolean" ? ["true", "false"] : (field?.values ?? []);
    if (values.length === 0) return null;
    return { from: context.pos - (value[1]?.length ?? 0), options: values.map((label) => ({ label })) };
  }
  const word = /[\w./-]*$/.exec(before)?.[0] ?? "";
  if (word === "" && !context.explicit) return null;
  if (!/^\s*(?:- +)*[\w./-]*$/.test(before)) return null;
  const parent = schemaAt(schema, placeOf(lines).path);
  const options = [...(parent?.properties() ?? [])].map(
    ([name, each]): Completion => ({
      label: name,
      detail: each.typeName,
      info: () => helpOf(name, each),
      apply: `${name}:${/^(object|map|list)/.test(each.typeName) ? "" : " "}`,
      boost: parent?.isRequired.has(name) === true ? 2 : 0,
    }),
  );
  return options.length === 0 ? null : { from: context.pos - word.length, options, validFor: /^[\w./-]*$/ };
}
