import fc from "fast-check";
import { expect, test } from "vitest";
import { parseImageName } from "./image-name.js";

const hex = "a".repeat(64);

test.each([
  ["app", "latest", ""],
  ["app:latest", "latest", ""],
  ["app:1.2", "1.2", ""],
  ["library/app", "latest", ""],
  ["host:5000/a/b_c/d-e", "latest", ""],
  ["host:5000/a/b:v1", "v1", ""],
  ["localhost/app:v1", "v1", ""],
  ["Host.example/app:v1", "v1", ""],
  [`app@sha256:${hex}`, "", `sha256:${hex}`],
  [`app:latest@sha256:${hex}`, "latest", `sha256:${hex}`],
  [`a${hex}`, "latest", ""],
])("%s has the tag %j and the digest %j", (image, tag, digest) => {
  expect(parseImageName(image)).toEqual({ tag, digest });
});

test.each([
  "",
  " ",
  "App",
  "host/App:latest",
  "app:",
  "app:-x",
  "app@sha256:abc",
  `app@sha256:${hex.toUpperCase()}`,
  `app@md5:${hex}`,
  hex,
  "a..b",
  "a/-b",
  "http://app",
  `${"a/".repeat(130)}b`,
])("%j is no image name", (image) => {
  expect(parseImageName(image)).toBeUndefined();
});

test("names made of valid parts are read back", () => {
  const part = fc.stringMatching(/^[a-z0-9]{1,8}$/);
  const tag = fc.stringMatching(/^\w[\w.-]{0,20}$/);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), tag, (parts, name) => {
      expect(parseImageName(`${parts.join("/")}:${name}`)?.tag).toBe(name);
    }),
  );
});
