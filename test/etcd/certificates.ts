import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
}

/** A test authority, and its certificates for 127.0.0.1, made with openssl in `directory`. */
export class TestAuthority {
  readonly caFile: string;
  readonly #directory: string;
  readonly #keyFile: string;

  constructor(directory: string, name: string) {
    this.#directory = directory;
    this.caFile = join(directory, `${name}.crt`);
    this.#keyFile = join(directory, `${name}.key`);
    openssl(
      ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"],
      ["-subj", `/CN=${name}`, "-keyout", this.#keyFile, "-out", this.caFile],
    );
  }

  issue(name: string): Certificate {
    const base = join(this.#directory, name);
    const extensions = `${base}.ext`;
    writeFileSync(extensions, "subjectAltName=IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n");
    openssl(
      ["req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj", `/CN=${name}`],
      ["-keyout", `${base}.key`, "-out", `${base}.csr`],
    );
    openssl(
      ["x509", "-req", "-in", `${base}.csr`, "-CA", this.caFile, "-CAkey", this.#keyFile, "-CAcreateserial"],
      ["-days", "2", "-extfile", extensions, "-out", `${base}.crt`],
    );
    return { certFile: `${base}.crt`, keyFile: `${base}.key` };
  }
}

function openssl(...args: readonly (readonly string[])[]): void {
  execFileSync("openssl", args.flat(), { stdio: "ignore" });
}
