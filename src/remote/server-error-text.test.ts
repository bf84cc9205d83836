import { expect, test } from "vitest";
import { refusalText } from "./server-error-text.js";

const refusal = (status: number, body: string) =>
  refusalText({ status, headers: {}, body: Buffer.from(body) });

test.each([
  [500, "boom", 'an error on the server ("boom") has prevented the request from succeeding'],
  [502, "", 'an error on the server ("") has prevented the request from succeeding'],
  [404, "404 page not found", "the server could not find the requested resource"],
  [403, "go away", "go away"],
  [418, "teapot", "the server responded with the status code 418 but did not return more information"],
  [403, '{"kind":"Status","status":"Failure","message":"not you"}', "not you"],
  [503, '{"kind":"Status","status":"Failure"}', "the server is currently unable to handle the request"],
])("an answer with code %s and the body %j", (status, body, text) => {
  expect(refusal(status, body)).toBe(text);
});

test("a body of another type than text is not shown", () => {
  const answer = (type: string) =>
    refusalText({ status: 500, headers: { "content-type": type }, body: Buffer.from("boom") });
  expect(answer("Text/plain; charset=utf-8")).toContain('("boom")');
  expect(answer("application/json")).toContain('("unknown")');
});

test("a long body is shown in part", () => {
  expect(refusal(500, "x".repeat(1_000_000)).length).toBeLessThan(2_200);
});
