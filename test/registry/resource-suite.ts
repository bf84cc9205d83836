import { beforeAll, expect, test } from "vitest";
import { StatusError } from "../../src/apimachinery/errors/status.js";
import { type ApiLevel, isAtLeast } from "../../src/apimachinery/levels/api-level.js";
import type { AdmissionCall } from "./admission-recorder.js";
import type { ApiCaller, Json, SeenEvent } from "./api-caller.js";
import type { ApiGround } from "./api-ground.js";

/** A resource under test, with what Kubernetes documents of it. */
export interface ResourceSubject {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural. */
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Served as well. */
  readonly otherVersions?: readonly string[];
  /** A valid object as a client sends it, in `version` and with a name, another one for each `number`. */
  readonly make: (number: number, namespace: string) => Json;
  /** The name follows from the object's other fields. */
  readonly hasOwnNames?: boolean;
  /** False for a kind that makes up names by itself. */
  readonly needsName?: boolean;
  /** False for a kind whose objects are deleted one by one. */
  readonly deletesCollections?: boolean;
  /** An update need not say which version it replaces. */
  readonly updatesAnyVersion: boolean;
  /** Of the server, in whose words errors are; default 1.23. */
  readonly level?: ApiLevel | undefined;
  /** Whether an update creates a missing object. */
  readonly createsByUpdate: boolean;
  /** Custom resources have no strategic merge. */
  readonly mergesStrategically: boolean;
  /** Releases an object that is being deleted and is held by more than the finalizers of its metadata. */
  readonly release?: ((api: ApiCaller, path: string) => Promise<void>) | undefined;
}

/** Some kinds leave their dependents behind unless told otherwise, which takes a collector. */
const atOnce = "gracePeriodSeconds=0&propagationPolicy=Background";
const jsonPatch = "application/json-patch+json";
const mergePatch = "application/merge-patch+json";
const strategicMergePatch = "application/strategic-merge-patch+json";

/**
 * What holds for every resource of the API. To be called in a `describe` of the resource. Sources: Kubernetes' API Concepts, API conventions,
 * Server-Side Apply, Finalizers.
 */
