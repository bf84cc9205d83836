import { expect, test } from "vitest";
import { readWebSocketToken } from "./web-socket-token.js";

const prefix = "base64url.bearer.authorization.example.io.";
const carrier = `${prefix}${Buffer.from("secret").toString("base64url")}`;

test.each([
  [`${carrier}, v4.channel`, { token: "secret" }],
  [`v4.channel,v3.channel,${carrier}`, { token: "secret" }],
  ["v4.channel", undefined],
  [`${prefix},v4.channel`, undefined],
  [carrier, { problem: "missing additional subprotocol" }],
  [`${carrier},${carrier},v4.channel`, { problem: "multiple base64.bearer.authorization tokens specified" }],
  [`${prefix}!!,v4.channel`, { problem: "invalid base64.bearer.authorization token encoding" }],
  [
    `${prefix}${Buffer.from("two words").toString("base64url")},v4.channel`,
    { problem: "invalid base64.bearer.authorization token" },
  ],
])("%s", (header, read) => expect(readWebSocketToken(header, prefix)).toEqual(read));
