import { describe, expect, test } from "vitest";
import type { JsonObject } from "../json/json-value.js";
import { CelBudget, CelBudgetError } from "./cel-error.js";
import { type CelType, listOf, scalarTypes } from "./cel-type.js";
import { type CelValue, fromJson } from "./cel-value.js";
import { compileCel } from "./compile-cel.js";

const { bool, int, string, double, timestamp, duration, dyn } = scalarTypes;

const port: CelType = {
  kind: "object",
  name: "object.ports.@items",
  fields: new Map([
    ["name", { name: "name", type: string }],
    ["number", { name: "number", type: int }],
  ]),
};

const self: CelType = {
  kind: "object",
  name: "object",
  fields: new Map<string, { name: string; type: CelType }>([
    ["replicas", { name: "replicas", type: int }],
    ["maxReplicas", { name: "maxReplicas", type: int }],
    ["ratio", { name: "ratio", type: double }],
    ["name", { name: "name", type: string }],
    ["a__dot__b", { name: "a.b", type: string }],
    ["paused", { name: "paused", type: bool }],
    ["since", { name: "since", type: timestamp }],
    ["for", { name: "for", type: duration }],
    ["ports", { name: "ports", type: { kind: "list", element: port, relation: "map", keys: ["name"] } }],
    ["tags", { name: "tags", type: { kind: "list", element: string, relation: "set" } }],
    ["args", { name: "args", type: listOf(string) }],
    ["labels", { name: "labels", type: { kind: "map", key: string, value: string } }],
    ["port", { name: "port", type: dyn }],
  ]),
};

const object: JsonObject = {
  replicas: 3,
  maxReplicas: null,
  ratio: 0.5,
  name: "boat-é-🚤",
  "a.b": "escaped",
  paused: false,
  since: "2024-02-29T23:30:00Z",
  for: "1h30m",
  ports: [
    { name: "http", number: 80 },
    { name: "https", number: 443 },
  ],
  tags: ["a", "b"],
  args: ["--x", "--y=1"],
  labels: { app: "boat", "example.com/x": "y" },
  port: "http",
};

function evaluate(text: string, steps = 1_000_000): CelValue {
  const program = compileCel(text, { self, oldSelf: self });
  return program.evaluate(
    { self: fromJson(object, self), oldSelf: fromJson(object, self) },
    new CelBudget(steps),
  );
}

