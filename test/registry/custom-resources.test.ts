import { afterAll, beforeAll, describe, expect, vi } from "vitest";
import { boatDefinition } from "../support/boat-definition.js";
import { type ApiGround, openApiGround } from "./api-ground.js";
import { resourceSuite } from "./resource-suite.js";

const group = "example.com";
let ground: ApiGround;

beforeAll(async () => {
  ground = await openApiGround();
  await ground.assembly.customResources.start();
  const { code } = await ground.api.post(
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    boatDefinition(),
  );
  expect(code).toBe(201);
  await vi.waitFor(() => expect(ground.assembly.catalog.find(group, "v1", "boats")).toBeDefined());
});
afterAll(() => ground.dispose());

describe("boats.example.com", () => {
  resourceSuite(() => ground, {
    group,
    version: "v1",
    resource: "boats",
    kind: "Boat",
    namespaced: true,
    make: (number) => ({
      apiVersion: `${group}/v1`,
      kind: "Boat",
      metadata: { name: `boat-${number}` },
      spec: { sails: number },
    }),
    updatesAnyVersion: false,
    createsByUpdate: false,
    mergesStrategically: false,
  });
});
