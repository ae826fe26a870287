import { Either, Schema } from "effect";
import * as fc from "fast-check";
import {
  Calendar,
  Currency,
  Document,
  Ids,
  Limits,
  Money,
  Partner,
  Properties,
  Text,
  Timestamp,
} from "quittance";
import { describe, expect, it } from "vitest";

describe("timestamps", () => {
  it.each([
    ["2026-01-31T10:00:00Z", "2026-01-31T10:00:00.000Z"],
    ["2026-01-31T10:00:00.123456+02:00", "2026-01-31T08:00:00.123Z"],
    ["2024-02-29t23:59:59.9-00:30", "2024-03-01T00:29:59.900Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("reads %s", (text, expected) => {
    const parsed = Timestamp.parse(text);
    expect(parsed === null ? null : Timestamp.format(parsed)).toBe(expected);
  });

  it.each([
    "2026-01-31",
    "2026-01-31T10:00:00",
    "2026-02-29T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-06-30T23:59:60Z",
    "0000-01-01T00:00:00Z",
    "0001-01-01T00:00:00+01:00",
    "10000-01-01T00:00:00Z",
    "2026-01-31 10:00:00Z",
    "2026-01-31T10:00Z",
    "",
  ])("refuses %s", (text) => expect(Timestamp.parse(text)).toBe(null));

  it("reads what it writes", () => {
    const range = { min: -62135596800000, max: 253402300799999 };
    fc.assert(
      fc.property(fc.integer(range), (moment) => Timestamp.parse(Timestamp.format(moment)) === moment),
    );
  });
});

describe("ids", () => {
  it("reads UUIDs in any letter case, as lower case", () => {
    const id = Schema.decodeSync(Ids.PartnerId)("AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE");
    expect(id).toBe("aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee");
    expect(() => Schema.decodeSync(Ids.PartnerId)("aaaaaaaa-bbbb")).toThrow("must be a UUID");
  });

  it("makes version 7 of time and randomness", () => {
    const id = Ids.uuidV7(0x0123456789ab, new Uint8Array(10).fill(0xff));
    expect(id).toBe("01234567-89ab-7fff-bfff-ffffffffffff");
  });
});

describe("money", () => {
  it("adds exactly beyond what a double holds", () => {
    const amounts = fc.array(fc.maxSafeInteger(), { maxLength: 50 });
    fc.assert(
      fc.property(
        amounts,
        (list) => Money.sum(list) === list.reduce((total, amount) => total + BigInt(amount), 0n),
      ),
    );
  });

  it("divides half away from zero", () => {
    const expected = (n: bigint, d: bigint): bigint => {
      const [quotient, remainder] = [n / d, n % d];
      const away = 2n * (remainder < 0n ? -remainder : remainder) >= d ? 1n : 0n;
      return quotient + (n < 0n ? -away : away);
    };
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
        fc.bigInt({ min: 1n, max: 10n ** 6n }),
        (n, d) => Money.divideHalfAwayFromZero(n, d) === expected(n, d),
      ),
    );
    expect(Money.divideHalfAwayFromZero(5n, 10n)).toBe(1n);
    expect(Money.divideHalfAwayFromZero(-5n, 10n)).toBe(-1n);
    expect(Money.divideHalfAwayFromZero(-4n, 10n)).toBe(0n);
  });

  it("refuses what is beyond the largest amount", () => {
    expect(Money.fromBigInt(BigInt(Limits.MAX_AMOUNT))).toBe(Limits.MAX_AMOUNT);
    expect(Money.fromBigInt(-BigInt(Limits.MAX_AMOUNT) - 1n)).toBe(null);
  });

  it.each([
    ["EUR", -123450, "-1234.50"],
    ["JPY", 1234, "1234"],
    ["KWD", 5, "0.005"],
  ])("writes %s with its own decimals", (code, amount, expected) => {
    expect(Currency.formatAmount(amount, Schema.decodeSync(Currency.Currency)(code))).toBe(expected);
  });

  it.each(["eur", "XXX", "XAU", "EURO", ""])("knows no currency %s", (code) => {
    expect(Schema.is(Currency.Currency)(code)).toBe(false);
  });
});