describe("expressions that hold", () => {
  test.each([
    ".5 + .25 == 0.75 && [.5, 1.0][0] == (.5) && 'a.5' != '.5' && (true ? .5 : .1) > -.5",
    "1 + 2 * 3 == 7 && 7 / 2 == 3 && -7 % 3 == -1 && 1.5 + 1.5 == 3.0",
    "self.replicas <= 3 && self.replicas in [1, 3]",
    "self.ratio * 2.0 == 1.0 && double(self.replicas) > 2.5 && int(2.9) == 2 && uint(3) == 3u",
    "!self.paused || self.replicas == 0",
    "has(self.replicas) && !has(self.maxReplicas)",
    "self.a__dot__b == 'escaped'",
    "size(self.name) == 8 && self.name.size() == 8 && 'héllo'.size() == 5",
    "self.name.startsWith('boat') && self.name.endsWith('🚤') && self.name.contains('é')",
    "self.name.matches('^boat-') && !matches(self.name, '^x$')",
    "self.name.charAt(5) == 'é' && self.name.charAt(7) == '🚤' && self.name.indexOf('🚤') == 7",
    "self.name.substring(5) == 'é-🚤' && self.name.substring(0, 4) == 'boat' && 'abcab'.lastIndexOf('ab') == 3",
    "'\u0085\u00a0\u1680a\u2003 b\u202f\u0085'.trim() == 'a\u2003 b' && '\ufeffa\u200b'.trim() == '\ufeffa\u200b' && ' '.trim() == ''",
    "'aBc'.upperAscii() == 'ABC' && 'É'.lowerAscii() == 'É' && ' a '.trim() == 'a'",
    "'a,b,c'.split(',') == ['a', 'b', 'c'] && 'a,b,c'.split(',', 2) == ['a', 'b,c'] && ['a', 'b'].join('-') == 'a-b'",
    "'aé🚤@[z{'.upperAscii() == 'Aé🚤@[Z{' && 'AÉ🚤@[Z{'.lowerAscii() == 'aÉ🚤@[z{' && 'š'.upperAscii() == 'š'",
    "'a🚤b'.split('') == ['a', '🚤', 'b'] && 'a🚤b'.split('', 2) == ['a', '🚤b'] && ''.split('') == [] && 'ab'.split('', 5) == ['a', 'b']",
    "'a,b,c'.split(',', 0) == [] && 'a,b,c'.split(',', 1) == ['a,b,c'] && ',a,'.split(',') == ['', 'a', ''] && ''.split(',') == ['']",
    "'ab'.replace('', '-', 0) == 'ab' && 'ab'.replace('', '-', 1) == '-ab' && 'ab'.replace('', '-', 2) == '-a-b' && 'ab'.replace('', '-', 3) == '-a-b-' && ''.replace('', '-') == '-'",
    "'a.b.c'.replace('.', '', 5) == 'abc' && 'aaa'.replace('aa', 'b') == 'ba' && 'abc'.replace('d', 'e') == 'abc'",
    "'hello'.replace('l', 'L') == 'heLLo' && 'hello'.replace('l', 'L', 1) == 'heLlo' && 'ab'.replace('', '-') == '-a-b-'",
    "self.ports.all(p, p.number > 0 && p.number < 65536)",
    "self.ports.exists(p, p.name == 'http') && self.ports.exists_one(p, p.number == 443)",
    "self.ports.map(p, p.number) == [80, 443] && self.ports.map(p, p.number > 100, p.name) == ['https']",
    "self.ports.filter(p, p.name == 'http')[0].number == 80 && self.ports.map(p, p.number).sum() == 523",
    "self.labels.all(k, self.labels[k] != '') && 'app' in self.labels && self.labels['example.com/x'] == 'y' && self.labels.app == 'boat'",
    "self.tags == ['b', 'a'] && self.args != ['--y=1', '--x'] && (self.tags + ['b', 'c']).size() == 3",
    "[1, 3, 2].max() == 3 && [1.5, 0.5].min() == 0.5 && ['a', 'b'].isSorted() && ![2, 1].isSorted()",
    "[1, 2, 1].indexOf(1) == 0 && [1, 2, 1].lastIndexOf(1) == 2 && [1].indexOf(5) == -1",
    "'abc 123'.find('[0-9]+') == '123' && '123 abc 456'.findAll('[0-9]+') == ['123', '456'] && '1 2'.findAll('[0-9]', 1) == ['1']",
    "'baab'.findAll('a*') == ['', 'aa', ''] && 'aaa'.findAll('a*') == ['aaa'] && 'ab'.findAll('') == ['', '', '']",
    "url('HTTPS://a/b/../c') == url('https://a/b/../c') && url('https://a') != url('https://b')",
    "isURL('https://u@example.com:80/a%20b?q=1') && !isURL('../x') && url('https://example.com:80/p?k=v').getHost() == 'example.com:80'",
    "url('https://example.com:80/p?k=v&k=w').getPort() == '80' && url('https://[::1]:80/').getHostname() == '::1' && url('/p?k=v').getQuery()['k'] == ['v']",
    "url('https://example.com/a%20b').getEscapedPath() == '/a%20b' && url('/x').getScheme() == ''",
    "!has(dyn(null).x) && !has(dyn(5).x) && !dyn('a').?x.hasValue() && !dyn(null)[?0].hasValue() && dyn([1])[0u] == 1",
    "string(timestamp('2024-02-29T01:03:37.01+01:30')) == '2024-02-29T01:03:37.01+01:30'",
    "string(timestamp('2024-02-29T23:30:00-00:30') + duration('1h')) == '2024-03-01T00:30:00-00:30'",
    "string(timestamp('2024-02-29T12:00:00+00:00')) == '2024-02-29T12:00:00Z' && timestamp('2024-02-29T12:00:00+01:00').getHours() == 11",
    "timestamp('2024-02-29T12:00:00+01:00') == timestamp('2024-02-29T11:00:00Z')",
    "dyn([1.5, 2.0]).sum() == 3.5 && dyn([duration('1s')]).sum() == duration('1s') && dyn(['b', 'a']).min() == 'a' && dyn([]).sum() == 0",
    "url('https://a/b?c=d#e').getQuery() == {'c': ['d']} && url('https://a/b#c/d').getEscapedPath() == '/b' && isURL('/a#b')",
    "self.since < timestamp('2024-03-01T00:00:00Z') && self.since.getFullYear() == 2024 && self.since.getMonth() == 1 && self.since.getDate() == 29",
    "self.since.getHours('+02:00') == 1 && self.since.getDayOfMonth('Europe/Berlin') == 0 && self.since.getDayOfYear() == 59",
    "self.for == duration('90m') && self.for.getMinutes() == 90 && self.since + self.for > self.since",
    "type(self.port) == string ? self.port == 'http' : self.port > 0",
    "type(1) == int && type(self.since) == google.protobuf.Timestamp && type('x') != type(1)",
    "string(5) == '5' && string(1.5) == '1.5' && string(true) == 'true' && int('42') == 42 && bool('true') && string(duration('90s')) == '90s'",
    "true || self.labels['none'] == 'x'",
    "self.labels['none'] == 'x' || true",
    "!(false && 1 / 0 == 1)",
    "[1, 0].exists(x, 1 / x == 1) && {'a': 1}['a'] == 1 && {'a': 1}.a == 1",
    "self.ports == oldSelf.ports && self == oldSelf",
    "self.?port.orValue(1) == 'http' && (self.paused ? 1 : self.port) == 'http' && [] != [1] && [[], [1]][1] == [1] && [{}, {'a': 1}][1].a == 1",
    "type(optional.none()) == optional_type && timestamp(253402300799) > self.since",
    "true == (self.replicas < 4) && ((self.paused) == (false != (\"(\" in [')']))) && (false == false in [true, false]) && self.replicas < 4 == true",
    "(true == true in [false] != true) && (true == false in [false] == true)",
    "ip('::1') != null && url('https://a') != null && optional.none() != null && null != quantity('1') && self.since != null",
    "'%s %d'.format(['a', self.replicas]) == 'a 3' ",
    "-9223372036854775808 < 0 && [1].all(x, 9223372036854775807 > x)",
    "[[1, 2], [3]].all(l, l.all(x, x < 4)) && [1, 2].map(x, [3].map(y, x * y)) == [[3], [6]]",
  ])("%s", (text) => expect(evaluate(text)).toBe(true));
});

