import { describe, expect, test } from "vitest";
import { compiledRules, defaultRuleEnvironment } from "./compiled-rules.js";
import { parseStructuralSchema } from "./parse-schema.js";
import { countMax } from "./rule-types.js";

// The costs are those that the validation of definitions in kube-apiserver 1.31 computes for the same schema.

const text = { type: "string" };
const texts = { type: "array", items: text };

const properties = {
  a: text,
  b: { type: "string", maxLength: 20 },
  l: {
    type: "array",
    items: { type: "object", properties: { n: { type: "integer" }, t: text }, required: ["t"] },
  },
  m: { type: "object", additionalProperties: { type: "string", maxLength: 10 } },
  names: { type: "array", maxItems: 10, items: { type: "string", maxLength: 5 } },
  nums: { type: "array", items: { type: "integer" } },
  o: { type: "object", properties: { deep: text } },
  ios: { "x-kubernetes-int-or-string": true },
  d: { type: "string", format: "duration" },
  d2: { type: "string", format: "duration" },
  t1: { type: "string", format: "date-time" },
  t2: { type: "string", format: "date" },
  by: { type: "string", format: "byte" },
  e: { type: "string", enum: ["one", "three"] },
  n: { type: "integer" },
  f: { type: "number" },
  oldx: text,
  set1: { ...texts, "x-kubernetes-list-type": "set" },
  emb: { type: "object", "x-kubernetes-embedded-resource": true, properties: { x: text } },
  bool1: { type: "boolean" },
  nested: { type: "array", items: { type: "array", maxItems: 3, items: text } },
};

function estimated(rule: string, required: readonly string[] = [], messageExpression = "'x' + self.a") {
  const rules = [{ rule, messageExpression }];
  const schema = parseStructuralSchema(
    { type: "object", properties, required, "x-kubernetes-validations": rules },
    "x-kubernetes-",
  );
  const [compiled] = compiledRules(schema, false, defaultRuleEnvironment);
  return {
    problem: compiled?.problem,
    cost: compiled?.program?.cost,
    message: compiled?.message?.cost,
    count: countMax(schema),
  };
}

