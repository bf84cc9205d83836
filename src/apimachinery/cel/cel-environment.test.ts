import { describe, expect, test } from "vitest";
import type { ApiLevel } from "../levels/api-level.js";
import { celEnvironment, type EnvironmentChoice } from "./cel-environment.js";
import { CelBudget } from "./cel-error.js";
import { toJson } from "./cel-json.js";
import { type CelType, scalarTypes } from "./cel-type.js";
import { fromJson } from "./cel-value.js";
import { compileCel } from "./compile-cel.js";

const object = { a: [3, 1, 2], m: { x: 1, y: 2 }, s: "text" };

function evaluate(text: string, choice: Partial<EnvironmentChoice> = {}): unknown {
  const environment = celEnvironment({ level: "1.35", isStored: false, purpose: "rules", ...choice });
  const program = compileCel(text, { self: scalarTypes.dyn }, environment);
  return program.evaluate({ self: fromJson(object, scalarTypes.dyn) }, new CelBudget(100_000));
}

describe("an expression may use what its level has", () => {
  test.each<readonly [string, EnvironmentChoice["level"]]>([
    ["self.a.isSorted() == false", "1.25"],
    ["1 < 2.5", "1.28"],
    ["quantity('1k').isGreaterThan(quantity('1'))", "1.28"],
    ["self.?nothing.orValue(1) == 1", "1.28"],
    ["'%d'.format([1]) == '1'", "1.29"],
    ["'%s %d'.format(['a', 1]) == 'a 1'", "1.29"],
    ["sets.contains([1, 2], [1])", "1.29"],
    ["isIP('::1')", "1.30"],
    ["!format.dns1123Label().validate('a').hasValue()", "1.31"],
    ["self.a.all(i, v, i >= 0 && v > 0)", "1.32"],
    ["semver('1.2.3').isLessThan(semver('1.10.0'))", "1.33"],
    ["self.a.sort() == [1, 2, 3]", "1.34"],
  ])("%s since %s", (text, since) => {
    expect(evaluate(text, { level: since, isStored: true })).toBe(true);
    const minor = Number(since.slice(2));
    const before = `1.${minor - 1}` as EnvironmentChoice["level"];
    if (minor > 25) expect(() => evaluate(text, { level: before, isStored: true })).toThrow();
    // A new expression must also work for a server of the level before.
    if (minor >= 28) expect(() => evaluate(text, { level: since })).toThrow();
    expect(evaluate(text, { level: "1.36" })).toBe(true);
  });

  test("rules of the first levels have the first libraries", () => {
    expect(evaluate("[1, 2].sum() == 3 && 'a1'.find('[0-9]') == '1'", { level: "1.23" })).toBe(true);
    expect(() => evaluate("isIP('::1')", { level: "1.23" })).toThrow("undeclared reference");
  });

  test("only admission expressions may ask the authorizer", () => {
    const text = "self.path('/x').check('get').allowed()";
    const compile =
      (purpose: EnvironmentChoice["purpose"], level: EnvironmentChoice["level"] = "1.36") =>
      () =>
        compileCel(
          text,
          { self: scalarTypes.authorizer },
          celEnvironment({ level, isStored: true, purpose }),
        );
    expect(compile("rules")).toThrow("undeclared reference");
    expect(compile("admission")).not.toThrow();
    expect(compile("admission", "1.27")).not.toThrow();
    expect(compile("admission", "1.26")).toThrow("undeclared reference");
  });

  test("the entries of a literal may be of a dynamic type among others below 1.29", () => {
    expect(evaluate("self.s in ['a', self.s]", { level: "1.28" })).toBe(true);
    const found = "expected type 'string' but found 'dyn'";
    expect(() => evaluate("self.s in ['a', self.s]", { level: "1.29" })).toThrow(found);
    expect(() => evaluate("self.s in ['a', self.s]", { level: "1.36", isStored: true })).toThrow(found);
    expect(() => evaluate("['a', 1] == []", { level: "1.28" })).toThrow(
      "expected type 'string' but found 'int'",
    );
  });

  test("patterns are tried by a function from 1.28, below only by a method", () => {
    expect(evaluate("matches('abc', '^a')", { level: "1.28" })).toBe(true);
    expect(() => evaluate("matches('abc', '^a')", { level: "1.27" })).toThrow(
      "found no matching overload for 'matches' applied to '(string, string)'",
    );
    expect(evaluate("'abc'.matches('^a')", { level: "1.25" })).toBe(true);
  });

  test("from 1.24 to 1.27 what cannot be evaluated is not found among literals", () => {
    for (const text of ["!(self.missing in ['a', 'b'])", "!(1 / self.m.zero in [1])"]) {
      expect(evaluate(text, { level: "1.27" })).toBe(true);
      for (const level of ["1.23", "1.28"] as const) {
        expect(() => evaluate(text, { level })).toThrow("no such key");
      }
    }
    expect(evaluate("self.s in ['a', 'text']", { level: "1.27" })).toBe(true);
    expect(() => evaluate("self.missing in [self.s]", { level: "1.27" })).toThrow("no such key");
  });

  test("below 1.29 null stands behind what it is compared with", () => {
    for (const text of ["null != timestamp(0)", "(true ? null : duration('1s')) == null"]) {
      expect(evaluate(text, { level: "1.29" })).toBe(true);
      expect(() => evaluate(text, { level: "1.28" })).toThrow("found no matching overload for");
    }
    expect(evaluate("timestamp(0) != null && null == null && dyn(null) == null", { level: "1.28" })).toBe(
      true,
    );
  });

  test("below 1.29 nothing is known of how long a list is that a macro makes", () => {
    const cost = (level: ApiLevel): number => {
      const environment = celEnvironment({ level, isStored: false, purpose: "rules" });
      return compileCel("[1, 2].map(x, x).all(x, x > 0)", {}, environment).cost;
    };
    expect(cost("1.29")).toBeLessThan(100);
    expect(cost("1.28")).toBeGreaterThan(1e9);
  });

  test("functions of optional elements come with the server of 1.33, even if older ones are left", () => {
    for (const text of [
      "self.a.first().value() == 3 && self.a.last() == optional.of(2)",
      "optional.unwrap([self.?s, optional.none()]) == ['text'] && [optional.of(1)].unwrapOpt() == [1]",
    ]) {
      expect(evaluate(text, { level: "1.33" })).toBe(true);
      expect(() => evaluate(text, { level: "1.32", isStored: true })).toThrow("undeclared reference");
    }
  });

  test("an index behind the end of a text is an error below 1.32", () => {
    for (const text of ["'abc'.indexOf('c', 3)", "'abc'.lastIndexOf('a', 7)", "''.indexOf('x')"]) {
      expect(evaluate(text, { level: "1.32" })).toBe(-1n);
      expect(() => evaluate(text, { level: "1.31", isStored: true })).toThrow("index out of range");
    }
    for (const level of ["1.23", "1.36"] as const) {
      expect(
        evaluate("'abc'.indexOf('', 5) + 'abcc'.indexOf('c', 3) + 'abc'.lastIndexOf('c', 2)", { level }),
      ).toBe(10n);
      expect(() => evaluate("'abc'.indexOf('a', -1)", { level })).toThrow("index out of range: -1");
    }
  });

  test("literal durations and times are checked where the level does", () => {
    expect(() => evaluate("duration('1 year') == duration('1h')", { level: "1.31" })).toThrow(
      "invalid duration argument",
    );
    expect(() => evaluate("timestamp('x') == timestamp('y')", { level: "1.28" })).toThrow(
      "type conversion error",
    );
  });
});

