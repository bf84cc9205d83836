import { expect, test } from "vitest";
import { printSecurityContext } from "./printed-values.js";

test("a security context is printed with the names of its structures, at the level's fields", () => {
  const context = { privileged: true, capabilities: { add: ["A"] }, windowsOptions: { runAsUserName: "U" } };
  const printed = (level: "1.29" | "1.30") => printSecurityContext(context, level);
  expect(printed("1.30").json).toBe(
    '{"Capabilities":{"Add":["A"],"Drop":null},"Privileged":true,"SELinuxOptions":null,' +
      '"WindowsOptions":{"GMSACredentialSpecName":null,"GMSACredentialSpec":null,"RunAsUserName":"U","HostProcess":null},' +
      '"RunAsUser":null,"RunAsGroup":null,"RunAsNonRoot":null,"ReadOnlyRootFilesystem":null,' +
      '"AllowPrivilegeEscalation":null,"ProcMount":null,"SeccompProfile":null,"AppArmorProfile":null}',
  );
  expect(printed("1.30").text).toContain(", AppArmorProfile:(*core.AppArmorProfile)(nil)}");
  expect(printed("1.29").text).toContain(", SeccompProfile:(*core.SeccompProfile)(nil)}");
});