describe("buckets", () => {
  const at = (text: string): number => Date.parse(text);
  const starts = (granularity: Calendar.Granularity, from: string, to: string) =>
    Either.map(Calendar.bucketStarts(granularity, at(from), at(to)), (list) => list.map(Timestamp.format));

  it("begin on Monday, whatever day the range begins on", () => {
    expect(starts("week", "2026-01-01T12:00:00Z", "2026-01-12T00:00:00Z")).toEqual(
      Either.right(["2025-12-29T00:00:00.000Z", "2026-01-05T00:00:00.000Z"]),
    );
    expect(starts("week", "2026-01-04T23:59:59.999Z", "2026-01-05T00:00:00Z")).toEqual(
      Either.right(["2025-12-29T00:00:00.000Z"]),
    );
  });

  it("follow months of every length and leap days", () => {
    expect(starts("month", "2024-01-31T00:00:00Z", "2024-03-01T00:00:00.001Z")).toEqual(
      Either.right(["2024-01-01T00:00:00.000Z", "2024-02-01T00:00:00.000Z", "2024-03-01T00:00:00.000Z"]),
    );
  });

  it("are at most a thousand, of a range that is not empty", () => {
    expect(Either.isRight(Calendar.bucketStarts("day", 0, 1000 * 86_400_000))).toBe(true);
    expect(Either.isLeft(Calendar.bucketStarts("day", 0, 1000 * 86_400_000 + 1))).toBe(true);
    expect(Either.isLeft(Calendar.bucketStarts("day", 5, 5))).toBe(true);
  });
});

describe("text", () => {
  it.each([
    ["", false],
    ["  ", false],
    ["a", true],
    ["𝄞".repeat(3), true],
    ["𝄞".repeat(4), false],
    ["a\u0000", false],
    ["a\ud800", false],
  ])("of one to three characters: %j is %s", (text, accepted) => {
    expect(Schema.is(Text.Text(1, 3))(text)).toBe(accepted);
  });
});

describe("properties", () => {
  const definitions = [
    { name: "value", type: "number", required: true },
    { name: "plan", type: "string", required: false, default: "basic" },
  ] as const;
  const problem = (given: Properties.Properties) =>
    Either.match(Properties.conform(given, definitions), {
      onLeft: ({ message }) => message,
      onRight: () => null,
    });

  it("are kept as given, minus zero as zero, without defaults written in", () => {
    const kept = Either.getOrThrow(Properties.conform({ value: -0 }, definitions));
    expect(Object.is(kept.value, 0)).toBe(true);
    expect(Object.keys(kept)).toEqual(["value"]);
    expect(Object.getPrototypeOf(kept)).toBe(null);
  });

  it.each([
    [{}, "properties.value: is required"],
    [{ value: "1" }, "properties.value: must be a number"],
    [{ value: 1, other: 2 }, "properties.other: is not defined by the schema"],
    [{ value: Number.POSITIVE_INFINITY }, "properties.value: must be a number between -1e15 and 1e15"],
    [{ value: 1e-21 }, "properties.value: must have at most 20 decimals"],
    [{ value: 1, plan: "\u0000" }, "properties.plan: must not contain U+0000"],
  ])("%j is refused", (given, expected) => expect(problem(given)).toBe(expected));
});

describe("file names", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\in voice.pdf", "in voice.pdf"],
    ['a"b\r\nX: y.pdf', "abX y.pdf"],
    ["...", "fallback"],
    ["", "fallback"],
    ["x".repeat(300), "x".repeat(100)],
    ["Rechnung für März.pdf", "Rechnung für März.pdf"],
  ])("%j becomes %j", (name, expected) => expect(Document.safeFileName(name, "fallback")).toBe(expected));
});

describe("account numbers", () => {
  it.each([
    ["DK5000400440116243", true],
    ["GB82 WEST 1234 5698 7654 32", true],
    ["DK5000400440116244", false],
    ["nonsense", false],
    ["", false],
  ])("%s is an IBAN: %s", (text, expected) => expect(Partner.isIban(text)).toBe(expected));
});

describe("a bank account's payout problem", () => {
  const IBAN = "DK5000400440116243";
  it.each([
    [IBAN, "NDEADKKK", null],
    ["dk50 0040 0440 1162 43", "ndeadkkkxxx", null],
    ["DK5000400440116244", "NDEADKKK", "the IBAN has not the form or the check digits of an IBAN"],
    [IBAN, "NDEADK", "the BIC has not the form of a BIC"],
    [IBAN, "NDEADKK?", "the BIC has not the form of a BIC"],
    [IBAN, "NDEASESS", "the BIC is of SE, the IBAN of DK"],
    ["GB29NWBK60161331926819", "NWBKJESH", null],
    ["FR1420041010050500013M02606", "AGRIRERX", null],
  ])("%s with %s is %j", (iban, bic, problem) => expect(Partner.payoutProblem({ iban, bic })).toBe(problem));
});