test.each([
  ["int('abc') == 7", "type conversion error from 'string' to 'int'"],
  ["false && uint(int('-1')) == 1u", "unsigned integer overflow"],
  ["duration('1 day') == self.d", "type conversion error from 'string' to 'google.protobuf.Duration'"],
  ["int(self.s) == 7 && int('7') == 7 && string(-1.5) == '-1.5'", undefined],
])("%s never runs: %s", (text, problem) => {
  const environment = celEnvironment({ level: "1.27", isStored: false, purpose: "rules" });
  expect(compileCel(text, { self: scalarTypes.dyn }, environment).problem).toBe(problem);
});

test.each([
  [
    "Object{spec: Object.spec{replicas: 1 + 1, names: ['{', \"}\"]}}",
    { spec: { replicas: 2, names: ["{", "}"] } },
  ],
  [
    "Object{ref: Object.ref{namespace: 'a', ?package: optional.of('b'), if : 1}}",
    { ref: { namespace: "a", package: "b", if: 1 } },
  ],
  ["Object{metadata: Object.metadata{labels: {'a': 'b'}}}", { metadata: { labels: { a: "b" } } }],
  [
    "[JSONPatch{op: 'add', path: '/a/' + jsonpatch.escapeKey('b/c~d'), value: {'x': true}}]",
    [{ op: "add", path: "/a/b~1c~0d", value: { x: true } }],
  ],
  ["Object{status: Object.status{none: optional.none(), some: optional.of(1)}}", { status: { some: 1 } }],
  ["true ? [] : [JSONPatch{op: 'test'}]", []],
  [
    "Object{?spec: optional.none(), ? metadata: optional.of(Object.metadata{?name: optional.of('a')})}",
    { metadata: { name: "a" } },
  ],
  ["Object{spec: Object.spec{n: true ? 1 : 2, ?m: {'y': 1}.?x}}", { spec: { n: 1 } }],
])("%s evaluates to %j", (text, expected) => {
  const environment = celEnvironment({ level: "1.36", isStored: false, purpose: "mutation" });
  const program = compileCel(text, { self: scalarTypes.dyn }, environment);
  const budget = new CelBudget(100_000);
  expect(toJson(program.evaluate({ self: null }, budget), budget)).toEqual(expected);
});

