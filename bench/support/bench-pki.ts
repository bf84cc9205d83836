import { ensureLocalPki, type LocalPki, type ServingPair } from "../../src/server/pki/local-pki.js";

/** A CA with a certificate for 127.0.0.1, in a temporary directory. */
export async function benchPki(directory: string): Promise<LocalPki & { readonly serving: ServingPair }> {
  const pki = await ensureLocalPki({
    directory,
    now: Date.now(),
    authorityName: "bench-ca",
    serving: { commonName: "bench", names: ["127.0.0.1"] },
    admin: { commonName: "bench" },
  });
  if (pki.serving === undefined) throw new Error("no certificates");
  return { ...pki, serving: pki.serving };
}
