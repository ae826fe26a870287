import { Either, JSONSchema, Schema } from "effect";
import { Document, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

describe("file names", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\in voice.pdf", "in voice.pdf"],
    ['a"b\r\nX: y.pdf', "abX y.pdf"],
    ["...", "fallback"],
    ["", "fallback"],
    ["x".repeat(300), "x".repeat(100)],
    ["Rechnung für März.pdf", "Rechnung für März.pdf"],
    [" . a.pdf. ", "a.pdf"],
    ["Ma\u0308rz", "März"],
    ["𝄞".repeat(101), "𝄞".repeat(100)],
    ["folder/", "fallback"],
    ["a/b\\c", "c"],
    [`"'\`<>|:*?;%&$#`, "fallback"],
  ])("%j becomes %j", (name, expected) => expect(Document.safeFileName(name, "fallback")).toBe(expected));
});

describe("a kind of document", () => {
  it("has a name in paths", () => {
    expect((["report", "invoice", "credit_note"] as const).map(Document.slug)).toEqual([
      "report",
      "invoice",
      "credit-note",
    ]);
  });
});

describe("the facts of an upload", () => {
  const all = { number: "A-1", date: "2026-01-31", dueDate: "2026-02-28", taxAmount: 5 };
  const message = (kind: Document.DocumentKind, facts: Document.Facts) =>
    Either.match(Document.facts(kind, facts), { onLeft: ({ message }) => message, onRight: () => null });

  it("are number, dates and tax of an invoice or credit note", () => {
    expect(Document.facts("invoice", all)).toEqual(Either.right(all));
    expect(Document.facts("credit_note", {})).toEqual(Either.right({}));
  });

  it("are the number alone of a report", () => {
    expect(Document.facts("report", { number: "R-1" })).toEqual(Either.right({ number: "R-1" }));
    expect(message("report", all)).toBe("date: is not allowed for a report");
    expect(message("report", { date: "2026-01-31" })).toBe("date: is not allowed for a report");
    expect(message("report", { dueDate: "2026-02-28", taxAmount: 0 })).toBe(
      "due_date: is not allowed for a report",
    );
    expect(message("report", { taxAmount: 0 })).toBe("tax_amount: is not allowed for a report");
  });

  it("are validated again when they do not come from a form", () => {
    expect(message("invoice", { ...all, dueDate: "2026-01-30" })).toBe("due_date: must not be before date");
    expect(message("invoice", { ...all, dueDate: "2026-01-31" })).toBe(null);
    expect(message("invoice", { dueDate: "2026-01-30" })).toBe(null);
    expect(message("invoice", { date: "2026-01-30" })).toBe(null);
    expect(message("report", { number: "" })).toBe("number: must not be empty");
    expect(message("invoice", { taxAmount: -1 })).not.toBe(null);
  });

  it("are absent or have a value", () => {
    const decode = Schema.decodeUnknownEither(Document.BillFacts);
    for (const field of ["number", "date", "due_date", "tax_amount"]) {
      expect(Either.isLeft(decode({ [field]: undefined }))).toBe(true);
    }
    expect(Either.isRight(decode({}))).toBe(true);
  });

  it("describe tax for OpenAPI as a whole number, although a form holds text", () => {
    expect(JSONSchema.make(Schema.encodedBoundSchema(Document.BillFacts))).toMatchObject({
      properties: {
        tax_amount: {
          type: "integer",
          format: "int64",
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: expect.stringContaining("smallest unit of the currency"),
        },
      },
    });
  });

  it("are text in a form: tax in digits, calendar dates, a number of 1 to 64 characters", () => {
    const decode = Schema.decodeUnknownEither(Document.BillFacts);
    const problem = (form: object) =>
      Either.match(decode(form), {
        onLeft: (error) => Refusal.fromParseError(error).message,
        onRight: () => null,
      });
    expect(decode({ number: "A-1", date: "2026-01-31", due_date: "2026-02-28", tax_amount: "5" })).toEqual(
      Either.right(all),
    );
    const range = "tax_amount: must be a whole number from 0 to 9007199254740991";
    expect(problem({ tax_amount: "9007199254740991" })).toBe(null);
    for (const tax_amount of ["9007199254740992", "-1", "1.5", "", "0x1", "5 ", " 5", "00000000000000001"]) {
      expect(problem({ tax_amount })).toBe(range);
    }
    expect(problem({ date: "2026-02-30" })).toBe("date: must be a date as YYYY-MM-DD");
    expect(problem({ number: "n".repeat(64) })).toBe(null);
    expect(problem({ number: "n".repeat(65) })).toBe("number: must have 1 to 64 characters");
    expect(Schema.encodeSync(Document.BillFacts)(all)).toEqual({
      number: "A-1",
      date: "2026-01-31",
      due_date: "2026-02-28",
      tax_amount: "5",
    });
  });
});
