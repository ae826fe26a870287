import { Either } from "effect";
import { formatTextProblem, type PropertyDefinition, parse, parseFor } from "quittance/formula";
import { describe, expect, it } from "vitest";

const properties: ReadonlyArray<PropertyDefinition> = [
  { name: "amount", type: "number", required: true },
  { name: "days", type: "number", required: true },
  { name: "country", type: "string", required: true },
  { name: "discount", type: "number", required: false },
  { name: "order total", type: "number", required: true },
  { name: "urgent", type: "boolean", required: false },
  { name: "code", type: "string", required: false },
];

const problems = (text: string): ReadonlyArray<string> =>
  Either.match(parseFor(text, properties), {
    onLeft: (found) => found.map(formatTextProblem),
    onRight: () => ["accepted"],
  });

/** Texts with the line, the column and the message of their only mistake. */
const MISTAKES: ReadonlyArray<readonly [text: string, at: `${number}:${number}`, message: string]> = [
  // Names.
  ["amuont * 10 %", "1:1", "unknown name 'amuont'; did you mean 'amount'?"],
  ["amount * rate", "1:10", "unknown name 'rate'"],
  [
    "20 % of sellers_commission",
    "1:9",
    "unknown name 'sellers_commission'; did you mean 'sale.sellers_commission'?",
  ],
  ["[order totals] * 2", "1:1", "unknown name 'order totals'; did you mean 'order total'?"],
  ["a = amount\n`b` * a", "2:1", "nothing before binds `b`"],
  ["rate = 5 %\nrate = 6 %\nrate * amount", "2:1", "`rate` is bound twice"],
  [
    "days from sale.occured_at to sale.created_at",
    "1:16",
    "unknown attribute of sale 'occured_at'; did you mean 'occurred_at'?",
  ],
  ["ROUND(amount)", "1:1", "unknown function 'ROUND'; did you mean 'round'?"],
  ["(count earlier this month by contry) * 2", "1:30", "unknown name 'contry'; did you mean 'country'?"],
  ["amount AND 5", "1:8", "expected an operator or the end of the line, found \"AND\"; did you mean 'and'?"],
  // Types.
  ["amount *\n  country", "2:3", "must be a number, found a text"],
  ["amount - discount", "1:10", "value may be absent; say what counts then, as in (… ?? 0)"],
  [
    "if urgent then 5 else 0",
    "1:4",
    "a true/false value may be absent; say what counts then, as in (… ?? false)",
  ],
  ['if code = "A" then 5 else 0', "1:4", 'a text may be absent; say what counts then, as in (… ?? "")'],
  ["day of date(country)", "1:8", "a date may be absent; say what counts then, as in (… ?? 1970-01-01)"],
  [
    "if amount > 5 then 3 else country",
    "1:27",
    "must be a number like the value at line 1, column 20, found a text",
  ],
  ["amount > 5", "1:1", "must be a number, found a true/false value"],
  ['if amount in (1, "a") then 1 else 2', "1:18", "must be a number like the operand, found a text"],
  ["choose country { 5: 1; else: 2 }", "1:18", "must be a text like the key, found a number"],
  ['choose country {\n  "DE": 1;\n  "DE": 3;\n  else: 2\n}', "3:3", "repeats the key of an earlier row"],
  [
    "tiers(amount) { up to 1000: 5 %; up to 500: 7 %; else: 8 % }",
    "1:40",
    "must be greater than the one before: 500 does not exceed 1000",
  ],
  [
    "count earlier this month by country, amount",
    "1:38",
    "`amount` is a number; only text and true/false properties can group",
  ],
  // Numbers, texts and dates.
  ["0.1234567890123456", "1:1", "a number has at most 15 significant digits; a third is 1 / 3"],
  ["amount * 1.0000000000000001", "1:10", "a number has at most 15 significant digits; a third is 1 / 3"],
  ["amount + 0.0000000000001", "1:10", "must have at most 12 decimals"],
  [
    "amount * 7,5 %",
    "1:11",
    'expected an operator or the end of the line, found ","; decimals stand after a point, and thousands have no sign: 1234.5',
  ],
  [
    "max(10,000, amount)",
    "1:5",
    "10,000 has two meanings; expected a number without commas, or a blank after the comma of a list",
  ],
  ["amount * 1e3", "1:10", "1e3 is neither a number such as 12.5 nor a name"],
  ["12-5", "1:1", "expected blanks around - for a subtraction, or a date such as 2026-01-31"],
  [
    "days from 2026-02-30 to sale.created_at",
    "1:11",
    "2026-02-30 is no date; expected one such as 2026-01-31 or 2026-01-31T09:30:00Z",
  ],
  ["-amount", "1:1", '"-" is the sign of a number only; the opposite of an amount is 0 - amount'],
  [
    'if country = "DE then 1 else 2',
    "1:14",
    'the text that begins here has no end; expected " on the same line',
  ],
  [
    'if country = "D\\E" then 1 else 2',
    "1:16",
    'expected one of \\\\, \\", \\n and \\u{…} after the backslash',
  ],
  ["if country = “DE” then 1 else 2", "1:14", 'expected " instead of “'],
  [
    'if country = "D\u202eE" then 1 else 2',
    "1:16",
    "an invisible character is written \\u{202e}, and only within quotation marks",
  ],
  ["amount\u200b * 2", "1:7", "an invisible character is written \\u{200b}, and only within quotation marks"],
  [
    "amount * 2 # \u2067 comment",
    "1:14",
    "an invisible character is written \\u{2067}, and only within quotation marks",
  ],
  ["amount × 2", "1:8", "expected * instead of ×"],
  ["if amount != 5 then 1 else 2", "1:11", "expected <> instead of !="],
  ["amount $ 2", "1:8", '"$" is no sign of the language; a name with it is written [in brackets]'],
  // Operators.
  ["", "1:1", "expected a formula such as amount * 10 %, found the end of the text"],
  ["amount *", "1:9", "expected a value, a name or (, found the end of the text"],
  ["(amount * 2", "1:12", 'expected ")" or an operator, found the end of the text'],
  ["amount * 2)", "1:11", 'expected an operator or the end of the line, found ")"'],
  [
    "amount / days ?? 0",
    "1:15",
    'put what "??" applies to in parentheses, as in (a / b) ?? 0 or a / (b ?? 0)',
  ],
  [
    "discount ?? amount * 2",
    "1:20",
    'put what "??" applies to in parentheses, as in (a / b) ?? 0 or a / (b ?? 0)',
  ],
  [
    "if 0 < amount < 5 then 1 else 2",
    "1:15",
    'comparisons cannot be chained; join two with "and", as in a < b and b < c',
  ],
  ["10 of amount", "1:4", 'expected an operator or the end of the line, found "of"'],
  ["5 + if amount > 5 then 1 else 2", "1:5", 'put "if …" in parentheses to calculate with it'],
  // Forms.
  [
    "if amount > 5 then 3",
    "1:21",
    'expected "else", because every if has one, or an operator, found the end of the text',
  ],
  ["if(amount > 5, 3, 4)", "1:14", 'expected ")" or an operator, found ","'],
  [
    "round(amount, 2)",
    "1:15",
    'expected "to" and a number, or one of half up, half down, half even, up, down, ceiling, floor, found "2"',
  ],
  [
    "tiers(amount) { up to 1000: 5 %\n  up to 5000: 7 %; else: 8 % }",
    "2:3",
    'expected ";" and another row, the last of which is "else: …", found "up"',
  ],
  [
    "tiers(amount) { up to 1000: 5 % }",
    "1:33",
    'expected ";" and another row, the last of which is "else: …", found "}"',
  ],
  [
    "bands(amount) { below 5: 1; else: 2 }",
    "1:17",
    'expected "up to"; "below" stands in bands(…, exclusive), or "else:", found "below"',
  ],
  ["sum of amount this month", "1:15", 'expected "earlier" and "this month" or another span, found "this"'],
  ["sum amount earlier ever", "1:5", 'expected "of" after "sum", found "amount"'],
  ["sum of amount earlier this week", "1:28", 'expected one of month, quarter, year, found "week"'],
  [
    "count earlier this year from Arpil",
    "1:30",
    'expected the name of a month, such as April, found "Arpil"',
  ],
  ["count earlier this quarter from 2", "1:33", 'expected the name of a month, found "2"'],
  [
    "count earlier this month from April",
    "1:15",
    "only a quarter or a year can start in a month of your choice",
  ],
  [
    "count earlier this month since plan.joined_on",
    "1:26",
    'expected another span; "since" stands after "this year", found "since"',
  ],
  [
    "count earlier this year since amount",
    "1:31",
    'expected the name of a parameter, such as plan.start_date, found "amount"',
  ],
  ["count earlier this year since plan.1", "1:36", 'expected the name of a parameter, found "1"'],
  [
    "sum of amount earlier this month + 5",
    "1:34",
    'put "sum of amount earlier this month" in parentheses to calculate with it or to compare it',
  ],
  ["count of amount earlier ever", "1:10", 'count counts sales; expected "count earlier …"'],
  // Lines.
  [
    "a = 5",
    "1:6",
    "expected another line with the result, where a comparison stands in parentheses, found the end of the text",
  ],
  [
    "amount\n# more\ndays",
    "3:1",
    "only the last line is the result; begin this one with an operator, or give the one before a name, as in rate = 10 %",
  ],
  ["(a = 1; b = 2)", "1:14", 'expected ";" and the result after it, as in (a = 1; a + 2), found ")"'],
  ["\r\n\r\namount *\r\n  amuont", "4:3", "unknown name 'amuont'; did you mean 'amount'?"],
  ["😀", "1:1", '"😀" is no sign of the language; a name with it is written [in brackets]'],
  ['(if "😀😀" = country then 1 else 2) + x', "1:37", "unknown name 'x'"],
];

