/**
 * Kernel parameters that pods may set without affecting their node. Source: Kubernetes documentation, "Using sysctls in a Kubernetes
 * Cluster".
 */
export const safeSysctls: readonly string[] = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.ip_unprivileged_port_start",
  "net.ipv4.ping_group_range",
  "net.ipv4.tcp_syncookies",
];
