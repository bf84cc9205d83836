import { expect, test } from "vitest";
import { CronSchedule, zonedTimeText } from "./cron-schedule.js";

test.each([
  ["*/15 * * * *", undefined, "2021-12-07T10:01:30Z", "2021-12-07T10:15:00Z"],
  ["0 0 1 JAN *", undefined, "2021-12-07T10:00:00Z", "2022-01-01T00:00:00Z"],
  ["30 8 * * mon-fri", undefined, "2021-12-10T09:00:00Z", "2021-12-13T08:30:00Z"],
  ["0 12 13 * fri", undefined, "2021-12-07T00:00:00Z", "2021-12-10T12:00:00Z"],
  ["@hourly", undefined, "2021-12-07T10:00:00Z", "2021-12-07T11:00:00Z"],
  ["@every 90s", undefined, "2021-12-07T10:00:00Z", "2021-12-07T10:01:30Z"],
  ["0 9 * * *", "Asia/Tokyo", "2021-12-07T10:00:00Z", "2021-12-08T00:00:00Z"],
  ["TZ=America/New_York 0 9 * * *", undefined, "2021-12-07T10:00:00Z", "2021-12-07T14:00:00Z"],
  ["0 0 29 2 *", undefined, "2021-12-07T10:00:00Z", "2024-02-29T00:00:00Z"],
])("%s in %s is due after %s at %s", (text, zone, after, expected) => {
  const at = new CronSchedule(text, zone).next(Date.parse(after));
  expect(at === undefined ? undefined : new Date(at).toISOString()).toBe(expected.replace("Z", ".000Z"));
});

test("a day that never comes is not waited for", () => {
  expect(new CronSchedule("0 0 31 2 *").next(Date.parse("2021-12-07T10:00:00Z"))).toBeUndefined();
});

test.each([
  [undefined, "2021-12-07T10:05:00Z"],
  ["Etc/UTC", "2021-12-07T10:05:00Z"],
  ["Asia/Tokyo", "2021-12-07T19:05:00+09:00"],
  ["America/St_Johns", "2021-12-07T06:35:00-03:30"],
])("the time in %s is %s", (zone, text) => {
  expect(zonedTimeText(Date.parse("2021-12-07T10:05:00Z"), zone)).toBe(text);
});
