import { expect, test } from "vitest";
import { openGround } from "../support/fixtures.js";
import { EtcdCluster, etcdMissing } from "./etcd-cluster.js";

test.skipIf(etcdMissing)("calls to etcd are counted by method and status code", async () => {
  const etcd = await EtcdCluster.start();
  const ground = await openGround([`--etcd-servers=${etcd.endpoints.join(",")}`]);
  try {
    const { api } = ground;
    const maps = "/api/v1/namespaces/default/configmaps";
    const countOf = async (series: string): Promise<number> => {
      const { text } = await api.get("/metrics");
      const line = text.split("\n").find((each) => each.startsWith(`${series} `));
      return Number(line?.slice(series.length + 1) ?? Number.NaN);
    };
    const transactions = 'grpc_type="unary",grpc_service="etcdserverpb.KV",grpc_method="Txn"';
    const handled = `grpc_client_handled_total{${transactions},grpc_code="OK"}`;
    const before = await countOf(handled);
    expect((await api.post(maps, { metadata: { name: "a" } })).status).toBe(201);
    expect(await countOf(handled)).toBeGreaterThan(before);
    for (const name of ["started_total", "msg_sent_total", "msg_received_total"]) {
      expect(await countOf(`grpc_client_${name}{${transactions}}`)).toBeGreaterThan(before);
    }
    const watches = 'grpc_type="bidi_stream",grpc_service="etcdserverpb.Watch",grpc_method="Watch"';
    expect(await countOf(`grpc_client_started_total{${watches}}`)).toBeGreaterThan(0);
    await expect.poll(() => countOf(`grpc_client_msg_received_total{${watches}}`)).toBeGreaterThan(0);
  } finally {
    await ground.dispose();
    await etcd.close();
  }
});
