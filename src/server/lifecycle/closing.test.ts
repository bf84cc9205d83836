import { describe, expect, test } from "vitest";
import { Closing } from "./closing.js";

describe("what a server has opened", () => {
  test("is closed in reverse order, once", async () => {
    const closing = new Closing();
    const closed: string[] = [];
    await closing.opened(Promise.resolve("store"), (name) => void closed.push(name));
    closing.add(() => void closed.push("controllers"));
    closing.add(async () => void closed.push("listener"));
    await closing.close();
    await closing.close();
    expect(closed).toEqual(["listener", "controllers", "store"]);
  });

  test("is closed when it opens later, and not when it fails to open", async () => {
    const closing = new Closing();
    const closed: string[] = [];
    let open: (name: string) => void = () => undefined;
    void closing.opened(new Promise<string>((resolve) => (open = resolve)), (name) => void closed.push(name));
    const failing = closing.opened(Promise.reject(new Error("in use")), () => void closed.push("never"));
    const end = closing.close();
    open("store");
    await end;
    expect(closed).toEqual(["store"]);
    await expect(failing).rejects.toThrow("in use");
  });

  test("is closed even if something else does not close", async () => {
    const closing = new Closing();
    const closed: string[] = [];
    closing.add(() => void closed.push("store"));
    closing.add(() => {
      throw new Error("listener");
    });
    await expect(closing.close()).rejects.toThrow("listener");
    expect(closed).toEqual(["store"]);

    closing.add(() => Promise.reject(new Error("store")));
    closing.add(() => Promise.reject(new Error("listener")));
    await expect(closing.close()).rejects.toMatchObject({
      errors: [new Error("listener"), new Error("store")],
    });
  });
});
