import { expect, test } from "vitest";
import { readWebSocketProtocols } from "./web-socket-token.js";

const prefix = "base64url.bearer.authorization.example.io.";
const carrier = `${prefix}${Buffer.from("secret").toString("base64url")}`;

test.each([
  [`${carrier}, v4.channel`, { token: "secret", others: ["v4.channel"] }],
  [`v4.channel,v3.channel,${carrier}`, { token: "secret", others: ["v4.channel", "v3.channel"] }],
  ["v4.channel", { token: undefined, others: ["v4.channel"] }],
  [carrier, { token: undefined, others: [] }],
  [`${carrier},${carrier},v4.channel`, { token: undefined, others: ["v4.channel"] }],
  [`${prefix}!!,v4.channel`, { token: undefined, others: ["v4.channel"] }],
  [`${prefix},v4.channel`, { token: undefined, others: ["v4.channel"] }],
  [
    `${prefix}${Buffer.from("two words").toString("base64url")},v4.channel`,
    { token: undefined, others: ["v4.channel"] },
  ],
])("%s", (header, read) => expect(readWebSocketProtocols(header, prefix)).toEqual(read));
