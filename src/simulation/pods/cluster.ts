import { BehaviourRules } from "../behaviour/behaviour-rules.js";
import { Activity } from "../machinery/activity.js";
import { EventRecorder } from "../machinery/event-recorder.js";
import { EventWriter } from "../machinery/event-writer.js";
import type { SimulationContext } from "../machinery/simulation-context.js";
import { SyncLoop, type SyncLoopOptions } from "../machinery/sync-loop.js";
import { Writer } from "../machinery/writer.js";
import { ClusterViews } from "./cluster-views.js";
import { nodeFactsOf } from "./node-view.js";
import { NodeViews } from "./node-views.js";

/** A controller of the simulation. `start` subscribes to views, which are then in sync. */
export interface SimulatedController {
  start(): void | Promise<void>;
  stop(): Promise<void>;
}

/** All views are created at the start, so that they are in sync when the first controller asks. */
const selecting = [
  "daemonsets.apps",
  "deployments.apps",
  "jobs.batch",
  "poddisruptionbudgets.policy",
  "replicasets.apps",
  "statefulsets.apps",
] as const;
const viewed = [
  "certificatesigningrequests.certificates",
  "controllerrevisions.apps",
  "cronjobs.batch",
  "endpoints",
  "endpointslices.discovery",
  "horizontalpodautoscalers.autoscaling",
  "namespaces",
  "persistentvolumeclaims",
  "persistentvolumes",
  "services",
  "storageclasses.storage",
] as const;

/** What all simulated components share. */
export class Cluster {
  readonly context: SimulationContext;
  readonly views: ClusterViews;
  readonly rules = new BehaviourRules();
  readonly nodes: NodeViews;
  readonly events: EventWriter;
  readonly activity = new Activity();

  constructor(context: SimulationContext) {
    this.context = context;
    this.views = new ClusterViews(context);
    this.nodes = new NodeViews(this.views.view("nodes", nodeFactsOf), this.rules);
    for (const resource of selecting) this.views.selecting(resource);
    for (const resource of viewed) this.views.of(resource);
    this.events = new EventWriter(context, this.activity);
  }

  /** Resolves when the views are in sync. */
  async start(): Promise<void> {
    await this.views.start();
    this.nodes.start();
  }

  async stop(): Promise<void> {
    await this.events.close();
    this.nodes.stop();
    await this.views.stop();
  }

  now(): number {
    return this.context.clock.now();
  }

  loop(options: SyncLoopOptions): SyncLoop {
    return new SyncLoop(this.context, this.activity, options);
  }

  /** The writer of a controller that has a service account in the system's namespace: `replicaset-controller`. */
  controllerWriter(name: string): Writer {
    return new Writer(this.context, `system:serviceaccount:${this.context.naming.systemNamespace}:${name}`);
  }

  writer(user: string): Writer {
    return new Writer(this.context, user);
  }

  recorder(component: string): EventRecorder {
    return new EventRecorder(this.context, this.events, component);
  }

  /** The domain of well-known labels, annotations and taints. */
  get domain(): string {
    return this.context.naming.domain;
  }
}
