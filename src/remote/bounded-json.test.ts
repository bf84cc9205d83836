import { expect, test } from "vitest";
import { nextTurn } from "../event-loop/turns.js";
import { answerBounds, checkValues, parseBoundedJson } from "./bounded-json.js";

const { signal } = new AbortController();

const { valuesMax, membersMax } = answerBounds;
const ones = (count: number) => `[${"1,".repeat(count - 1)}1]`;

test("an answer of many values is read while others have their turns", async () => {
  let isRead = false;
  const other = async (): Promise<number> => {
    for (let turns = 0; ; turns++) {
      await nextTurn();
      if (isRead) return turns;
    }
  };
  const turnsOfOther = other();
  const value = await parseBoundedJson(Buffer.from(ones(membersMax)), signal);
  isRead = true;
  expect(value).toHaveLength(membersMax);
  expect(await turnsOfOther).toBeGreaterThan(10);
});

test("reading ends when nobody waits for the answer", async () => {
  const gone = new AbortController();
  const reading = parseBoundedJson(Buffer.from(ones(membersMax)), gone.signal);
  gone.abort(new Error("gone"));
  await expect(reading).rejects.toThrow("gone");
});

const limitMessage = `Request entity too large: limit is ${valuesMax} fields and items, ${membersMax} of them in one object or list`;
const refusal = { status: { code: 413, reason: "RequestEntityTooLarge", message: limitMessage } };

const parse = (text: string) => parseBoundedJson(Buffer.from(text), signal);

test("too many values of an answer are 413, nested too deep is a syntax error", async () => {
  expect(await parse(ones(membersMax))).toHaveLength(membersMax);
  await expect(parse(ones(membersMax + 1))).rejects.toMatchObject(refusal);
  const members = Array.from({ length: membersMax + 1 }, (_, i) => `"k${i}":{}`);
  await expect(parse(`{${members}}`)).rejects.toMatchObject(refusal);
  const lists = (count: number) => `[${Array.from({ length: count }, () => ones(1000)).join()}]`;
  expect(await parse(lists(99))).toHaveLength(99);
  await expect(parse(lists(101))).rejects.toMatchObject(refusal);
  await expect(parse("[".repeat(3_000_000))).rejects.toThrow("exceeded max depth");
});

test("what a patch makes is counted too", () => {
  const object = { spec: { items: new Array(membersMax).fill(1) } };
  expect(() => checkValues(object)).not.toThrow();
  const three = [object, object, object];
  expect(() => checkValues([...three, object])).toThrow("Request entity too large");
  expect(() => checkValues([...object.spec.items, 1])).toThrow("Request entity too large");
});

test("long texts of an answer read the same as short ones", async () => {
  const plain = "x".repeat(600_000);
  expect(await parse(`{"a":"${plain}"}`)).toEqual({ a: plain });
  expect(await parse(`{"a":"${plain}\\ud83d\\ud83d\\ude00"}`)).toEqual({ a: `${plain}\ufffd\u{1f600}` });
  await expect(parse(`{"a":"${plain}\\x"}`)).rejects.toThrow("invalid character 'x' in string escape code");
  await expect(parse(`{"a":"${plain}","b":${"[".repeat(1500)}`)).rejects.toThrow("exceeded max depth");
});
