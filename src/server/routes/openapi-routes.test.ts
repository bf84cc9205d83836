import { expect, test } from "vitest";
import { type ApiLevel, isAtLeast } from "../../apimachinery/levels/api-level.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { builtinCatalog } from "../../endpoints/discovery/testing/builtin-catalog.js";
import { testDocuments } from "../../endpoints/openapi/testing/test-documents.js";
import { openContext } from "../../serving/request/open-context.js";
import { RecordedExchange } from "../../serving/responses/testing/recorded-exchange.js";
import { openApiRoutes } from "./openapi-routes.js";

const protobuf = "application/com.github.proto-openapi.spec.v3.v1.0+protobuf";

async function answerOf(level: ApiLevel, target: string, accept: string): Promise<RecordedExchange> {
  const context = testApiContext({ level });
  const documents = testDocuments(context, { catalog: builtinCatalog(context) });
  const routes = openApiRoutes({ documents, v3: true, level, compress: false, now: () => new Date() });
  const exchange = new RecordedExchange({ target, headers: { accept } });
  const path = target === "/openapi/v3" ? target : "/openapi/v3/*";
  await routes.find((route) => route.path === path)?.handle(openContext(exchange, new Date()));
  return await exchange.finished();
}

async function typeOf(level: ApiLevel, target: string, accept: string): Promise<unknown> {
  return (await answerOf(level, target, accept)).answered["content-type"];
}

test.each<ApiLevel>(["1.23", "1.26", "1.27", "1.36"])(
  "at %s answers of version 3 call themselves what they are since 1.27",
  async (level) => {
    const isNamed = isAtLeast(level, "1.27");
    const json = isNamed ? "application/json" : "text/plain; charset=utf-8";
    expect(await typeOf(level, "/openapi/v3", "*/*")).toBe("text/plain; charset=utf-8");
    expect(await typeOf(level, "/openapi/v3/version", "application/json")).toBe(json);
    expect(await typeOf(level, "/openapi/v3/version", protobuf)).toBe(
      isNamed ? protobuf : "application/octet-stream",
    );
  },
);

test("a document that does not exist is 404 with an empty body", async () => {
  const { statusCode, body } = await answerOf("1.35", "/openapi/v3/apis/none/v1", "*/*");
  expect([statusCode, body.length]).toEqual([404, 0]);
});