describe("the estimated cost of a rule", () => {
  test.each<[rule: string, cost: number]>([
    ["self.a.size() > 1", 4],
    ["self.l.all(x, x.n > 0)", 1_887_435],
    ["self.l.exists(x, x.t == self.a)", 98_958_374_335],
    ["self.l.exists_one(x, x.t == 'a')", 1_572_864],
    ["self.l.filter(x, x.n > 1).size() > 2", 5_033_167],
    ["self.l.map(x, x.t).all(t, t.matches('^a+$'))", 5_976_882],
    ["self.m.all(k, self.m[k] != k)", 3_145_723],
    ["self.m['a'].startsWith('b')", 4],
    ["'a' in self.m", 3],
    ["self.a in ['a','b']", 14],
    ["self.a in self.names", 14],
    ["has(self.a) && has(self.o.deep)", 3],
    ["!has(self.a) || self.a == 'x'", 5],
    ["type(self.ios) == string ? self.ios.matches('[0-9]+%') : self.ios > 5", 629_152],
    ["string(self.ios).size() < 3", 314_577],
    ["self.a + self.b == 'ab'", 314_586],
    ["self.names + self.names == []", 15],
    ["self.b.lowerAscii().upperAscii().trim() == 'x'", 27],
    ["self.b.replace('a','bcd').contains('d')", 42],
    ["self.b.replace('','bcd').size() > 1", 20],
    ["self.a.split(',').all(p, p.size() < 3)", 19_503_505],
    ["self.a.split(',', 3).size() == 3", 629_150],
    ["self.names.isSorted()", 32],
    ["self.names.join('--').size() > 4", 26],
    ["self.nums.sum() > 5 && self.nums.max() > self.nums.min()", 4_718_597],
    ["self.names.indexOf('x') > 0", 33],
    ["self.a.indexOf('x') > 0 && self.a.lastIndexOf('x', 2) > 1", 629_152],
    ["self.a.find('[a-z]+') != '' && self.a.findAll('[a-z]').size() > 1", 1_258_298],
    ["url(self.a).getHost() == 'x' && isURL(self.b)", 314_580],
    ["duration(self.a) > duration('1s')", 5],
    ["self.d > self.d2", 5],
    ["self.t1 < self.t2", 5],
    ["timestamp(self.a) < self.t1", 6],
    ["self.by == b'abc'", 3],
    ["bytes(self.a) == self.by && string(self.by) == self.a", 1_258_300],
    ["self.a.charAt(2) == 'x' && self.a.substring(1,2) != ''", 314_579],
    ["self.e == 'one'", 3],
    ["self.n == -1 && self.n % 2 == 0 && self.f < 1.5", 9],
    ["self.oldx == oldSelf.oldx", 314_577],
    ["self.o == oldSelf.o", 4],
    ["self.l == oldSelf.l", 31_462],
    ["self.set1 + self.set1 == self.set1", 104_865],
    ["[1,2,3].exists(x, x == self.n)", 32],
    ["{'a': 1, 'b': self.n}['a'] == 1", 33],
    ["dyn(self.n) == 1", 4],
    ["int(self.a) > 1 && double(self.a) > 1.0", 8],
    ["(self.n > 1 ? self.a : self.b).matches('x')", 314_578],
    ["self.l[0].t == 'x'", 5],
    ["self.emb.metadata.name == 'x'", 5],
    ["self.a < self.b", 12],
    ["self.a.matches(self.b)", 6_291_464],
    ["self.m.map(k, self.m[k]).exists(v, v == 'a')", 8_257_529],
    ["size(self.names) == 3 && size(self.a) == 2", 8],
    ["self.bool1 || !self.bool1", 5],
    ["matches(self.a, '^x')", 3],
    ["self.a.contains('xyzxyzxyzxyzxyz')", 629_148],
    ["self.nested.all(r, r.all(c, c.contains('a')))", 989_577_976_203],
  ])("%s", (rule, cost) => {
    expect(estimated(rule)).toMatchObject({ problem: undefined, cost });
  });

  test("a message is estimated like a rule", () => {
    expect(estimated("true").message).toBe(314_575);
  });

  test("a printed number is a text without a limit, as in Kubernetes", () => {
    expect(estimated("true", [], "string(self.n)").message).toBe(3);
    expect(estimated("true", [], "'at least ' + string(self.n)").message).toBeGreaterThan(1e18);
  });

  test("the message of a rule that does not compile is not compiled", () => {
    const schema = parseStructuralSchema(
      { type: "object", "x-kubernetes-validations": [{ rule: "nothing", messageExpression: "nothing" }] },
      "x-kubernetes-",
    );
    const [compiled] = compiledRules(schema, false, defaultRuleEnvironment);
    expect(compiled?.problem).toContain("undeclared reference");
    expect(compiled?.messageProblem).toBeUndefined();
  });

  test("as many values count as fit into a request where no limit is declared", () => {
    expect(estimated("true").count).toBe(1_048_576);
    expect(estimated("true", ["a", "n"]).count).toBe(196_608);
  });
});

// Messages and positions of kube-apiserver 1.31.
test.each<[rule: string, column: number, problem: string]>([
  ["foo(self.a)", 4, "undeclared reference to 'foo' (in container '')"],
  ["self.b.quote() == ''", 13, "undeclared reference to 'quote' (in container '')"],
  ["self.a.contains( 1 )", 16, "found no matching overload for 'contains' applied to 'string.(int)'"],
  ["size(5)", 5, "found no matching overload for 'size' applied to '(int)'"],
  ["self.n.size()", 12, "found no matching overload for 'size' applied to 'int.()'"],
  ["self.l.all(x, x.foo())", 20, "undeclared reference to 'foo' (in container '')"],
  ["self.a[0]", 7, "found no matching overload for '_[_]' applied to '(string, int)'"],
  ["self.a ? 1 : 2", 8, "found no matching overload for '_?_:_' applied to '(string, int, int)'"],
  ["self.a == null", 8, "found no matching overload for '_==_' applied to '(string, null)'"],
  ["self.a && true", 5, "expected type 'bool' but found 'string'"],
  ["has(self.zz)", 4, "undefined field 'zz'"],
  ["has(self.a.b)", 4, "type 'string' does not support field selection"],
  ["self.a.matches('(')", 16, "invalid matches argument"],
])("%s does not compile", (rule, column, problem) => {
  const dots = ".".repeat(column - 1);
  expect(estimated(rule).problem).toBe(
    `compilation failed: ERROR: <input>:1:${column}: ${problem}\n | ${rule}\n | ${dots}^`,
  );
});

test("a rule is a condition, and a message a text", () => {
  expect(estimated("self.n").problem).toBe("cel expression must evaluate to a bool");
});
