import { expect, test } from "vitest";
import type { HttpExchange } from "../http/exchange.js";
import { AnswerBudget } from "./answer-budget.js";

const KiB = 1024;

function exchangeOf(remotePort: number) {
  const listeners: (() => void)[] = [];
  // What the budget asks of an exchange.
  const exchange = {
    connection: { remoteAddress: "127.0.0.1", remotePort },
    onFinished(listener: () => void) {
      listeners.push(listener);
    },
  } as unknown as HttpExchange;
  const finish = (): void => {
    for (const listener of listeners) listener();
  };
  return { exchange, listeners, finish };
}

test("answers of one connection share its room, and get it back as they are taken", () => {
  const budget = new AnswerBudget({ total: 1000 * KiB, connection: 100 * KiB });
  const [first, second, other] = [exchangeOf(1), exchangeOf(1), exchangeOf(2)];
  expect(budget.tryHold(first.exchange, 60 * KiB)).toBe(true);
  expect(budget.tryHold(second.exchange, 60 * KiB)).toBe(false);
  expect(budget.tryHold(other.exchange, 60 * KiB)).toBe(true);
  first.finish();
  expect(budget.tryHold(second.exchange, 60 * KiB)).toBe(true);
});

test("one large answer is always possible, within what all together may take", () => {
  const budget = new AnswerBudget({ total: 500 * KiB, connection: 100 * KiB });
  expect(budget.tryHold(exchangeOf(1).exchange, 300 * KiB)).toBe(true);
  expect(budget.tryHold(exchangeOf(2).exchange, 300 * KiB)).toBe(false);
  expect(() => budget.hold(exchangeOf(3).exchange, 300 * KiB)).toThrow("too many answers wait to be read");
  expect(budget.tryHold(exchangeOf(4).exchange, KiB)).toBe(true);
});

test("an answer that grows often listens for its end once, and gives back all of it", () => {
  const budget = new AnswerBudget({ total: 1000 * KiB, connection: 100 * KiB });
  const { exchange, listeners, finish } = exchangeOf(1);
  expect(budget.tryHold(exchange, 20 * KiB)).toBe(true);
  for (let grown = 0; grown < 40; grown++) expect(budget.tryGrow(exchange, 20 * KiB)).toBe(true);
  expect(listeners).toHaveLength(1);
  expect(budget.tryHold(exchangeOf(2).exchange, 500 * KiB)).toBe(false);
  finish();
  expect(budget.tryHold(exchangeOf(2).exchange, 1000 * KiB)).toBe(true);
});

test("answers that can be produced again take a sixteenth of all room, and leave the rest to others", () => {
  const budget = new AnswerBudget({ total: 1600 * KiB, connection: 1000 * KiB });
  const [first, second] = [exchangeOf(1), exchangeOf(2)];
  expect(budget.tryKeep(first.exchange, 60 * KiB)).toBe(true);
  expect(budget.tryKeep(first.exchange, 60 * KiB)).toBe(false);
  expect(budget.tryKeep(first.exchange, 40 * KiB)).toBe(true);
  expect(budget.tryKeep(first.exchange, 20 * KiB)).toBe(false);
  expect(budget.tryHold(first.exchange, 200 * KiB)).toBe(true);
  expect(budget.tryKeep(second.exchange, 60 * KiB)).toBe(true);
});
