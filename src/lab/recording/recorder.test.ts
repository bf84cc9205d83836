import { afterEach, beforeEach, expect, test } from "vitest";
import { SchemaRegistry } from "../../apimachinery/schema/schema-registry.js";
import { YamlConverter } from "../../apimachinery/yaml/yaml-converter.js";
import { openContext } from "../../serving/request/open-context.js";
import { RecordedExchange } from "../../serving/responses/testing/recorded-exchange.js";
import { BodyReader } from "./body-reader.js";
import { Recorder } from "./recorder.js";

const reader = new BodyReader({
  schemas: new SchemaRegistry([]),
  yaml: new YamlConverter(),
  groupStem: (group) => group,
});
let recorder: Recorder;
beforeEach(() => {
  recorder = new Recorder(reader);
});
afterEach(() => recorder.close());

/** An exchange that reports its end when the test says so, as if the connection had then taken everything. */
class SlowExchange extends RecordedExchange {
  readonly #listeners: (() => void)[] = [];

  override onFinished(listener: () => void): void {
    this.#listeners.push(listener);
  }
  taken(): void {
    for (const each of this.#listeners) each();
  }
}

async function asked(name: string) {
  const exchange = new SlowExchange({ target: `/api/v1/namespaces/default/configmaps/${name}` });
  const context = openContext(exchange, new Date());
  await recorder.filter(context, async () => {});
  return {
    answer: () => context.exchange.respond(200, { "Content-Type": "application/json" }, "{}"),
    stream: () => context.exchange.startStream(200, { "Content-Type": "application/json" }),
    taken: () => exchange.taken(),
  };
}

async function recorded(): Promise<string[]> {
  const lines = (await recorder.text()).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line).target.split("/").at(-1));
}

test("a recording that is stopped still gets what was answered, and nothing else", async () => {
  recorder.start();
  const whole = await asked("whole");
  const streamed = await asked("streamed");
  const begun = await asked("begun");
  const waiting = await asked("waiting");
  whole.answer();
  streamed.stream().end();
  const rest = begun.stream();
  const stopped = recorder.stop();
  const late = await asked("late");
  rest.end();
  waiting.answer();
  late.answer();
  for (const each of [late, waiting, begun, whole, streamed]) each.taken();
  await stopped;
  expect(await recorded()).toEqual(["whole", "streamed"]);
  expect(recorder.state).toEqual({ isRecording: false, calls: 2, isFull: false });
});

test("an answer that ends in a later recording belongs to none", async () => {
  recorder.start();
  const early = await asked("early");
  early.answer();
  recorder.start();
  early.taken();
  await recorder.stop();
  expect(await recorded()).toEqual([]);
});

test("a server that has been stopped leaves no recording behind", async () => {
  await recorder.close();
  expect(() => recorder.start()).toThrow("the server has been stopped");
});