describe("a mistake", () => {
  it.each(MISTAKES)("in %j is found at %s", (text, at, message) => {
    const [line, column] = at.split(":");
    expect(problems(text)).toEqual([`line ${line}, column ${column}: ${message}`]);
  });

  it("does not hide those of other lines, up to ten", () => {
    expect(problems("a = amuont * 2\nb = a * contry )\nb * c")).toEqual([
      "line 1, column 5: unknown name 'amuont'; did you mean 'amount'?",
      "line 2, column 9: unknown name 'contry'; did you mean 'country'?",
      expect.stringMatching(/^line 2, column 16: expected /),
      "line 3, column 5: unknown name 'c'",
    ]);
    expect(problems("x\n".repeat(40))).toHaveLength(10);
  });

  it("has its place as offsets too", () => {
    const text = "amount *\n  [order totals]";
    const [problem] = Either.getOrElse(Either.flip(parseFor(text, properties)), () => []);
    expect(text.slice(problem?.start, problem?.end)).toBe("[order totals]");
  });
});

describe("names", () => {
  const parsed = (text: string) => Either.getOrThrow(parse(text));

  it("are the nearest variable, else the property, also inside aggregates", () => {
    expect(parsed("amount = amount * 2\namount + [amount] + (sum of amount earlier ever)")).toMatchObject({
      bindings: [{ value: { operands: [{ type: "property" }, {}] } }],
      body: { operands: [{ type: "variable" }, { type: "property" }, { value: { type: "variable" } }] },
    });
    expect(parsed("(a = 1; a) + a")).toMatchObject({
      operands: [{ body: { type: "variable" } }, { type: "property" }],
    });
  });

  it("are any property without a schema, and only its own with one", () => {
    expect(Either.isRight(parse("anything * 2"))).toBe(true);
    expect(Either.isRight(parse("anything * 2", { properties: ["something"] }))).toBe(false);
  });

  it("may be words of the language where these cannot stand", () => {
    expect(parsed("sum of count earlier ever")).toMatchObject({ value: { type: "property", name: "count" } });
    expect(parsed("days from date to month")).toMatchObject({
      from: { name: "date" },
      to: { name: "month" },
    });
    expect(parsed("plan + sale + up + last + round")).toMatchObject({ operands: { length: 5 } });
  });
});

