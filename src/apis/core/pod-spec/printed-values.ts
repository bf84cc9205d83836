import { printQuantity } from "../../../apimachinery/errors/printed-quantity.js";
import {
  printList,
  printPointedTime,
  printPointer,
  printStruct,
} from "../../../apimachinery/errors/printed-structs.js";
import { PrintedValue } from "../../../apimachinery/errors/printed-value.js";
import { type ApiLevel, isAtLeast } from "../../../apimachinery/levels/api-level.js";
import type {
  AppArmorProfile,
  Capabilities,
  ContainerResizePolicy,
  Lifecycle,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodResourceClaim,
  Probe,
  SELinuxOptions,
  SeccompProfile,
  SecurityContext,
  Taint,
  Toleration,
  WindowsSecurityContextOptions,
} from "../../gen/core-v1.js";
import type { ResourceList } from "./resource-list.js";

export function printResourceList(list: ResourceList): PrintedValue {
  const entries = Object.entries(list).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return new PrintedValue("core.ResourceList(nil)", null);
  const printed = entries.map(([name, amount]) => ({
    name: JSON.stringify(name),
    amount: printQuantity(amount),
  }));
  return new PrintedValue(
    () => `core.ResourceList{${printed.map(({ name, amount }) => `${name}:${amount.text}`).join(", ")}}`,
    () => `{${printed.map(({ name, amount }) => `${name}:${amount.json}`).join(",")}}`,
  );
}

export function printTaint({ key, value = "", effect, timeAdded }: Taint): PrintedValue {
  // Times have a format of their own; an absent time prints as nothing.
  const time = timeAdded === undefined ? new PrintedValue("<nil>", null) : printPointedTime(timeAdded);
  return printStruct("core.Taint", { Key: key, Value: value, Effect: effect, TimeAdded: time });
}

export function printToleration(toleration: Toleration): PrintedValue {
  const { key = "", operator = "", value = "", effect = "", tolerationSeconds } = toleration;
  return printStruct("core.Toleration", {
    Key: key,
    Operator: operator,
    Value: value,
    Effect: effect,
    TolerationSeconds: printPointer("int64", tolerationSeconds),
  });
}

export function printSeccompProfile({ type, localhostProfile }: SeccompProfile): PrintedValue {
  return printStruct("core.SeccompProfile", {
    Type: type,
    LocalhostProfile: printPointer("string", localhostProfile),
  });
}

export function printSecurityContext(context: SecurityContext, level: ApiLevel): PrintedValue {
  const { capabilities, seLinuxOptions, windowsOptions, seccompProfile, appArmorProfile } = context;
  return printStruct("core.SecurityContext", {
    Capabilities: printPointer("core.Capabilities", capabilities && printCapabilities(capabilities)),
    Privileged: printPointer("bool", context.privileged),
    SELinuxOptions: printPointer("core.SELinuxOptions", seLinuxOptions && printSeLinux(seLinuxOptions)),
    WindowsOptions: printPointer(
      "core.WindowsSecurityContextOptions",
      windowsOptions && printWindowsOptions(windowsOptions),
    ),
    RunAsUser: printPointer("int64", context.runAsUser),
    RunAsGroup: printPointer("int64", context.runAsGroup),
    RunAsNonRoot: printPointer("bool", context.runAsNonRoot),
    ReadOnlyRootFilesystem: printPointer("bool", context.readOnlyRootFilesystem),
    AllowPrivilegeEscalation: printPointer("bool", context.allowPrivilegeEscalation),
    ProcMount: printPointer("core.ProcMountType", context.procMount),
    SeccompProfile: printPointer(
      "core.SeccompProfile",
      seccompProfile && printSeccompProfile(seccompProfile),
    ),
    ...(isAtLeast(level, "1.30") && {
      AppArmorProfile: printPointer(
        "core.AppArmorProfile",
        appArmorProfile && printAppArmorProfile(appArmorProfile),
      ),
    }),
  });
}

function printCapabilities({ add, drop }: Capabilities): PrintedValue {
  return printStruct("core.Capabilities", {
    Add: printList("core.Capability", add),
    Drop: printList("core.Capability", drop),
  });
}

