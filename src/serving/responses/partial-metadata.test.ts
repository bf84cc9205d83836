import { expect, test } from "vitest";
import { daemonSets } from "../../apis/apps/daemon-set/resource.js";
import { testApiContext } from "../../apis/testing/api-context.js";
import { metadataOf } from "./partial-metadata.js";

const generation = '"deprecated.daemonset.template.generation":"1"';

test.each([
  [`{"name":"a","annotations":{${generation}},"generation":"1"}`, '{"name":"a","generation":"1"}'],
  [`{"name":"a","annotations":{${generation}}}`, '{"name":"a"}'],
  [`{"annotations":{${generation}},"name":"a"}`, '{"name":"a"}'],
  [`{"annotations":{${generation}}}`, "{}"],
  [
    `{"name":"a","annotations":{"a":"b",${generation},"é":"\\n"},"uid":"u"}`,
    '{"name":"a","annotations":{"a":"b","é":"\\n"},"uid":"u"}',
  ],
  ['{"name":"a","annotations":{"a":"b"}}', '{"name":"a","annotations":{"a":"b"}}'],
  ['{"name":"a"}', '{"name":"a"}'],
])("of a daemon set's %s, its fields are left out where metadata is shown alone", (metadata, expected) => {
  const body = Buffer.from(`"metadata":${metadata},"spec":{}}`);
  expect(metadataOf(daemonSets(testApiContext()), body).toString()).toBe(expected);
});
