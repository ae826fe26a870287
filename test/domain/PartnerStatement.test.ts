import { Either } from "effect";
import { Currency, Ids, PartnerStatement } from "quittance";
import { describe, expect, it } from "vitest";

const NOW = Date.UTC(2026, 1, 1);
const ID = "0190a6e2-88f1-7412-9b3d-06a7f1c8e206";
const message = <A>(refused: Either.Either<A, { readonly message: string }>): string =>
  Either.match(refused, { onLeft: (problem) => problem.message, onRight: () => "accepted" });

describe("the moment of a balance", () => {
  it("is the end of the present millisecond unless it is stated", () => {
    expect(PartnerStatement.momentOf("at", undefined, NOW)).toEqual(Either.right(NOW + 1));
    expect(PartnerStatement.momentOf("at", NOW, NOW)).toEqual(Either.right(NOW));
    expect(PartnerStatement.momentOf("at", NOW + 1, NOW)).toEqual(Either.right(NOW + 1));
  });

  it("is not in the future", () => {
    expect(message(PartnerStatement.momentOf("to", NOW + 2, NOW))).toBe("to: must not be in the future");
  });

  it("is final once it is a minute ago", () => {
    expect(PartnerStatement.isFinal(NOW - 60_000, NOW)).toBe(true);
    expect(PartnerStatement.isFinal(NOW - 59_999, NOW)).toBe(false);
  });
});

describe("the currency of a statement", () => {
  const EUR = Currency.Currency.make("EUR");

  it("is the requested one, or the only one", () => {
    expect(PartnerStatement.currencyOf(EUR, [])).toEqual(Either.right("EUR"));
    expect(PartnerStatement.currencyOf(undefined, ["EUR"])).toEqual(Either.right("EUR"));
  });

  it("must be stated if there are several or none", () => {
    expect(message(PartnerStatement.currencyOf(undefined, ["DKK", "EUR"]))).toBe(
      "currency: is required, because the partner has amounts in DKK, EUR",
    );
    expect(message(PartnerStatement.currencyOf(undefined, []))).toBe(
      "currency: is required, because the partner has no amounts before to",
    );
  });
});

describe("a cursor", () => {
  const bookmark = {
    position: { at: NOW, recordId: ID, sequence: 3 },
    balance: -(2n ** 70n),
    opening: 5n,
    closing: 0n,
  };
  const subject = {
    customerId: Ids.CustomerId.make(ID),
    partnerId: Ids.PartnerId.make(ID),
    currency: "EUR",
    from: 0,
    to: NOW,
  };
  const sha256 = "ab".repeat(32);

  it("has its position and the sums that the next pages repeat", () => {
    const cursor = PartnerStatement.cursorOf(bookmark, sha256);
    expect(PartnerStatement.bookmarkOf(cursor)).toEqual(Either.right(bookmark));
  });

  it("is valid only for the statement that it belongs to", () => {
    const inputs = [
      subject,
      { ...subject, currency: "DKK" },
      { ...subject, from: 1 },
      { ...subject, to: NOW + 1 },
      { ...subject, partnerId: Ids.PartnerId.make(ID.replace("0", "1")) },
      { ...subject, customerId: Ids.CustomerId.make(ID.replace("0", "1")) },
    ].map((item) => PartnerStatement.cursorInput(item, bookmark));
    const moved = PartnerStatement.cursorInput(subject, { ...bookmark, balance: 1n });
    expect(new Set([...inputs, moved]).size).toBe(7);
  });

  it("is refused in any other form", () => {
    for (const text of ["", "1", `${PartnerStatement.cursorOf(bookmark, sha256)}x`, `1_${ID}_1_1_1_1_zz`])
      expect(message(PartnerStatement.bookmarkOf(text))).toMatch(/^after: must be next_cursor of a page/);
  });
});
