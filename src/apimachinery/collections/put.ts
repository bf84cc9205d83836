/** Sets a member whatever its name: plain assignment to `__proto__` would set the prototype. */
export function put<V>(object: { [name: string]: V }, name: string, value: V): void {
  if (name === "__proto__") {
    Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    object[name] = value;
  }
}