test("an optional member of an object literal has an optional value", () => {
  const environment = celEnvironment({ level: "1.36", isStored: false, purpose: "mutation" });
  expect(() => compileCel("Object{?a: 1}", {}, environment)).toThrow(
    "ERROR: <input>:1:12: expected type 'optional_type(int)' but found 'int'",
  );
  const rules = celEnvironment({ level: "1.36", isStored: false, purpose: "rules" });
  expect(() => compileCel("Object{?a: optional.of(1)}", {}, rules)).toThrow();
});

test.each(["[?optional.none()]", "{?'a': 1}"])("%s is not known before 1.28", (text) => {
  const environment = celEnvironment({ level: "1.27", isStored: true, purpose: "rules" });
  expect(() => compileCel(text, {}, environment)).toThrow("ERROR: <input>:1:2: unsupported syntax '?'");
});

test.each([
  ["Object{intList: [1, 2, 3]}.intList.sum() == 6", true],
  ["Object{}.?existing.hasValue()", false],
  ["has(Object{}.existing) || Object.spec{a: 1}.a != 1", false],
  ["JSONPatch{op: 'add', value: 1}.op == 'add' && has(JSONPatch{path: '/'}.path)", true],
  ["Object{spec: Object.spec{a: 3}} == Object{spec: Object.spec{a: 1 + 2}}", true],
])("%s is %j", (text, expected) => {
  const environment = celEnvironment({ level: "1.36", isStored: false, purpose: "mutation" });
  expect(compileCel(text, {}, environment).evaluate({}, new CelBudget(100_000))).toBe(expected);
});

test.each([
  [
    "JSONPatch{op: 1}",
    "ERROR: <input>:1:13: expected type of field 'op' is 'string' but provided type is 'int'",
  ],
  ["JSONPatch{ops : 'add'}", "ERROR: <input>:1:15: undefined field 'ops'"],
  ["JSONPatch{op: 'add'}.ops", "ERROR: <input>:1:21: undefined field 'ops'"],
])("%s does not compile", (text, problem) => {
  const environment = celEnvironment({ level: "1.36", isStored: false, purpose: "mutation" });
  expect(() => compileCel(text, {}, environment)).toThrow(problem);
});

test("object literals have optional entries of maps and lists", () => {
  const environment = celEnvironment({ level: "1.36", isStored: false, purpose: "mutation" });
  const text =
    "Object{metadata: Object.metadata{?annotations: optional.of({?'a': optional.of('b'), ?'c': optional.none()})}}";
  const budget = new CelBudget(100_000);
  const made = compileCel(text, {}, environment).evaluate({}, budget);
  expect(toJson(made, budget)).toEqual({ metadata: { annotations: { a: "b" } } });
});

test.each([
  ["Object{a: 1}.b == null && !has(Object{a: 1}.b) && type(Object{}) == type(Object{a: 1})", true],
  ["JSONPatch{op: 'add'}.path == '' && JSONPatch{op: 'add'}.value == null", true],
  ["type(JSONPatch{}) == type({})", false],
])("of object literals: %s is %s", (text, expected) => {
  const environment = celEnvironment({ level: "1.36", isStored: true, purpose: "mutation" });
  expect(compileCel(text, {}, environment).evaluate({}, new CelBudget(100_000))).toBe(expected);
});

test("a syntax error shows an object literal as it was written", () => {
  const environment = celEnvironment({ level: "1.36", isStored: true, purpose: "mutation" });
  expect(() => compileCel("Object{a: 1}, 2", {}, environment)).toThrow(
    /ERROR: <input>:1:13: Syntax error: .*\n \| Object\{a: 1\}, 2\n \| \.{12}\^$/,
  );
});