function printSeLinux({ user = "", role = "", type = "", level = "" }: SELinuxOptions): PrintedValue {
  return printStruct("core.SELinuxOptions", { User: user, Role: role, Type: type, Level: level });
}

function printWindowsOptions(options: WindowsSecurityContextOptions): PrintedValue {
  return printStruct("core.WindowsSecurityContextOptions", {
    GMSACredentialSpecName: printPointer("string", options.gmsaCredentialSpecName),
    GMSACredentialSpec: printPointer("string", options.gmsaCredentialSpec),
    RunAsUserName: printPointer("string", options.runAsUserName),
    HostProcess: printPointer("bool", options.hostProcess),
  });
}

function printAppArmorProfile({ type, localhostProfile }: AppArmorProfile): PrintedValue {
  return printStruct("core.AppArmorProfile", {
    Type: type,
    LocalhostProfile: printPointer("string", localhostProfile),
  });
}

export function printLifecycle({ postStart, preStop }: Lifecycle): PrintedValue {
  return printStruct("core.Lifecycle", {
    PostStart: printPointer("core.LifecycleHandler", postStart),
    PreStop: printPointer("core.LifecycleHandler", preStop),
  });
}

export type ClaimSource = Pick<PodResourceClaim, "resourceClaimName" | "resourceClaimTemplateName">;

export function printResourceClaim(claim: PodResourceClaim): PrintedValue {
  return printStruct("core.PodResourceClaim", { Name: claim.name, ...printedSource(claim) });
}

export function printClaimSource(source: ClaimSource): PrintedValue {
  return printStruct("core.ClaimSource", printedSource(source));
}

function printedSource({ resourceClaimName, resourceClaimTemplateName }: ClaimSource) {
  return {
    ResourceClaimName: printPointer("string", resourceClaimName),
    ResourceClaimTemplateName: printPointer("string", resourceClaimTemplateName),
  };
}

export function printProbe(probe: Probe): PrintedValue {
  return printStruct("core.Probe", {
    ProbeHandler: printStruct("core.ProbeHandler", {
      Exec: printPointer("core.ExecAction", probe.exec),
      HTTPGet: printPointer("core.HTTPGetAction", probe.httpGet),
      TCPSocket: printPointer("core.TCPSocketAction", probe.tcpSocket),
      GRPC: printPointer("core.GRPCAction", probe.grpc),
    }),
    InitialDelaySeconds: probe.initialDelaySeconds ?? 0,
    TimeoutSeconds: probe.timeoutSeconds ?? 0,
    PeriodSeconds: probe.periodSeconds ?? 0,
    SuccessThreshold: probe.successThreshold ?? 0,
    FailureThreshold: probe.failureThreshold ?? 0,
    TerminationGracePeriodSeconds: printPointer("int64", probe.terminationGracePeriodSeconds),
  });
}

export function printResizePolicies(policies: readonly ContainerResizePolicy[]): PrintedValue {
  const type = "core.ContainerResizePolicy";
  const printed = policies.map(({ resourceName, restartPolicy }) =>
    printStruct(type, { ResourceName: resourceName, RestartPolicy: restartPolicy }),
  );
  return printList(type, printed);
}

export function printNodeSelectorTerms(terms: readonly NodeSelectorTerm[] | undefined): PrintedValue {
  return printList("core.NodeSelectorTerm", terms?.map(printNodeSelectorTerm));
}

export function printNodeSelectorTerm({ matchExpressions, matchFields }: NodeSelectorTerm): PrintedValue {
  return printStruct("core.NodeSelectorTerm", {
    MatchExpressions: printRequirements(matchExpressions),
    MatchFields: printRequirements(matchFields),
  });
}

function printRequirements(requirements: readonly NodeSelectorRequirement[] | undefined): PrintedValue {
  const type = "core.NodeSelectorRequirement";
  const printed = requirements?.map(({ key, operator, values }) =>
    printStruct(type, { Key: key, Operator: operator, Values: printList("string", values) }),
  );
  return printList(type, printed);
}