describe("expressions without a value", () => {
  test.each([
    ["self.maxReplicas > 1", "no such key: maxReplicas"],
    ["self.labels['none'] == 'x'", "no such key: none"],
    ["self.ports[5].number == 1", "index out of bounds: 5"],
    ["dyn(null).x == 1", "no such key: x"],
    ["dyn('a')[0] == 1", "no such key: 0"],
    ["dyn([1]).x == 1", "unsupported index type 'string' in list"],
    ["dyn([1])[1.5] == 1", "unsupported index value 1.5 in list"],
    ["1 / 0 == 1", "division by zero"],
    ["1u / 0u == 1u", "division by zero"],
    ["1 % 0 == 1", "modulus by zero"],
    ["9223372036854775807 + 1 == 0", "integer overflow"],
    ["int('x') == 1", "type conversion error from 'string' to 'int'"],
    ["uint('-1') == 1u", "type conversion error from 'string' to 'uint'"],
    [
      "duration('x' + self.name) == self.for",
      "type conversion error from 'string' to 'google.protobuf.Duration'",
    ],
    [
      "timestamp('x' + self.name) == self.since",
      "type conversion error from 'string' to 'google.protobuf.Timestamp'",
    ],
    ["[].map(x, 1).max() == 1", "max called on empty list"],
    ["self.port > 1", "no such overload"],
    ["timestamp('9999-12-31T23:59:59Z') + duration('1s') > self.since", "timestamp overflow"],
    ["timestamp('0001-01-01T00:00:00Z') - self.for < self.since", "timestamp overflow"],
    ["timestamp(self.replicas * 1000000000000) > self.since", "timestamp overflow"],
    ["1 / 0 == 1 || self.port || false", "division by zero"],
    ["self.ports.all(p, p.number > 100 || p.name.charAt(9) == 'x')", "index out of range: 9"],
    ["self.name.matches(self.name + '(')", /^error parsing regexp: missing closing \)/],
    ["url('nothing').getHost() == ''", "URL parse error during conversion from string"],
  ])("%s", (text, problem) => expect(() => evaluate(text)).toThrow(problem));
});