test("errors in an expression with object literals are where they were written", () => {
  const environment = celEnvironment({ level: "1.36", isStored: false, purpose: "mutation" });
  const text = "Object{spec: Object.spec{a: unknown}}";
  expect(() => compileCel(text, {}, environment)).toThrow(
    `ERROR: <input>:1:29: undeclared reference to 'unknown' (in container '')\n | ${text}`,
  );
});

test.each([
  ["self.a.existsOne(i, v, v == i)", false],
  ["self.a.exists_one(i, v, v > i) && !self.m.exists_one(k, v, v > 0)", true],
  ["self.m.exists(k, v, k == 'y' && v == 2)", true],
  ["self.a.transformList(i, v, v * i) == [0, 1, 4]", true],
  ["self.a.transformList(i, v, i > 0, v) == [1, 2]", true],
  ["self.m.transformMap(k, v, v + 1) == {'x': 2, 'y': 3}", true],
  ["self.m.transformMap(k, v, v > 1, v) == {'y': 2}", true],
  ["self.m.transformMapEntry(k, v, {v: k}) == {1: 'x', 2: 'y'}", true],
  ["self.a.all(i, v, self.a.all(j, w, i == j || v != w))", true],
  ["self.a.sortBy(x, -x) == [3, 2, 1]", true],
  ["self.a.slice(1, 3) == [1, 2]", true],
  ["self.a.first().value() == 3 && self.a.last().value() == 2", true],
  ["self.a.reverse() == [2, 1, 3]", true],
  ["[1, 1, 2].distinct() == [1, 2]", true],
  ["[[1], [2, 3]].flatten() == [1, 2, 3] && [[1]].flatten()[0] + 1 == 2", true],
  ["lists.range(3) == [0, 1, 2]", true],
  ["semver('1.0.0-rc.1').compareTo(semver('1.0.0')) == -1", true],
  ["semver('v1.2', true).minor() == 2", true],
  ["isSemver('v1.2') || isSemver('01.2.3')", false],
  ["isSemver('1.2-rc', true) || isSemver('1+b', true)", false],
  ["isSemver('v01.02.03-rc+b', true)", true],
])("%s is %s", (text, expected) => {
  expect(evaluate(text)).toBe(expected);
});

test("entries of a map are maps", () => {
  expect(() => evaluate("self.a.transformMapEntry(i, v, 'x')")).toThrow(
    "1:25: found no matching overload for 'cel.@mapInsert' applied to '(map(dyn, dyn), string)'",
  );
});

test("elements of several types have no order", () => {
  expect(() => evaluate("[self.s, self.a[0]].sort()")).toThrow("list elements must have the same type");
});

test.each([
  ["''", "Version string empty"],
  ["'v1.0'", "No Major.Minor.Patch elements found"],
  ["'v1.0.0'", 'Invalid character(s) found in major number "v1"'],
  ["'1.01.0'", 'Minor number must not contain leading zeroes "01"'],
  ["'1.2.3.4'", 'Invalid character(s) found in patch number "3.4"'],
  ["'1.2.3-'", "Prerelease is empty"],
  ["'1.2.3-01'", 'Numeric PreRelease version must not contain leading zeroes "01"'],
  ["'1.2.3-a_b'", 'Invalid character(s) found in prerelease "a_b"'],
  ["'1.2.3+'", "Build meta data is empty"],
  ["'1.2.3-a+b!'", 'Invalid character(s) found in build meta data "b!"'],
  ["'1.2-rc', true", "short version cannot contain PreRelease/Build meta data"],
])("semver(%s) says %s", (args, problem) => {
  expect(() => evaluate(`semver(${args}).major() == 1`)).toThrow(problem);
});

test("the members of a map are listed once, however often an expression selects it", () => {
  let listed = 0;
  const members = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`k${index}`, index]));
  const large = new Proxy(members, {
    ownKeys(target) {
      listed++;
      return Reflect.ownKeys(target);
    },
  });
  const environment = celEnvironment({ level: "1.35", isStored: true, purpose: "rules" });
  const text = "self.m.all(k, self.m.exists(other, other == k) && self.m.size() == 50)";
  const program = compileCel(text, { self: scalarTypes.dyn }, environment);
  const self = fromJson({ m: large }, scalarTypes.dyn);
  expect(program.evaluate({ self }, new CelBudget(100_000))).toBe(true);
  expect(listed).toBe(1);
});