export function resourceSuite(ground: () => ApiGround, subject: ResourceSubject): void {
  const { group, version, resource, kind, namespaced } = subject;
  const namespace = namespaced ? `of-${resource}${group === "" ? "" : `-${group.split(".")[0]}`}` : "";
  const root = (of: string): string => (group === "" ? `/api/${of}` : `/apis/${group}/${of}`);
  const collectionIn = (of: string): string =>
    `${root(of)}${namespaced ? `/namespaces/${namespace}` : ""}/${resource}`;
  const collection = collectionIn(version);
  const qualified = group === "" ? resource : `${resource}.${group}`;
  const deletesCollections = subject.deletesCollections !== false;
  const noVersion = isAtLeast(subject.level ?? "1.23", "1.34") ? "0" : "0x0";
  let last = 0;
  let api: ApiCaller;

  /** An object that is not stored yet; `set` is a label's value, by which a test finds what it made. */
  function draft(set = "none"): Json {
    const object = subject.make(++last, namespace);
    object.metadata.labels = { ...object.metadata.labels, set };
    return object;
  }
  function pathOf(object: Json, of = version): string {
    return `${collectionIn(of)}/${object.metadata.name}`;
  }
  async function created(object: Json = draft()): Promise<Json> {
    const answer = await api.post(collection, object);
    expect(answer.code, JSON.stringify(answer.body)).toBe(201);
    return answer.body;
  }
  async function read(object: Json): Promise<Json> {
    const answer = await api.get(pathOf(object));
    expect(answer.code, JSON.stringify(answer.body)).toBe(200);
    return answer.body;
  }
  async function isGone(object: Json): Promise<boolean> {
    return (await api.get(pathOf(object))).code === 404;
  }
  /** Deletes without grace and, where the kind holds its objects, releases. */
  async function removed(object: Json): Promise<void> {
    const answer = await api.delete(`${pathOf(object)}?${atOnce}`);
    expect(answer.code, JSON.stringify(answer.body)).toBe(200);
    await subject.release?.(api, pathOf(object));
    expect(await isGone(object)).toBe(true);
  }
  function labelled(object: Json, labels: Json): Json {
    const { metadata } = object;
    return { ...object, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } };
  }
  async function namesIn(set: string): Promise<string[]> {
    const { body } = await api.get(`${collection}?labelSelector=set%3D${set}`);
    return body.items.map((item: Json) => item.metadata.name);
  }

  beforeAll(async () => {
    ({ api } = ground());
    if (!namespaced) return;
    const { code } = await api.post("/api/v1/namespaces", { metadata: { name: namespace } });
    expect(code).toBe(201);
  });

  test("create stores an object, and answers with it", async () => {
    const object = draft();
    const { body } = await api.post(collection, object);
    expect(body).toMatchObject({
      kind,
      apiVersion: group === "" ? version : `${group}/${version}`,
      metadata: {
        name: object.metadata.name,
        uid: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f-]{27}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        creationTimestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        labels: object.metadata.labels,
        managedFields: [{ manager: "caller", operation: "Update", fieldsType: "FieldsV1" }],
        ...(namespaced && { namespace }),
      },
    });
    expect(await read(object)).toEqual(body);
  });

  test("create refuses a name that is taken", async () => {
    const sent = draft();
    const object = await created(sent);
    const { name } = object.metadata;
    const { code, body } = await api.post(collection, sent);
    expect([code, body.reason, body.message]).toEqual([
      409,
      "AlreadyExists",
      `${qualified} "${name}" already exists`,
    ]);
    expect(body.details).toEqual({ name, ...(group !== "" && { group }), kind: resource });
    expect(await read(object)).toEqual(object);
  });

  test.skipIf(subject.hasOwnNames)("create makes up a name below generateName", async () => {
    const { metadata, ...rest } = draft();
    const { name: _name, ...unnamed } = metadata;
    const body = await created({ ...rest, metadata: { ...unnamed, generateName: "made-up-" } });
    expect(body.metadata.name).toMatch(/^made-up-[a-z0-9]{5}$/);
    expect(body.metadata.generateName).toBe("made-up-");
  });

  test("create refuses what identifies another object", async () => {
    const object = draft();
    const withMeta = (changes: Json): Json => ({ ...object, metadata: { ...object.metadata, ...changes } });
    if (subject.needsName !== false) {
      const unnamed = await api.post(collection, withMeta({ name: undefined }));
      expect([unnamed.code, causes(unnamed.body)]).toEqual([
        422,
        expect.arrayContaining(["metadata.name: Required value: name or generateName is required"]),
      ]);
    }
    const versioned = await api.post(collection, withMeta({ resourceVersion: "5" }));
    expect([versioned.code, versioned.body.message]).toEqual([
      400,
      "resourceVersion should not be set on objects to be created",
    ]);
    // It is storage that refuses a version, which a dry run does not reach, and no version is called zero.
    expect((await api.post(`${collection}?dryRun=All`, withMeta({ resourceVersion: "5" }))).code).toBe(201);
    if (namespaced) {
      const elsewhere = await api.post(collection, withMeta({ namespace: "elsewhere" }));
      expect([elsewhere.code, elsewhere.body.message]).toEqual([
        400,
        "the namespace of the provided object does not match the namespace sent on the request",
      ]);
    }
    const mislabelled = await api.post(collection, labelled(object, { "a b": "c" }));
    expect([mislabelled.code, causes(mislabelled.body)[0]]).toEqual([
      422,
      expect.stringContaining('metadata.labels: Invalid value: "a b"'),
    ]);
    expect(await isGone(object)).toBe(true);
    expect((await api.post(collection, withMeta({ resourceVersion: "0" }))).code).toBe(201);
  });

  test("get of what is not there names it", async () => {
    const { metadata } = draft();
    const { code, body } = await api.get(`${collection}/${metadata.name}`);
    expect([code, body.reason, body.message]).toEqual([
      404,
      "NotFound",
      `${qualified} "${metadata.name}" not found`,
    ]);
  });

  test("list selects, in the order of names, and in parts", async () => {
    const made = [await created(draft("list")), await created(draft("list")), await created(draft("list"))];
    await created(draft("other"));
    const names = made.map(({ metadata }) => metadata.name).sort();
    const { body } = await api.get(`${collection}?labelSelector=set%3Dlist`);
    expect([body.kind, body.items.map(({ metadata }: Json) => metadata.name)]).toEqual([
      `${kind}List`,
      names,
    ]);
    expect(Number(body.metadata.resourceVersion)).toBeGreaterThanOrEqual(
      Math.max(...made.map(({ metadata }) => Number(metadata.resourceVersion))),
    );
    const [first] = made;
    const byName = await api.get(`${collection}?fieldSelector=metadata.name%3D${first.metadata.name}`);
    expect(byName.body.items).toEqual([first]);
    const part = await api.get(`${collection}?labelSelector=set%3Dlist&limit=2`);
    const { continue: token, resourceVersion } = part.body.metadata;
    await created(draft("list"));
    const rest = await api.get(
      `${collection}?labelSelector=set%3Dlist&limit=2&continue=${encodeURIComponent(token)}`,
    );
    expect([...part.body.items, ...rest.body.items].map(({ metadata }: Json) => metadata.name)).toEqual(
      names,
    );
    expect(rest.body.metadata).toEqual({ resourceVersion });
  });

  test("watch tells of each write, in order, at its version", async () => {
    const { body: list } = await api.get(`${collection}?labelSelector=set%3Dwatch`);
    const from = `resourceVersion=${list.metadata.resourceVersion}`;
    const watch = await api.watch(`${collection}?labelSelector=set%3Dwatch&${from}`);
    const object = await created(draft("watch"));
    const changed = await api.mergePatch(pathOf(object), { metadata: { annotations: { a: "b" } } });
    const unselected = await api.mergePatch(pathOf(object), { metadata: { labels: { set: "none" } } });
    const back = await api.mergePatch(pathOf(object), { metadata: { labels: { set: "watch" } } });
    const [added, modified, gone, returned] = await watch.first(4);
    expect(added).toMatchObject({ type: "ADDED", object });
    expect(modified).toMatchObject({ type: "MODIFIED", object: changed.body });
    expect(gone).toMatchObject({ type: "DELETED", object: { metadata: { labels: { set: "watch" } } } });
    expect(gone?.revision).toBe(Number(unselected.body.metadata.resourceVersion));
    expect(returned).toMatchObject({ type: "ADDED", object: back.body });
    await removed(object);
    const deleted = (await watch.until((events) => events.length > 4 && isOver(events))).at(-1);
    expect(deleted).toMatchObject({ type: "DELETED", object: { metadata: { uid: object.metadata.uid } } });
    expect(deleted?.object.metadata.resourceVersion).toBe(String(deleted?.revision));
    watch.stop();

    const replay = await api.watch(`${collection}?labelSelector=set%3Dwatch&${from}`);
    expect(await replay.first(watch.events.length)).toEqual(watch.events);
    replay.stop();
  });

  test("update replaces the object at its version", async () => {
    const object = await created();
    const updated = await api.put(pathOf(object), labelled(object, { changed: "yes" }));
    expect(updated.code, JSON.stringify(updated.body)).toBe(200);
    const { uid, creationTimestamp, resourceVersion } = updated.body.metadata;
    expect([uid, creationTimestamp]).toEqual([object.metadata.uid, object.metadata.creationTimestamp]);
    expect(Number(resourceVersion)).toBeGreaterThan(Number(object.metadata.resourceVersion));
    expect(updated.body.metadata.labels).toEqual({ ...object.metadata.labels, changed: "yes" });
    expect(await read(object)).toEqual(updated.body);

    const unchanged = await api.put(pathOf(object), updated.body);
    expect([unchanged.code, unchanged.body.metadata.resourceVersion]).toEqual([200, resourceVersion]);
    const stale = await api.put(pathOf(object), labelled(object, { changed: "no" }));
    expect([stale.code, stale.body.reason, stale.body.message]).toEqual([
      409,
      "Conflict",
      `Operation cannot be fulfilled on ${qualified} "${object.metadata.name}": the object has been modified; please apply your changes to the latest version and try again`,
    ]);
    expect(await read(object)).toEqual(updated.body);
  });

  test("update without a version is unconditional, or refused", async () => {
    const object = await created();
    const { resourceVersion: _version, ...metadata } = object.metadata;
    const { code, body } = await api.put(
      pathOf(object),
      labelled({ ...object, metadata }, { changed: "yes" }),
    );
    if (subject.updatesAnyVersion) {
      expect([code, body.metadata?.labels?.changed], JSON.stringify(body)).toEqual([200, "yes"]);
    } else {
      expect([code, causes(body)]).toEqual([
        422,
        [`metadata.resourceVersion: Invalid value: ${noVersion}: must be specified for an update`],
      ]);
    }
  });

  test("update is of the object in the path", async () => {
    const object = await created();
    const { metadata } = object;
    const renamed = { ...object, metadata: { ...metadata, name: "another" } };
    const wrong = await api.put(pathOf(object), renamed);
    expect([wrong.code, wrong.body.message]).toEqual([
      400,
      `the name of the object (another) does not match the name on the URL (${metadata.name})`,
    ]);
    const uid = "00000000-0000-4000-8000-000000000000";
    const reborn = await api.put(pathOf(object), { ...object, metadata: { ...metadata, uid } });
    expect([reborn.code, reborn.body.reason]).toEqual([409, "Conflict"]);
    expect(reborn.body.message).toContain(
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid}`,
    );
    const malformed = await api.put(pathOf(object), {
      ...object,
      metadata: { ...metadata, resourceVersion: "x" },
    });
    expect([malformed.code, malformed.body.message]).toEqual([
      400,
      'metadata.resourceVersion: strconv.ParseUint: parsing "x": invalid syntax',
    ]);
    const missing = draft();
    const { code } = await api.put(pathOf(missing), missing);
    expect(code).toBe(subject.createsByUpdate ? 201 : 404);
    expect(await isGone(missing)).toBe(!subject.createsByUpdate);
  });

  test("a writer that was overtaken tries again on the newest object", async () => {
    const object = await created();
    let isOvertaken = false;
    const calls = await ground().admission.during(
      async () => {
        const slow = await api.mergePatch(pathOf(object), { metadata: { annotations: { slow: "1" } } });
        expect(slow.code, JSON.stringify(slow.body)).toBe(200);
      },
      async ({ phase }) => {
        if (phase !== "validate" || isOvertaken) return;
        isOvertaken = true;
        await api.mergePatch(pathOf(object), { metadata: { annotations: { fast: "2" } } });
      },
    );
    expect((await read(object)).metadata.annotations).toMatchObject({ slow: "1", fast: "2" });
    const phases = calls.map(({ phase }) => phase);
    expect(phases).toEqual(["mutate", "validate", "mutate", "validate", "mutate", "validate"]);
    expect(calls.at(-1)?.attributes.oldObject?.metadata.annotations).toMatchObject({ fast: "2" });
  });

  const patches: readonly [string, string, Json, Json, Json][] = [
    [
      "a JSON patch",
      jsonPatch,
      [{ op: "add", path: "/metadata/annotations", value: { a: "1", b: "2" } }],
      [
        { op: "test", path: "/metadata/annotations/a", value: "1" },
        { op: "remove", path: "/metadata/annotations/a" },
        { op: "replace", path: "/metadata/annotations/b", value: "3" },
      ],
      [{ op: "test", path: "/metadata/annotations/b", value: "3" }],
    ],
    ...[mergePatch, ...(subject.mergesStrategically ? [strategicMergePatch] : [])].map(
      (type): [string, string, Json, Json, Json] => [
        type === mergePatch ? "a merge patch" : "a strategic merge patch",
        type,
        { metadata: { annotations: { a: "1", b: "2" } } },
        { metadata: { annotations: { a: null, b: "3" } } },
        { metadata: { annotations: { b: "3" } } },
      ],
    ),
  ];
  test.each(patches)("%s changes what it names", async (_what, contentType, add, change, nothing) => {
    const object = await created();
    const patch = (body: Json, at = pathOf(object)) => api.ask("PATCH", at, { body, contentType });
    const first = await patch(add);
    expect(first.code, JSON.stringify(first.body)).toBe(200);
    expect(first.body.metadata.annotations).toMatchObject({ a: "1", b: "2" });
    const second = await patch(change);
    expect(second.body.metadata.annotations.a).toBeUndefined();
    expect(second.body.metadata.annotations.b).toBe("3");
    expect(await read(object)).toEqual(second.body);
    expect((await patch(nothing)).body).toEqual(second.body);
    expect((await patch(add, pathOf(draft()))).code).toBe(404);
  });

  test("a patch that names a version needs that one", async () => {
    const object = await created();
    const { resourceVersion } = object.metadata;
    const patch = { metadata: { resourceVersion, annotations: { a: "1" } } };
    expect((await api.mergePatch(pathOf(object), patch)).code).toBe(200);
    const late = { metadata: { resourceVersion, annotations: { a: "2" } } };
    const { code, body } = await api.mergePatch(pathOf(object), late);
    expect([code, body.reason]).toEqual([409, "Conflict"]);
    expect((await read(object)).metadata.annotations.a).toBe("1");
  });

  test("patches that cannot be are refused", async () => {
    const object = await created();
    const ask = (body: Json, contentType: string) => api.ask("PATCH", pathOf(object), { body, contentType });
    const failed = await ask([{ op: "test", path: "/metadata/name", value: "x" }], jsonPatch);
    expect([failed.code, failed.body.reason]).toEqual([422, "Invalid"]);
    expect((await ask({}, "text/plain")).code).toBe(415);
    const strategic = await ask({ metadata: { labels: { a: "b" } } }, strategicMergePatch);
    expect(strategic.code).toBe(subject.mergesStrategically ? 200 : 415);
    const renamed = await ask({ metadata: { name: "another" } }, mergePatch);
    expect(renamed.code).toBe(400);
    expect((await read(object)).metadata.name).toBe(object.metadata.name);
  });

  test("apply creates, changes nothing twice, and takes back what its manager leaves out", async () => {
    const object = draft();
    const typed = {
      ...labelled(object, { applied: "yes" }),
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind,
    };
    const path = `${pathOf(object)}?fieldManager=first`;
    const first = await api.apply(path, typed);
    expect(first.code, JSON.stringify(first.body)).toBe(201);
    expect(first.body.metadata.managedFields).toMatchObject([{ manager: "first", operation: "Apply" }]);
    const again = await api.apply(path, typed);
    expect([again.code, again.body]).toEqual([200, first.body]);

    const { apiVersion } = typed;
    const mine = { apiVersion, kind, metadata: { name: object.metadata.name, labels: { applied: "no" } } };
    const second = `${pathOf(object)}?fieldManager=second`;
    const conflict = await api.apply(second, mine);
    expect([conflict.code, conflict.body.reason]).toEqual([409, "Conflict"]);
    expect(conflict.body.details.causes).toEqual([
      {
        reason: "FieldManagerConflict",
        message: expect.stringContaining('conflict with "first"'),
        field: ".metadata.labels.applied",
      },
    ]);
    const forced = await api.apply(`${second}&force=true`, mine);
    expect(forced.code, JSON.stringify(forced.body)).toBe(200);
    expect(forced.body.metadata.labels).toEqual({ ...first.body.metadata.labels, applied: "no" });
    const none = { ...mine, metadata: { name: object.metadata.name } };
    const left = await api.apply(second, none);
    const { applied: _applied, ...others } = first.body.metadata.labels;
    expect([left.code, left.body.metadata.labels]).toEqual([200, others]);
  });

  test("a dry run answers as the write would, and leaves nothing", async () => {
    const watchFrom = (await api.get(collection)).body.metadata.resourceVersion;
    const unborn = draft("dry");
    const creation = await api.post(`${collection}?dryRun=All`, unborn);
    expect([creation.code, creation.body.metadata.name]).toEqual([201, unborn.metadata.name]);
    expect(creation.body.metadata.uid).toMatch(/-/);
    expect(await isGone(unborn)).toBe(true);

    const sent = draft("dry");
    const object = await created(sent);
    const dry = `${pathOf(object)}?dryRun=All`;
    const update = await api.put(dry, labelled(object, { changed: "yes" }));
    expect([update.code, update.body.metadata.labels.changed]).toEqual([200, "yes"]);
    const patch = await api.mergePatch(dry, { metadata: { labels: { changed: "yes" } } });
    expect([patch.code, patch.body.metadata.labels.changed]).toEqual([200, "yes"]);
    expect((await api.post(`${collection}?dryRun=All`, sent)).code).toBe(409);
    expect((await api.delete(`${dry}&${atOnce}`)).code).toBe(200);
    const all = `${collection}?labelSelector=set%3Ddry&dryRun=All&${atOnce}`;
    expect((await api.delete(all)).code).toBe(deletesCollections ? 200 : 405);
    expect(await read(object)).toEqual(object);

    const watch = await api.watch(`${collection}?resourceVersion=${watchFrom}`);
    const marker = await created(draft("dry"));
    const events = await watch.first(2);
    expect(events.map(({ object: seen }) => seen.metadata.name)).toEqual([
      object.metadata.name,
      marker.metadata.name,
    ]);
    watch.stop();
  });

  test("a deletion keeps to its preconditions", async () => {
    const object = await created();
    const { uid, resourceVersion } = object.metadata;
    const options = (preconditions: Json): Json => ({
      gracePeriodSeconds: 0,
      propagationPolicy: "Background",
      preconditions,
    });
    for (const preconditions of [
      { uid: "another" },
      { resourceVersion: "1" },
      { uid, resourceVersion: "1" },
    ]) {
      const { code, body } = await api.delete(pathOf(object), options(preconditions));
      expect([code, body.reason], JSON.stringify(preconditions)).toEqual([409, "Conflict"]);
    }
    expect(await read(object)).toEqual(object);
    const { code } = await api.delete(pathOf(object), options({ uid, resourceVersion }));
    expect(code).toBe(200);
    await subject.release?.(api, pathOf(object));
    expect(await isGone(object)).toBe(true);
    expect((await api.delete(pathOf(object))).code).toBe(404);
  });

  test("finalizers hold an object until they are gone", async () => {
    const finalizers = ["example.org/first", "example.org/second"];
    const { metadata, ...rest } = draft("held");
    const object = await created({ ...rest, metadata: { ...metadata, finalizers } });
    const watch = await api.watch(
      `${collection}?labelSelector=set%3Dheld&resourceVersion=${object.metadata.resourceVersion}`,
    );
    const marked = await api.delete(`${pathOf(object)}?${atOnce}`);
    expect([marked.code, marked.body.metadata.finalizers]).toEqual([200, expect.arrayContaining(finalizers)]);
    expect(marked.body.metadata).toMatchObject({ deletionTimestamp: expect.any(String) });
    const { deletionTimestamp } = (await read(object)).metadata;
    expect((await api.delete(`${pathOf(object)}?${atOnce}`)).code).toBe(200);
    expect((await read(object)).metadata.deletionTimestamp).toBe(deletionTimestamp);

    const patched = (wanted: readonly string[]) =>
      api.mergePatch(pathOf(object), { metadata: { finalizers: wanted } });
    const third = await patched([...finalizers, "example.org/third"]);
    // Most kinds look at metadata again.
    expect([third.code, [...new Set(causes(third.body))]]).toEqual([
      422,
      [
        expect.stringContaining(
          "metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted",
        ),
      ],
    ]);
    expect((await patched(["example.org/second"])).code).toBe(200);
    expect(await isGone(object)).toBe(false);
    const successor = await api.post(collection, { ...rest, metadata });
    expect([successor.code, successor.body.message]).toEqual([
      409,
      `object is being deleted: ${qualified} "${metadata.name}" already exists`,
    ]);
    const last = await patched([]);
    expect(last.code, JSON.stringify(last.body)).toBe(200);
    await subject.release?.(api, pathOf(object));
    expect(await isGone(object)).toBe(true);
    const [first] = await watch.until(isOver);
    expect(first).toMatchObject({ type: "MODIFIED", object: { metadata: { deletionTimestamp } } });
    watch.stop();
  });

  test.runIf(deletesCollections)("deletecollection removes what it selects", async () => {
    const made = [await created(draft("bulk")), await created(draft("bulk")), await created(draft("bulk"))];
    const { metadata, ...rest } = draft("bulk");
    const held = await created({ ...rest, metadata: { ...metadata, finalizers: ["example.org/hold"] } });
    const other = await created(draft("spared"));
    const { code, body } = await api.delete(`${collection}?labelSelector=set%3Dbulk&${atOnce}`);
    expect([code, body.kind], JSON.stringify(body)).toEqual([200, `${kind}List`]);
    expect(body.items).toHaveLength(4);
    for (const object of made) await subject.release?.(api, pathOf(object));
    expect(await namesIn("bulk")).toEqual([held.metadata.name]);
    expect((await read(held)).metadata.deletionTimestamp).toBeDefined();
    expect(await namesIn("spared")).toEqual([other.metadata.name]);
  });

  test("admission mutates what was sent, then validates what is stored", async () => {
    const { admission } = ground();
    const object = draft("admitted");
    const add: (call: AdmissionCall) => void = ({ phase, attributes }) => {
      if (phase !== "mutate" || attributes.object === undefined) return;
      attributes.object.metadata.annotations = { ...attributes.object.metadata.annotations, mutated: "yes" };
    };
    const creation = await admission.during(async () => {
      expect((await api.post(collection, object)).body.metadata.annotations.mutated).toBe("yes");
    }, add);
    expect(creation.map(({ phase, attributes }) => [phase, attributes.operation, attributes.name])).toEqual([
      ["mutate", "CREATE", object.metadata.name],
      ["validate", "CREATE", object.metadata.name],
    ]);
    const [before, after] = creation;
    expect(before?.object?.metadata.annotations?.mutated).toBeUndefined();
    expect(after?.object?.metadata).toMatchObject({
      uid: expect.any(String),
      annotations: { mutated: "yes" },
    });
    expect(after?.attributes).toMatchObject({
      oldObject: undefined,
      dryRun: false,
      resource: { group, version, resource },
      kind: { group, version, kind },
      namespace: resource === "namespaces" ? object.metadata.name : namespace,
    });

    const update = await admission.during(() =>
      api.mergePatch(`${pathOf(object)}?dryRun=All`, { metadata: { labels: { a: "b" } } }),
    );
    expect(update.map(({ phase, attributes }) => [phase, attributes.operation, attributes.dryRun])).toEqual([
      ["mutate", "UPDATE", true],
      ["validate", "UPDATE", true],
    ]);
    expect(update[1]?.attributes.oldObject?.metadata.labels).toMatchObject(object.metadata.labels);
    expect(update[1]?.object?.metadata.labels).toMatchObject({ a: "b" });

    const deletion = await admission.during(() =>
      api.delete(
        deletesCollections
          ? `${collection}?labelSelector=set%3Dadmitted&${atOnce}`
          : `${pathOf(object)}?${atOnce}`,
      ),
    );
    for (const { attributes } of deletion) {
      expect(attributes).toMatchObject({ operation: "DELETE", object: undefined });
      expect(attributes.name).toBe(deletesCollections ? "" : object.metadata.name);
      expect(attributes.oldObject?.metadata.name).toBe(object.metadata.name);
    }
    expect(deletion.slice(0, 2).map(({ phase }) => phase)).toEqual(["mutate", "validate"]);
  });

  test("what admission or validation refuses is not stored", async () => {
    const { admission } = ground();
    const refusal = new StatusError({ reason: "Forbidden", message: "not today", code: 403 });
    const object = draft();
    for (const refusing of ["mutate", "validate"]) {
      await admission.during(
        async () => {
          const { code, body } = await api.post(collection, object);
          expect([code, body.message]).toEqual([403, "not today"]);
        },
        ({ phase }) => {
          if (phase === refusing) throw refusal;
        },
      );
      expect(await isGone(object)).toBe(true);
    }
    const invalid = await admission.during(() => api.post(collection, labelled(object, { "a b": "c" })));
    expect(invalid.map(({ phase }) => phase)).toEqual(["mutate"]);

    const stored = await created(object);
    await admission.during(
      async () => {
        expect((await api.put(pathOf(stored), labelled(stored, { a: "b" }))).code).toBe(403);
        expect((await api.mergePatch(pathOf(stored), { metadata: { labels: { a: "b" } } })).code).toBe(403);
        expect((await api.delete(`${pathOf(stored)}?${atOnce}`)).code).toBe(403);
      },
      ({ phase }) => {
        if (phase === "validate") throw refusal;
      },
    );
    expect(await read(stored)).toEqual(stored);
  });

  test("of writers at the same time, one creates, all patch, and one deletes", async () => {
    const object = draft();
    const writers = Array.from({ length: 6 }, (_, index) => `w${index}`);
    const creations = await Promise.all(writers.map(() => api.post(collection, object)));
    expect(creations.map(({ code }) => code).sort()).toEqual([201, 409, 409, 409, 409, 409]);
    const patched = await Promise.all(
      writers.map((writer) =>
        api.mergePatch(pathOf(object), { metadata: { annotations: { [writer]: "1" } } }),
      ),
    );
    expect(patched.map(({ code }) => code)).toEqual(writers.map(() => 200));
    const { annotations } = (await read(object)).metadata;
    expect(annotations).toMatchObject(Object.fromEntries(writers.map((writer) => [writer, "1"])));
    const versions = patched.map(({ body }) => body.metadata.resourceVersion);
    expect(new Set(versions).size).toBe(writers.length);
    const current = await read(object);
    const replaced = await Promise.all(
      writers.map((writer) => api.put(pathOf(object), labelled(current, { writer }))),
    );
    expect(replaced.map(({ code }) => code).sort()).toEqual([200, 409, 409, 409, 409, 409]);
    const deletions = await Promise.all(writers.map(() => api.delete(`${pathOf(object)}?${atOnce}`)));
    const codes = new Set(deletions.map(({ code }) => code));
    expect(codes.has(200)).toBe(true);
    for (const code of codes) expect([200, 404, 409]).toContain(code);
    await subject.release?.(api, pathOf(object));
    expect(await isGone(object)).toBe(true);
  });

  test.runIf((subject.otherVersions ?? []).length > 0)("an object is the same in each version", async () => {
    for (const other of subject.otherVersions ?? []) {
      const object = await created(draft("versions"));
      const { code, body } = await api.get(pathOf(object, other));
      expect([code, body.apiVersion, body.kind]).toEqual([200, `${group}/${other}`, kind]);
      const { managedFields: _mine, ...metadata } = object.metadata;
      expect(body.metadata).toMatchObject(metadata);
      const watch = await api.watch(
        `${collectionIn(other)}?labelSelector=set%3Dversions&resourceVersion=${metadata.resourceVersion}`,
      );
      const updated = await api.put(pathOf(object, other), labelled(body, { changed: "yes" }));
      expect(updated.code, JSON.stringify(updated.body)).toBe(200);
      expect((await read(object)).metadata.labels.changed).toBe("yes");
      expect((await watch.first(1))[0]).toMatchObject({
        type: "MODIFIED",
        object: { apiVersion: `${group}/${other}` },
      });
      watch.stop();
      const unchanged = await api.put(pathOf(object, other), updated.body);
      expect(unchanged.body.metadata.resourceVersion).toBe(updated.body.metadata.resourceVersion);
      await removed(object);
    }
  });
}

/** The last selected object is gone. */
function isOver(events: readonly SeenEvent[]): boolean {
  return events.at(-1)?.type === "DELETED";
}

/** `FIELD: MESSAGE` of each cause of a Status. */
function causes(status: Json): string[] {
  return (status.details?.causes ?? []).map((cause: Json) => `${cause.field}: ${cause.message}`);
}