describe("expressions that do not compile", () => {
  test.each([
    ["self.replicas > 'a'", "1:15: found no matching overload for '_>_' applied to '(int, string)'"],
    ["self.replica > 1", "1:5: undefined field 'replica'"],
    ["selfish", "1:1: undeclared reference to 'selfish' (in container '')"],
    ["self.replicas.x", "type 'int' does not support field selection"],
    ["size(1) == 1", "found no matching overload for 'size' applied to '(int)'"],
    ["nothing(1)", "undeclared reference to 'nothing'"],
    ["self.name.shout()", "undeclared reference to 'shout'"],
    ["[1, 'a'] == []", "expected type 'int' but found 'string'"],
    ["self.ports.all(p, p.number)", "expected type 'bool' but found 'int'"],
    ["self.replicas.all(p, true)", "expression of type 'int' cannot be range of a comprehension"],
    ["true ? 1 : 'a'", "found no matching overload for '_?_:_' applied to '(bool, int, string)'"],
    ["1 == 1.0", "found no matching overload for '_==_' applied to '(int, double)'"],
    ["has(self)", "invalid argument to has() macro"],
    ["self.name.matches('(')", "invalid matches argument"],
    [
      "self.x == ",
      "1:11: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    ],
    ["self.replicas in", "1:17: Syntax error: mismatched input '<EOF>' expecting {'[', "],
    ["self.replicas -", "1:16: Syntax error: mismatched input '<EOF>' expecting {'[', "],
    ["", /^ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting \{[^\n]*\}$/],
    [" ", "1:2: Syntax error: mismatched input '<EOF>' expecting {'[', "],
    ["[1", "1:3: Syntax error: "],
    ["self.name 'y' ", "1:11: Syntax error: extraneous input ''y'' expecting <EOF>"],
    ["0x1g", "1:4: Syntax error: extraneous input 'g' expecting <EOF>"],
    ["1 == 1 1.5", "1:8: Syntax error: extraneous input '1.5' expecting <EOF>"],
    ["Bad value!", "1:5: Syntax error: mismatched input 'value' expecting <EOF>"],
    ["1 # 2", "1:3: Syntax error: "],
    ["b'x'.hex() == ''", "undeclared reference to 'hex'"],
    [
      `${"(".repeat(260)}1${")".repeat(260)} == 1`,
      /^ERROR: <input>:-1:0: expression recursion limit exceeded: 250$/,
    ],
    [`${"1 + ".repeat(20_000)}1 == 1`, "exceeds limit"],
  ])("%s", (text, problem) => expect(() => compileCel(text, { self, oldSelf: self })).toThrow(problem));

  test.each([
    [
      "nothing.shout(other)",
      [
        "1:1: undeclared reference to 'nothing'",
        "1:14: undeclared reference to 'shout'",
        "1:15: undeclared reference to 'other'",
      ],
    ],
    [
      "self.replica > 1 &&\n self.name > 1",
      ["1:5: undefined field 'replica'", "2:12: found no matching overload for '_>_'"],
    ],
    // What literals hold only matters where all types are right.
    ["[1, 'a'] == nothing", ["1:13: undeclared reference to 'nothing'"]],
    [
      "[1, 'a'] == [1] && duration('x') > self.for",
      ["1:5: expected type 'int' but found 'string'", "1:29: invalid duration argument"],
    ],
  ])("all problems of %j are shown, by place", (text, problems) => {
    let message = "";
    try {
      compileCel(text, { self });
    } catch (error) {
      message = String(error);
    }
    expect(message.match(/\d+:\d+: [^\n]*/g)).toEqual(
      problems.map((problem) => expect.stringContaining(problem)),
    );
  });

  test("of thousands of problems the first hundred are shown", () => {
    const names = Array.from({ length: 4000 }, (_, index) => `n${index}`);
    expect(() => compileCel(`[${names.join(",\n")}]`, {})).toThrow(
      expect.toSatisfy((error: Error) => error.message.match(/^ERROR/gm)?.length === 100),
    );
  });

  test.each([
    [
      "'é🚤' + nothing",
      "1:8: undeclared reference to 'nothing' (in container '')\n | 'é🚤' + nothing\n | .．．....^",
    ],
    [
      "\tself.replicas +\t'中'",
      ":16: found no matching overload for '_+_' applied to '(int, string)'\n |  self.replicas + '中'\n | ...............^",
    ],
    [
      `'${"a".repeat(20_000)}' + 1`,
      /^ERROR: <input>:1:20004: found no matching overload for '_\+_' applied to '\(string, int\)'$/,
    ],
  ])("lines are shown in full, if they are not long: %s", (text, shown) => {
    expect(() => compileCel(text, { self })).toThrow(shown);
  });

  test("problems that would fill pages are not all shown", () => {
    const text = Array.from({ length: 1000 }, (_, index) => `unknown${index}`).join(" || ");
    expect(() => compileCel(text, { self })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{0,40000}$/s) }),
    );
  });

  test("deep expressions and long literals compile", () => {
    for (const text of [
      `${"(".repeat(240)}1${")".repeat(240)} == 1`,
      `self.replicas in [${Array.from({ length: 4000 }, (_, index) => index).join(",")}]`,
      `[1]${".map(x, x)".repeat(100)} == [1]`,
      `1${" + 1".repeat(249)} == 250`,
      `true${" && true".repeat(2000)}`,
      `false${" || 1 / 0 == 1".repeat(500)} || true`,
    ]) {
      expect(evaluate(text)).toBe(true);
    }
  });

  test("chains of other operators than && and || have a limit", () => {
    expect(() => compileCel(`1${" + 1".repeat(260)} == nothing`, { self })).toThrow(
      /^ERROR: <input>:-1:0: max recursion depth exceeded$/,
    );
  });

  test("the place is shown", () => {
    expect(() => compileCel("self.replicas >\n  'a'", { self })).toThrow(
      /^ERROR: <input>:1:15: found no matching overload .*\n \| self.replicas >\n \| \.{14}\^$/,
    );
  });
});

