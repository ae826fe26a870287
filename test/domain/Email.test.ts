import { Either, Schema } from "effect";
import { Email, Limits, Refusal } from "quittance";
import { describe, expect, it } from "vitest";

const problemOf = (text: unknown): string | null =>
  Either.match(Schema.decodeUnknownEither(Email.Email)(text), {
    onLeft: (error) => Refusal.fromParseError(error).message,
    onRight: () => null,
  });

const INVALID = "must be an e-mail address, such as ada@example.com";

describe("an e-mail address", () => {
  it.each([
    "ada@example.com",
    "Ada.Lind+invoices@mail.example.co.uk",
    "o'brien_{1}@example.com",
    "a@b.co",
    "søren@ærlig.dk",
    "用户@例子.公司",
    `${"a".repeat(64)}@example.com`,
  ])("may be %s", (text) => expect(problemOf(text)).toBeNull());

  it.each([
    "ada",
    "@example.com",
    "ada@",
    "ada@example",
    "ada@example.",
    "ada@.com",
    "ada@-example.com",
    "ada@example-.com",
    "ada@exa_mple.com",
    "ada@127.0.0.1",
    "ada@[127.0.0.1]",
    "ada lind@example.com",
    "ada@exam ple.com",
    ".ada@example.com",
    "ada.@example.com",
    "ada..lind@example.com",
    '"ada"@example.com',
    "ada@lind@example.com",
    "Ada <ada@example.com>",
    "ada@example.com,bo@example.com",
    "ada\u0007@example.com",
    "ada@example.com\n",
    `${"a".repeat(65)}@example.com`,
    `ada@${"a".repeat(64)}.com`,
  ])("is not %j", (text) => expect(problemOf(text)).toBe(INVALID));

  it("is a text within its bounds", () => {
    expect(problemOf("")).toBe("must not be empty");
    const long = `ada@${"abc.".repeat(63)}com`;
    expect(problemOf(long)).toBe(`must have 1 to ${Limits.EMAIL_MAX} characters`);
  });
});
