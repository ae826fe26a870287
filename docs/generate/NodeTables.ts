/** The tables of docs/formulas.md: how each node is written as text, its fields, and what it gives. */

/** One row: texts that are examples, the node with its fields in words, and its meaning. */
export interface NodeRow {
  readonly texts: ReadonlyArray<string>;
  readonly node: string;
  readonly gives: string;
}

const row = (texts: ReadonlyArray<string>, node: string, gives: string): NodeRow => ({ texts, node, gives });

/** Constants as text, and what they mean. */
export const VALUES: ReadonlyArray<readonly [text: string, means: string]> = [
  ["12.5", "12.5"],
  ["7.5 %", "0.075"],
  ["250 bp", "0.025; 100 basis points are one percent"],
  ['"EU"', "the text EU; capital and small letters differ"],
  ["true", "yes or no"],
  ["2026-01-01", "midnight UTC of that day; `2026-01-01T09:30:00+02:00` names a moment"],
];

/** The rows of each table, by its name in the template. */
export const NODE_TABLES: ReadonlyMap<string, ReadonlyArray<NodeRow>> = new Map([
  [
    "reading",
    [
      row(["amount", "[order total]"], "`property`: `name`", "the property of that name"),
      row(
        ["sale.occurred_at"],
        "`attribute`: `name`",
        "a field that every attribution has: `occurred_at` (the date it counts for), `created_at` (when it was recorded) and `occurred_on` (the calendar day that it counts for, at midnight UTC) are dates, `id`, `partner_id`, `customer_id`, `workspace_id` and `schema_id` are texts, `agent_id` is a text that may be absent; `credit_role` (a text), `credit_share` and `credit_depth` (numbers) are those of the partner's part of the sale, `sellers_commission` (a number) is what the sellers below the partner earn from it",
      ),
      row(
        ["plan.rate"],
        "`parameter`: `name`",
        "the value that the partner has for a [parameter](#parameters)",
      ),
      row(["7.5 %"], "`literal`: `value`", "the value written in it"),
      row(["net = amount * 90 %; net"], "`variable`: `name`", "a step that has been named"),
    ],
  ],
  [
    "calculating",
    [
      row(
        ["a + b", "a * b"],
        "`add`, `multiply`: `operands`, a list",
        "the sum, the product; of one operand `add(a)`, `multiply(a)`",
      ),
      row(
        ["a - b", "a / b"],
        "`subtract`, `divide`: `left`, `right`",
        "left minus right, left divided by right",
      ),
      row(["min(a, b)", "max(a, b)"], "`min`, `max`: `operands`, a list", "the smallest, the largest"),
      row(
        ["round(a)", "round(a, half even)", "round(a, down, to 5)"],
        "`round`: `operand`, `mode`, `increment?`",
        "the operand brought to a multiple of the increment (1 when left out); the mode is `half_up` where the text states none",
      ),
      row(
        ["bands(a) { up to 10: 30; else: 40 }", "bands(a, exclusive) { below 10: 30; else: 40 }"],
        "`band`: `input`, `upper_bound?`, `bands` (each `up_to`, `value`; the last without `up_to`)",
        "the value of the band that the input falls into",
      ),
      row(
        [
          "tiers(a) { up to 1000: 5 %; else: 8 % }",
          "tiers(a, after b) { up to 1000: 5 %; else: 8 % plus 10 }",
        ],
        "`graduated`: `amount`, `offset?`, `tiers` (each `up_to`, `rate`, `flat?`; the last without `up_to`)",
        "the commission on an amount whose parts earn different rates",
      ),
    ],
  ],
  [
    "choosing",
    [
      row(
        ["a = b", "a <> b", "a < b", "a <= b", "a > b", "a >= b"],
        "`compare`: `operator`, `left`, `right`",
        "yes or no; the operators are `equal`, `not_equal`, `less_than`, `less_than_or_equal`, `greater_than`, `greater_than_or_equal`; the last four take numbers or dates",
      ),
      row(
        ["a and b", "a or b"],
        "`and`, `or`: `operands`, a list",
        "yes when all are, when any is; of one operand `all(a)`, `any(a)`",
      ),
      row(["not a"], "`not`: `operand`", "the opposite"),
      row(
        ['country in ("DE", "AT")', 'country not in ("DE", "AT")'],
        "`in`: `operand`, `values`; with `not` around it",
        "whether the operand is one of the values, whether it is none",
      ),
      row(
        ['sku starts with "PRO-"', 'sku ends with "-X"', 'sku contains "GIFT"'],
        "`text_match`: `operator`, `operand`, `text`",
        "whether a text `starts_with`, `ends_with` or `contains` the given one, which is taken as it is",
      ),
      row(
        ["if a then x else y", "if a then x else if b then y else z"],
        "`case`: `branches` (each `when`, `then`), `else`",
        "the `then` of the first branch whose `when` is yes",
      ),
      row(
        ['choose plan { "pro": 9 %; "team": 7 %; else: 5 % }'],
        "`lookup`: `key`, `entries` (each `key`, `value`), `default`",
        "the value of the matching key",
      ),
    ],
  ],
  [
    "missing",
    [
      row(
        ["(discount ?? 0)", "a ?? b ?? c"],
        "`coalesce`: `operands`, a list",
        "the first one that is present; end it with something that always is; of one operand `first(a)`",
      ),
      row(
        ["discount is present", "discount is not present"],
        "`is_present`: `operand`; with `not` around it",
        "whether there is a value, whether there is none",
      ),
    ],
  ],
  [
    "dates",
    [
      row(
        ["date(signed)"],
        "`parse_date`: `operand`, a text",
        "the date that a text names, as `2026-01-31` or as `2026-01-31T09:30:00Z`; absent when it names none",
      ),
      row(
        ["month of sale.occurred_at", "weekday of date(signed)"],
        "`date_part`: `part`, `operand`",
        "the `year`, `quarter`, `month`, `day` or `day_of_week` (`weekday`, Monday is 1) as a number",
      ),
      row(
        ["months from a to sale.occurred_at"],
        "`date_difference`: `unit`, `from`, `to`",
        "the complete `days`, `months` or `years` between two dates",
      ),
    ],
  ],
  [
    "naming",
    [
      row(
        ["net = amount * 90 %; net * 10 %", "(net = amount * 90 %; net * 10 %)"],
        "`let`: `bindings` (each `name`, `value`), `body`",
        "the body, in which each name stands for its value; within a formula in parentheses, with semicolons",
      ),
    ],
  ],
  [
    "earlier",
    [
      row(
        ["sum of amount earlier this month", 'count earlier ever by client where country = "DE"'],
        "`aggregate`: `function`, `value?`, `where?`, `window`, `group_by?`, `role?`",
        "the `sum`, `count`, `min` or `max` over earlier sales",
      ),
    ],
  ],
]);