describe("costs", () => {
  const cost = (text: string): number => compileCel(text, { self, oldSelf: self }).cost;

  test("grow with the sizes that are declared, and are those of a request where none are", () => {
    expect(cost("self.replicas > 1")).toBeLessThan(10);
    expect(cost("[1, 2, 3].all(x, x > 0)")).toBeLessThan(50);
    expect(cost("self.args.all(a, a != '')")).toBeGreaterThan(1_000_000);
    expect(cost("self.args.all(a, self.args.all(b, a == b))")).toBeGreaterThan(1e12);
    const bounded: CelType = { kind: "list", element: { kind: "string", sizeMax: 10 }, sizeMax: 100 };
    const two = compileCel("self.all(a, self.all(b, a == b))", { self: bounded });
    expect(two.cost).toBeGreaterThan(10_000);
    expect(two.cost).toBeLessThan(200_000);
  });

  test("are known of all that an expression reads", () => {
    expect([...compileCel("self.replicas > 1", { self, oldSelf: self }).reads]).toEqual(["self"]);
    expect([...compileCel("[1].all(x, oldSelf.replicas > x)", { self, oldSelf: self }).reads]).toEqual([
      "oldSelf",
    ]);
  });

  const ten = "[1,2,3,4,5,6,7,8,9,10]";
  const nested = ["a", "b", "c", "d", "e", "f", "g", "h"].reduce(
    (inner, name) => `${ten}.all(${name}, ${inner})`,
    "true",
  );
  test.each([
    ["nested loops", nested],
    [
      "a long text built in a loop",
      `${nested.replace("true", "(self.name + self.name + self.name).size() > 0")}`,
    ],
    [
      "lists of lists",
      `${ten}.map(a, ${ten}.map(b, ${ten}.map(c, ${ten}.map(d, ${ten}.map(e, ${ten}.map(f, f)))))).size() > 0`,
    ],
    [
      "sums of lists",
      `${ten}.map(a, ${ten}.map(b, ${ten}.map(c, ${ten}.map(d, ${ten}.map(e, (${ten} + ${ten} + ${ten}).sum()))))).size() > 0`,
    ],
    [
      "an alternation that backtracks elsewhere",
      `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, '${"a".repeat(3000)}'.matches('(a+)+$'))))`,
    ],
    [
      "repetitions of repetitions",
      `${ten}.all(a, ${ten}.all(b, '${"a".repeat(3000)}'.matches('((a{1,30}){1,30})b')))`,
    ],
    ["time zones", `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, self.since.getHours('Europe/Berlin') < 24)))`],
    [
      "replacing",
      `${ten}.all(a, ${ten}.all(b, ${ten}.all(c, '${"a".repeat(3000)}'.replace('a', '${"b".repeat(300)}').size() > a)))`,
    ],
  ])("%s end when the budget is spent", (_name, text) => {
    const began = process.cpuUsage();
    expect(() => evaluate(text)).toThrow(CelBudgetError);
    // Far above the actual cost, and far below the cost without the limit.
    expect(process.cpuUsage(began).user).toBeLessThan(2_000_000);
  });
});