describe("the text form", () => {
  const same = (a: string, b: string): void => expect(parse(a)).toEqual(parse(b));

  it("continues a line that begins or ends with an operator, and within brackets", () => {
    same("a = 1\n  + 2\na *\n  3", "a = 1 + 2\na * 3");
    same(
      "tiers(amount)\n{\n  up to 5: 1 %;\n  else: 2 %\n}\n * 3",
      "tiers(amount) { up to 5: 1 %; else: 2 % } * 3",
    );
    same("rate =\n  if amount > 5 then 1\n  else 2\nrate", "rate = if amount > 5 then 1 else 2\nrate");
    same(
      "sum of amount\n earlier ever\n by country\n where a = 1",
      "sum of amount earlier ever by country where a = 1",
    );
  });

  it("separates lines by semicolons too, and skips comments, blank lines and a mark of byte order", () => {
    same("\ufeff# a plan\n\na = 1 ; a * 2  # twice\n\n", "a = 1\na * 2");
  });

  it("reads a share of something as a product", () => {
    same("10 % of amount", "amount * 10 %");
    same("10 % of amount * 100", "amount * 10 % * 100");
    same("2 * 10 % of amount / 3", "2 * amount * 10 % / 3");
    same("250 bp of (a + b)", "(a + b) * 250 bp");
  });

  it("keeps nodes apart by parentheses, and drops those that change nothing", () => {
    expect(parse("(a + b) + c")).not.toEqual(parse("a + b + c"));
    expect(parse("(10 % of a) * 2")).not.toEqual(parse("10 % of a * 2"));
    same("((a)) * (b) + ((c))", "a * b + c");
    same("not (not (a = b))", "not not a = b");
  });

  it("reads denials in both forms", () => {
    same('a not in ("x")', 'not a in ("x")');
    same("a is not present", "not (a is present)");
  });

  it("takes blanks of other widths and none around signs", () => {
    same("amount\u00a0*\u202f7.5\u202f%+1", "amount * 7.5 % + 1");
  });

  it("has 128 KiB at most", () => {
    const comment = (bytes: number): string => `1 #${"é".repeat((bytes - 3) / 2)}`;
    expect(Either.isRight(parse(comment(131_071)))).toBe(true);
    expect(problems(comment(131_073))).toEqual(["line 1, column 1: the text is larger than 128 KiB"]);
  });

  it("has 200 brackets inside each other at most", () => {
    const nested = (depth: number): string => `${"(".repeat(depth)}1${")".repeat(depth)}`;
    expect(problems(nested(200))).toEqual(["accepted"]);
    expect(problems(nested(201))).toEqual(["line 1, column 201: brackets can be nested 200 deep at most"]);
    expect(problems(`${"not ".repeat(300)}a`)).toEqual([expect.stringMatching(/200 deep at most$/)]);
  });
});