// The numbers of Kubernetes, for lists and maps whose limits are declared.
test.each([
  ["{'a': 1, 'b': 2}.all(k, v, v > 0)", 41],
  ["{'a': 1, 'b': 2}.exists(k, v, v > 0)", 43],
  ["[1, 2].existsOne(i, v, v > 0)", 20],
  ["[1, 2].transformList(i, v, v < 5, v + 1)", 53],
  ["{'a': 1, 'b': 2}.transformMap(k, v, v < 5, v + 1)", 75],
  ["{'a': 1, 'b': 2}.transformMapEntry(k, v, {k: v + 1})", 131],
  ["strings.quote('ABCDEFGHIJ abcdefghij') == strings.quote('ABCDEFGHIJ abcdefghij')", 11],
  ["['a', 'b'].reverse().size() == 3", 25],
  ["['a', 'b'].slice(0, 1).size() == 3", 24],
  ["['a', 'b'].distinct().size() == 3", 31],
  ["['a', 'b'].sort().size() == 3", 32],
  ["['a', 'b'].sortBy(e, e).size() == 3", 81],
  ["[['a'], ['b']].flatten().size() == 3", 45],
  ["lists.range(5).size() > 1", 18],
  ["isIP('0123456789')", 1],
  ["ip.isCanonical('0123456789')", 2],
  ["isCIDR('0123456789')", 1],
  ["isSemver('01234567890')", 2],
])("the estimated cost of %s is %d", (text, cost) => {
  const environment = celEnvironment({ level: "1.36", isStored: true, purpose: "rules" });
  expect(compileCel(text, {}, environment).cost).toBe(cost);
});

test.each([
  "self.a.reverse().all(x, x > 0)",
  "self.a.slice(1, 3).all(x, x > 0)",
  "self.a.sortBy(x, -x).all(x, x > 0)",
  "self.a.distinct().all(x, x > 0)",
  "[self.a].flatten().all(x, x == 1)",
  "lists.range(3).all(i, self.a[i] > 0)",
  "self.m.all(k, v, k == v)",
])("the elements that %s reads are limited", (text) => {
  const environment = celEnvironment({ level: "1.36", isStored: true, purpose: "rules" });
  const list: CelType = { kind: "list", element: scalarTypes.int, sizeMax: 10 };
  const key: CelType = { kind: "string", sizeMax: 0 };
  const map: CelType = { kind: "map", key, value: scalarTypes.string, sizeMax: 10 };
  const self: CelType = {
    kind: "object",
    name: "object",
    fields: new Map([
      ["a", { name: "a", type: list }],
      ["m", { name: "m", type: map }],
    ]),
  };
  expect(compileCel(text, { self }, environment).cost).toBeLessThan(1000);
});

test.each<[ApiLevel, text: string, cost: number]>([
  ["1.29", "isQuantity('01234567890')", 1],
  ["1.30", "isQuantity('01234567890')", 2],
  ["1.32", "dyn('abc') == dyn('def')", 2 ** 64 * 0.1],
  ["1.33", "dyn('abc') == dyn('def')", 3],
])("at %s the estimated cost of %s is %d", (level, text, cost) => {
  const environment = celEnvironment({ level, isStored: true, purpose: "rules" });
  expect(compileCel(text, {}, environment).cost).toBeCloseTo(cost, -5);
});

test("templates of format are checked before an expression is evaluated from 1.31 on", () => {
  const text = "false && '%q'.format(['a']) == ''";
  expect(evaluate(text, { level: "1.30" })).toBe(false);
  expect(() => evaluate(text, { level: "1.31" })).toThrow("unrecognized formatting clause");
  expect(() => evaluate("'%q'.format(['a']) == ''", { level: "1.30" })).toThrow();
});

describe("a field whose name is a reserved word", () => {
  const named: CelType = {
    kind: "object",
    name: "object",
    fields: new Map([["__namespace__", { name: "namespace", type: { kind: "string", sizeMax: 9 } }]]),
  };
  const run = (text: string, level: ApiLevel, isStored = false) => {
    const program = compileCel(text, { self: named }, celEnvironment({ level, isStored, purpose: "rules" }));
    return {
      cost: program.cost,
      value: program.evaluate({ self: fromJson({ namespace: "a" }, named) }, new CelBudget(1_000)),
    };
  };

  test.each(["has(self.namespace) && self.namespace == 'a'", "self.?namespace.orValue('') == 'a'"])(
    "%s",
    (text) => {
      const escaped = text.replaceAll("namespace", "__namespace__");
      expect(run(text, "1.32")).toEqual(run(escaped, "1.32"));
      expect(run(text, "1.31", true).value).toBe(true);
      expect(() => run(text, "1.31")).toThrow("undefined field 'namespace'");
    },
  );
});