describe("libraries of Kubernetes 1.28 and later", () => {
  test.each([
    // optional values
    "self.?name.hasValue() && self.?name.value() == self.name && !self.?maxReplicas.hasValue()",
    "self.?maxReplicas.orValue(7) == 7 && self.?replicas.orValue(7) == 3",
    "self.?maxReplicas.or(self.?replicas).value() == 3 && self.?maxReplicas.or(optional.none()).orValue(1) == 1",
    "self.?labels.app.orValue('') == 'boat' && self.?labels.none.orValue('x') == 'x'",
    "self.labels[?'app'] == optional.of('boat') && self.labels[?'none'] == optional.none()",
    "self.args[?1].orValue('') == '--y=1' && self.args[?2].orValue('z') == 'z' && !self.args[?-1].hasValue()",
    "self.?ports[?0].?name.orValue('') == 'http' && self.?ports[5].name.orValue('q') == 'q'",
    "has(self.?labels.app) && !has(self.?labels.none)",
    "self.?name.optMap(n, n + '!').value() == self.name + '!' && !self.?maxReplicas.optMap(n, n + 1).hasValue()",
    "self.?replicas.optFlatMap(n, n > 2 ? optional.of(n) : optional.none()).orValue(0) == 3",
    "optional.ofNonZeroValue('').orValue('d') == 'd' && optional.ofNonZeroValue([1]).hasValue()",
    "self.?name.orValue(string(1 / 0)) == self.name && self.ports.all(p, p.?number.orValue(0) > 0)",
    "[1, ?optional.of(2), ?optional.none(), ?self.?maxReplicas] == [1, 2] && [?self.?name] == [self.name]",
    "{?'a': self.?name, ? 'b' : optional.none(), 'c': '1'} == {'a': self.name, 'c': '1'}",
    "{'a': 1, ?'a': optional.none()} == {} && {?'?': optional.of([?optional.of('[?')])} == {'?': ['[?']}",
    "3 in [?self.?replicas] && !(3 in [?self.?maxReplicas]) && [?self.args[?0]].size() == 1",
    "self.replicas > 2 ? [self.name][?0].hasValue() : {'a': true ? 1 : 2}[?'a'].hasValue()",
    "!optional.ofNonZeroValue(duration('0s')).hasValue() && optional.ofNonZeroValue(duration('1s')).hasValue()",
    "!optional.ofNonZeroValue(timestamp('0001-01-01T00:00:00Z')).hasValue() && optional.ofNonZeroValue(timestamp(0)).hasValue()",
    // quantities
    "quantity('1.5Gi').isGreaterThan(quantity('1G')) && quantity('200M').compareTo(quantity('0.2G')) == 0",
    "quantity('1000m') == quantity('1') && quantity('1Ki') == quantity('1024') && quantity('1') != quantity('2')",
    "isQuantity('10000k') && !isQuantity('200K') && !isQuantity('Three') && !isQuantity('')",
    "quantity('50k').add(quantity('20k')) == quantity('70k') && quantity('50k').sub(20000) == quantity('30k')",
    "quantity('50k').add(20).sub(quantity('100k')).sub(-50000) == quantity('20')",
    "quantity('50k').asInteger() == 50000 && !quantity('100m').isInteger() && quantity('0.5').asApproximateFloat() == 0.5",
    "sign(quantity('-1')) == -1 && sign(quantity('0')) == 0 && quantity('50M').isLessThan(quantity('50Mi'))",
    "quantity('1') in [quantity('1000m')]",
    // addresses
    "ip('127.0.0.1').family() == 4 && ip('::1').family() == 6 && ip('::1').isLoopback()",
    "isIP('10.0.0.1') && !isIP('10.0.0.01') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0') && !isIP('x')",
    "ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD') && ip('0.0.0.0').isUnspecified()",
    "ip('224.0.0.1').isLinkLocalMulticast() && !ip('224.0.1.1').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast()",
    "ip('169.254.169.254').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast() && !ip('fd80::1').isLinkLocalUnicast()",
    "ip('192.168.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast() && !ip('ff00::1').isGlobalUnicast()",
    "type(ip('::1')) == net.IP && type(cidr('::1/128')) == net.CIDR && type(ip('::1')) != net.CIDR",
    "ip('::1') == ip('0:0::1') && string(ip('0:0::1')) == '::1' && type(ip('::1')) != type('')",
    "cidr('192.168.0.0/24').containsIP(ip('192.168.0.1')) && !cidr('192.168.0.0/24').containsIP('192.168.1.1')",
    "cidr('192.168.0.0/16').containsCIDR('192.168.10.0/24') && !cidr('192.168.1.0/24').containsCIDR(cidr('192.168.0.0/16'))",
    "cidr('192.168.0.1/24').masked() == cidr('192.168.0.0/24') && cidr('192.168.0.1/24').ip() == ip('192.168.0.1')",
    "cidr('::1/128').prefixLength() == 128 && string(cidr('0::/8')) == '::/8' && !cidr('::/0').containsIP('1.2.3.4')",
    "isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0') && !isCIDR('10.0.0.0/08')",
    // formats
    "!format.dns1123Label().validate('my-label').hasValue() && format.dns1123Label().validate('My').hasValue()",
    "format.named('uuid').value().validate('x').value() == ['does not match the UUID format']",
    "!format.named('nothing').hasValue() && !format.dns1123LabelPrefix().validate('a-').hasValue()",
    "format.qualifiedName().validate('a/b/c').hasValue() && !format.qualifiedName().validate('example.com/x').hasValue()",
    "!format.datetime().validate('2021-01-01T00:00:00Z').hasValue() && format.date().validate('x').hasValue()",
    "!format.uri().validate('http://example.com').hasValue() && format.labelValue().validate('a b').hasValue()",
    "!format.byte().validate('aGVsbG8=').hasValue() && !format.dns1035LabelPrefix().validate('a-').hasValue()",
    // sets
    "sets.contains([1, 2, 3], [2, 1]) && !sets.contains([1], [2]) && sets.contains(self.args, [])",
    "sets.equivalent([1, 2, 2], [2, 1]) && !sets.equivalent([1], [1, 2])",
    "sets.intersects(self.tags, ['b', 'q']) && !sets.intersects(self.tags, ['q'])",
    // texts
    "'%s has %s, %%'.format(['x', 'y']) == 'x has y, %' && '%d'.format([self.replicas]) == '3'",
    "'%.3f'.format([1.2345]) == '1.234' && '%f'.format([2.71828]) == '2.718280' && '%.1f'.format([-1234567.0]) == '-1,234,567.0'",
    "'%s has %d of %.1f'.format([self.name, self.replicas, 2.5]) == self.name + ' has 3 of 2.5'",
    "'%s'.format([['a', 3.14, null, [9, 8], {'k': 1, 'l': 'x'}]]) == '[\"a\", 3.140000, null, [9, 8], {\"k\":1, \"l\":\"x\"}]'",
    "'%s'.format([{1: 'a', true: duration('7m2s')}]) == '{1:\"a\", true:duration(\"422s\")}'",
    "'%.0f %.0f %.1f %.2f %.2f'.format([0.5, 2.5, 0.25, 1.115, -0.001]) == '0 2 0.2 1.12 -0.00' && '%f'.format([-0.0]) == '0.000000'",
    "'%f %f %f'.format(['NaN', 'Infinity', '-Infinity']) == 'NaN ∞ -∞' && '%e'.format(['Infinity']) == '∞'",
    "'%s'.format([double('Inf')]) == '+Inf' && string(double('-Inf')) == '-Inf' && string(double('NaN')) == 'NaN'",
    "'%s'.format([[double('NaN'), double('Inf')]]) == '[\"NaN\", \"+Inf\"]'",
    "'%s'.format([duration('2ns')]) == '0.000000002s' && string(duration('-2.5ms')) == '-0.0025s'",
    "string(duration('2540400h10m10.000000001s')) == '9145440610s'",
    "'%e'.format([1052.032911275]) == '1.052033\\u202f×\\u202f10⁰³'",
    "'%b %b'.format([5, 8]) == '101 1000' && '%b'.format([true]) == '1' && '%o'.format([11]) == '13'",
    "'%x'.format(['Hello world!']) == '48656c6c6f20776f726c6421' && '%X'.format([30]) == '1E'",
    "'%s'.format([[9, 8]]) == '[9, 8]' && '%s'.format([['a\"']]) == '[\"a\\\\\"\"]'",
    "'%s'.format([{'b': 2, 'a': 1}]) == '{\"a\":1, \"b\":2}' && '%s'.format([duration('1h45m47s')]) == '6347s'",
    "'%s'.format([null]) == 'null' && '%s'.format([type('x')]) == 'string'",
    'strings.quote(\'first\\nsecond "x"\') == \'"first\\\\nsecond \\\\"x\\\\""\'',
    // numbers of different types
    "self.replicas > 2.5 && 1 < 1.5 && 2u >= 2 && 1.0 <= 1u && self.replicas == 3",
  ])("%s", (text) => {
    expect(evaluate(text)).toBe(true);
  });

  test.each([
    ["optional.none().value()", "optional.none() dereference"],
    ["sign(quantity('x'))", "quantities must match the regular expression"],
    ["quantity('0.5').asInteger()", "cannot convert value to integer"],
    [
      "ip('1.2.3')",
      'IP Address "1.2.3" parse error during conversion from string: ParseAddr("1.2.3"): IPv4 address too short',
    ],
    ["ip('::ffff:1.2.3.4')", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4" is not allowed'],
    ["ip('fe80::1%eth0')", 'IP address "fe80::1%eth0" with zone value is not allowed'],
    [
      "cidr('1.2.3.4')",
      `network address parse error during conversion from string: network address parse error during conversion from string: netip.ParsePrefix("1.2.3.4"): no '/'`,
    ],
    ["cidr('::ffff:1.2.3.4/8')", 'IPv4-mapped IPv6 address "::ffff:1.2.3.4/8" is not allowed'],
    ["'%d'.format([dyn('a')])", "decimal clause can only be used on integers, was given string"],
    ["'%s'.format([dyn(quantity('1'))])", "string clause can only be used on strings, bools, bytes"],
    ["'%s %s'.format(dyn(['a']))", "index 1 out of range"],
    ["'%f'.format(['inf'])", "fixed-point clause can only be used on doubles, was given string"],
    ["'%b'.format(['a'])", "only integers and bools can be formatted as binary, was given string"],
    [
      "'%x'.format([0.5])",
      "only integers, byte buffers, and strings can be formatted as hex, was given double",
    ],
    ["'%s %s'.format(['a'])", "index 1 out of range"],
    ["'%q'.format([])", "index 0 out of range"],
    ["'%'.format(['a'])", "unexpected end of string"],
    ["'%.34'.format([5.0])", "error while parsing precision: could not find end of precision specifier"],
    [
      "'%.f'.format([5.0])",
      'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
    ],
    ["'%q'.format(['a'])", "unrecognized formatting clause"],
    ["'%.200f'.format([1.0])", "precision must be at most 20"],
  ])("%s fails with a clear error", (text, problem) => {
    expect(() => evaluate(text)).toThrow(problem);
  });

  test.each([
    ["self.name.or('x')", "found no matching overload for 'or' applied to 'string.(string)'"],
    ["true == self.replicas < 4", "1:6: found no matching overload for '_==_' applied to '(bool, int)'"],
    ["1 == (self.replicas) < 4", "1:22: found no matching overload for '_<_' applied to '(bool, int)'"],
    ["self.?name.orValue(1)", "found no matching overload for 'orValue'"],
    ["self.?nothing", "undefined field 'nothing'"],
    ["self.?name + 'x'", "found no matching overload for '_+_' applied to '(optional_type(string), string)'"],
    ["self.?name.optMap(1, 2)", "must be a simple identifier"],
    ["[?1]", "ERROR: <input>:1:3: expected type 'optional_type(int)' but found 'int'"],
    ["{?'a': 'b'}", "ERROR: <input>:1:8: expected type 'optional_type(string)' but found 'string'"],
    ["[1, ?optional.of('a')]", "expected type 'int' but found 'string'"],
    ["quantity(1)", "found no matching overload for 'quantity' applied to '(int)'"],
    ["sets.union([1], [2])", "undeclared reference to 'sets'"],
    ["[1, 'a'].format('x')", "found no matching overload for 'format' applied to 'list(dyn).(string)'"],
    ["quantity('1').sign()", "found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'"],
    ["url('https://a') == 1", "'_==_' applied to '(kubernetes.URL, int)'"],
    ["self.since + 1", "'_+_' applied to '(timestamp, int)'"],
    ["[null, 1]", "1:8: expected type 'null' but found 'int'"],
    ["['a', self.port]", "1:11: expected type 'string' but found 'dyn'"],
    ["[self.port, 1]", "1:13: expected type 'dyn' but found 'int'"],
    ["{'a': 1, self.port: 2}", "expected type 'string' but found 'dyn'"],
    ["[self.since, null]", "expected type 'timestamp' but found 'null'"],
    ["[[1], [self.port]]", "expected type 'list(int)' but found 'list(dyn)'"],
    ["timestamp(253402300800) > self.since", "1:11: invalid timestamp argument"],
    ["timestamp(-62135596801) > self.since", "invalid timestamp argument"],
    [
      "self.paused && self.replicas && 'a'",
      /1:20: expected type 'bool' but found 'int'\n.*\n.*\n.*1:33: expected type 'bool' but found 'string'/,
    ],
    ["9223372036854775808 > 0", "1:1: invalid int literal"],
    ["self.name in [as]", "1:15: reserved identifier: as"],
    ["has(self.ports[0])", "1:15: invalid argument to has() macro"],
    ["[1].existsOne(x, x > 0)", "undeclared reference to 'existsOne'"],
    [
      "self.?port.orValue(1) + self.name + []",
      "no matching overload for '_+_' applied to '(string, list(dyn))'",
    ],
    [
      "'%d'.format([self.name])",
      "ERROR: <input>:1:18: error during formatting: decimal clause can only be used on integers, was given string",
    ],
    [
      "'%d %x'.format([1, 0.5])",
      "ERROR: <input>:1:20: error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given double",
    ],
    [
      "'%s'.format([[1, self]])",
      "ERROR: <input>:1:18: error during formatting: string clause can only be used on strings,",
    ],
    ["'%s'.format([{'a': quantity('1')}])", "string clause can only be used on strings,"],
    ["'%s %s'.format(['a'])", "ERROR: <input>:1:15: index 1 out of range"],
    ["'%s %s'.format(['a', 'b', 'c'])", "too many arguments supplied to string.format (expected 2, got 3)"],
    ["'%%'.format([1])", "too many arguments supplied to string.format (expected 0, got 1)"],
    ["'%j'.format([123])", 'could not parse formatting clause: unrecognized formatting clause "j"'],
    ["'filler %'.format([])", "unexpected end of string"],
  ])("%s does not compile", (text, problem) => {
    expect(() => compileCel(text, { self, oldSelf: self })).toThrow(problem);
  });

  // Kubernetes 1.31 estimates the same.
  test.each([
    ["isQuantity('1')", 1],
    ["sign(quantity('1').add(quantity('2')))", 4],
    ["cidr('10.0.0.0/8').containsIP(ip('10.0.0.1'))", 6],
    ["cidr('10.0.0.0/8').containsIP('10.0.0.1')", 6],
    ["cidr('10.0.0.0/8').containsCIDR(cidr('10.0.0.0/9'))", 9],
    ["format.dns1123Label().validate('0123456789x')", 65],
    ["sets.contains([1, 2], [1, 2, 3])", 27],
    ["sets.equivalent([1, 2], [1, 2, 3])", 33],
    ["self.?name", 2],
    ["url('https://a/b') == url('https://a/c')", 6],
  ])("the estimated cost of %s is %d", (text, cost) => {
    expect(compileCel(text, { self, oldSelf: self }).cost).toBe(cost);
  });

  test("hostile values end in an error of the budget, or are small work", () => {
    const list = (count: number) => `[${Array.from({ length: count }, (_, index) => `${index}`).join(", ")}]`;
    expect(() => evaluate(`sets.equivalent(${list(900)}, ${list(900)})`, 100_000)).toThrow(CelBudgetError);
    expect(() =>
      evaluate(`'%s'.format([self.name])${".format([self.name])".repeat(30)}.size() > 0`, 5),
    ).toThrow(CelBudgetError);
    const long = "9".repeat(30_000);
    const signs = '\\"'.repeat(1000);
    const boats = "🚤".repeat(1000);
    for (const text of [
      `strings.quote('${signs}')`,
      `'%s'.format([['${signs}']])`,
      `'${"%%".repeat(1000)}'.format([])`,
      `'${boats}'.split('')`,
      `'${boats}'.split('', 500)`,
      `'${"a".repeat(1000)}'.split('a')`,
      `'${boats}'.replace('', 'b')`,
      `'${boats}'.substring(1)`,
      `'${boats}'.indexOf('b')`,
    ]) {
      expect(() => evaluate(text, 900), text.slice(-30)).toThrow(CelBudgetError);
      expect(() => evaluate(text), text.slice(-30)).not.toThrow();
    }
    for (const text of [`ip('${long}')`, `cidr('${long}/8')`, `quantity('${long}')`]) {
      expect(() => evaluate(text)).toThrow(/parse error|quantities must match|conversion error/);
    }
  });
});
