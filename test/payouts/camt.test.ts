/** Bank statements in three dialects, and files that are no statement. */
import { Effect, Either } from "effect";
import { sepa } from "quittance/payouts";
import { describe, expect, it } from "vitest";
import { computed } from "../support/computed.ts";
import { batchBooked, bytesOf, IBAN, single, withReturns } from "./Statements.ts";

const read = (bytes: Uint8Array | string) => {
  if (sepa.files === null) throw new Error("SEPA reads statements");
  return Effect.runPromise(
    Effect.either(sepa.files.read(typeof bytes === "string" ? bytesOf(bytes) : bytes)),
  );
};

const ONE = `${"0".repeat(31)}1`;
const TWO = `${"0".repeat(31)}2`;

describe("a bank statement", () => {
  it("of batches has a movement for each transaction, with the reference of the entry", async () => {
    const statement = Either.getOrThrow(
      await read(
        batchBooked([
          { endToEndId: ONE, amount: 1_250 },
          { endToEndId: TWO, amount: 99 },
        ]),
      ),
    );
    const common = {
      direction: "debit",
      batch: null,
      currency: "EUR",
      bookingDate: "2026-01-05",
      bankReference: "B1",
      reason: null,
    };
    expect(statement).toEqual({
      accounts: [
        {
          iban: IBAN,
          isFinal: true,
          movements: [
            { ...common, endToEndId: ONE, amount: 1_250 },
            { ...common, endToEndId: TWO, amount: 99 },
          ],
        },
      ],
    });
  });

  it("of batches without transactions has one movement of the sum", async () => {
    const transactions = [
      { endToEndId: ONE, amount: 1_250 },
      { endToEndId: TWO, amount: 99 },
    ];
    const { accounts } = Either.getOrThrow(
      await read(batchBooked(transactions, { hasDetails: false, fileId: TWO })),
    );
    expect(accounts[0]?.movements).toMatchObject([
      { endToEndId: null, batch: { id: TWO, count: 2 }, amount: 1_349, bankReference: "B1" },
    ]);
  });

  it.each([
    ["more than the entry has no amounts, as it does not say which the bank booked", 1_348, [null, null]],
    ["less than the entry, which has charges, has their amounts", 1_400, [1_250, 99]],
  ])("of a batch whose transactions state %s", async (_, booked, amounts) => {
    const transactions = [
      { endToEndId: ONE, amount: 1_250 },
      { endToEndId: TWO, amount: 99 },
    ];
    const { accounts } = Either.getOrThrow(await read(batchBooked(transactions, { booked })));
    expect(accounts[0]?.movements.map(({ amount }) => amount)).toEqual(amounts);
  });

  it("of single entries has the amount of the entry, whatever the prefix of its elements", async () => {
    const { accounts } = Either.getOrThrow(
      await read(single([{ endToEndId: ONE, amount: 1_250, bankReference: "X" }], null)),
    );
    expect(accounts).toMatchObject([
      {
        iban: null,
        isFinal: true,
        movements: [{ endToEndId: ONE, amount: 1_250, bankReference: "X", direction: "debit" }],
      },
    ]);
  });

  it.each([
    { booked: "12.50", amount: 1_250, rule: "the amount of the transaction" },
    { booked: "12.80", amount: 1_250, rule: "the amount of the transaction, if charges are booked with it" },
    { booked: "1.00", amount: 100, rule: "only what is booked, if the transaction states more" },
  ])("with a single transaction has $rule", async ({ booked, amount }) => {
    const statement = batchBooked([{ endToEndId: ONE, amount: 1_250 }]);
    const entry = statement.lastIndexOf("<Ntry>");
    const changed = statement.slice(0, entry) + statement.slice(entry).replace(">12.50<", `>${booked}<`);
    expect(Either.getOrThrow(await read(changed)).accounts[0]?.movements).toMatchObject([
      { endToEndId: ONE, amount },
    ]);
  });

  const transaction = (details: string, booked = '<Amt Ccy="PLN">53.91</Amt>') =>
    `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>
      <Ntry>${booked}<CdtDbtInd>DBIT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
      <NtryDtls><TxDtls>${details}</TxDtls></NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`;
  const movementOf = async (text: string) => Either.getOrThrow(await read(text)).accounts[0]?.movements[0];

  it.each([
    ["an account of another currency", '<Amt Ccy="PLN">53.91</Amt>', '<Amt Ccy="PLN">53.91</Amt>'],
    ["charges in the amount of the booking", '<Amt Ccy="EUR">12.80</Amt>', '<Amt Ccy="EUR">12.80</Amt>'],
  ])("with %s has the amount that was instructed in euro", async (_, booked, stated) => {
    const details = `${stated}<AmtDtls><InstdAmt><Amt Ccy="EUR">12.50</Amt></InstdAmt><TxAmt>${stated}</TxAmt></AmtDtls>`;
    expect(await movementOf(transaction(details, booked))).toMatchObject({ amount: 1_250, currency: "EUR" });
  });

  it("has the amount of the booking where another currency was instructed", async () => {
    const details =
      '<AmtDtls><InstdAmt><Amt Ccy="USD">14.00</Amt></InstdAmt><TxAmt><Amt Ccy="EUR">12.50</Amt></TxAmt></AmtDtls>';
    const booked = '<Amt Ccy="EUR">12.50</Amt>';
    expect(await movementOf(transaction(details, booked))).toMatchObject({ amount: 1_250, currency: "EUR" });
  });

  it.each(["<EndToEndId>NOTPROVIDED</EndToEndId>", "<EndToEndId>Not Provided</EndToEndId>", ""])(
    "with the end-to-end id %s has the UETR in its place",
    async (id) => {
      const uetr = "0198b2a4-5c3d-4e1f-8a2b-3c4d5e6f7a8b";
      const refs = (own: string) => transaction(`<Refs>${own}<UETR>${uetr}</UETR></Refs>`);
      expect((await movementOf(refs(id)))?.endToEndId).toBe(uetr);
      expect((await movementOf(refs(`<EndToEndId>${ONE}</EndToEndId>`)))?.endToEndId).toBe(ONE);
      expect((await movementOf(transaction(`<Refs>${id}</Refs>`)))?.endToEndId).toBe(
        id.replace(/<[^>]+>/g, "") || null,
      );
    },
  );

  it("with returns has their direction and reason, and skips pending entries", async () => {
    const statement = Either.getOrThrow(
      await read(
        withReturns(
          [
            { endToEndId: ONE, amount: 1_250 },
            { endToEndId: ONE, amount: 1_250, isCredit: true, reason: "AC04" },
          ],
          [{ endToEndId: TWO, amount: 5 }],
        ),
      ),
    );
    expect(statement).toMatchObject({
      accounts: [
        {
          isFinal: false,
          movements: [
            { direction: "debit", endToEndId: ONE, bookingDate: "2026-01-07", reason: null },
            { direction: "credit", endToEndId: ONE, reason: "AC04 Account closed" },
          ],
        },
      ],
    });
    expect(statement.accounts[0]?.movements).toHaveLength(2);
  });

  it.each([
    ["1250.00", 125_000],
    ["12.5", 1_250],
    ["12", 1_200],
    ["12.50000", 1_250],
    ["0.01", 1],
    ["12.505", null],
    ["-12.50", null],
    ["1e3", null],
    ["12,50", null],
    ["99999999999999999.00", null],
    ["", null],
  ])("with the amount %s has %s cents", async (text, cents) => {
    const one = single([{ endToEndId: ONE, amount: 7 }]).replace(">0.07<", `>${text}<`);
    expect(Either.getOrThrow(await read(one)).accounts[0]?.movements[0]?.amount).toBe(cents);
  });

  it("has what it needs, whatever else there is inside and beside it", async () => {
    const other =
      '<Other Ccy="X" b=\'"\'><Amt Ccy="EUR">1<Cd/></Amt><Ntry><Sts>BOOK</Sts></Ntry> text <![CDATA[</]]></Other>';
    const plain = batchBooked([{ endToEndId: ONE, amount: 1_250 }]);
    const full = plain
      .replace(/<(Ntry|TxDtls|Refs|Stmt)>/g, `<$1>${other}`)
      .replace("<Stmt>", `${other}<Stmt>`);
    expect(full.length).toBeGreaterThan(plain.length + 4 * other.length);
    expect(await read(full)).toEqual(await read(plain));
  });

  it("may have several accounts and no entries", async () => {
    const account = "<Stmt><Acct><Id><IBAN>DE1</IBAN></Id></Acct></Stmt>";
    const text = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.13"><BkToCstmrStmt>${account}${account}</BkToCstmrStmt></Document>`;
    expect(Either.getOrThrow(await read(text)).accounts).toEqual([
      { iban: "DE1", isFinal: true, movements: [] },
      { iban: "DE1", isFinal: true, movements: [] },
    ]);
  });
});

const CAMT = batchBooked([{ endToEndId: ONE, amount: 1 }]);
const NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08";

const bomb = `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]><Document xmlns="${NAMESPACE}"><x>&c;</x></Document>`;

describe("a file that is not a statement", () => {
  it.each([
    ["empty text", " ", "is not XML"],
    ["a PDF", "%PDF-1.7", "is not XML"],
    ["binary data", Uint8Array.of(0x3c, 0xff, 0xfe, 0x00), "is not text in utf-8"],
    [
      "an unknown encoding",
      '<?xml version="1.0" encoding="utf-7"?><a/>',
      "the encoding utf-7 is not supported",
    ],
    ["an entity bomb", bomb, "must have no document type (DTD)"],
    [
      "an external entity",
      bomb.replace('"ha"', 'SYSTEM "file:///etc/passwd"'),
      "must have no document type (DTD)",
    ],
    ["an entity without a document type", CAMT.replace("M1", "&bomb;"), "must not use entities"],
    [
      "an entity by the name of a method of objects",
      CAMT.replace("S1", "&constructor;"),
      "must not use entities",
    ],
    ["a lone ampersand", CAMT.replace("M1", "a & b"), "must not use entities"],
    ["a character that does not exist", CAMT.replace("M1", "&#x110000;"), "is not well-formed XML"],
    ["half a document", CAMT.slice(0, 900), "is not well-formed XML"],
    ["crossed elements", "<a><b></a></b>", "is not well-formed XML"],
    ["two roots", "<a/><b/>", "is not well-formed XML"],
    ["text after the root", "<a/>b", "is not well-formed XML"],
    ["an attribute twice", '<a b="1" b="2"/>', "is not well-formed XML"],
    [
      "deep nesting",
      `${"<a>".repeat(41)}${"</a>".repeat(41)}`,
      "must not nest elements deeper than 40 levels",
    ],
    ["very deep nesting", "<a>".repeat(1_000_000), "must not nest elements deeper than 40 levels"],
    ["a million elements", `<a>${"<b/>".repeat(1_000_001)}</a>`, "must have at most 1000000 elements"],
    [
      "a hundred thousand and one movements",
      CAMT.replace(/<TxDtls>.*<\/TxDtls>/s, "<TxDtls/>".repeat(100_001)),
      "must have at most 100000 movements",
    ],
    [
      "HTML",
      "<html><body></body></html>",
      "must be a message camt.053, camt.054, pain.002, MT940 or MT942, or a NACHA return file",
    ],
    [
      "a payment file",
      CAMT.replace(NAMESPACE, "urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"),
      "must be a message camt.053, camt.054, pain.002, MT940 or MT942, or a NACHA return file",
    ],
    [
      "a report within the day",
      CAMT.replaceAll("camt.053", "camt.052"),
      "must be a message camt.053, camt.054, pain.002, MT940 or MT942, or a NACHA return file",
    ],
    [
      "a statement of no namespace",
      CAMT.replace(NAMESPACE, ""),
      "must be a message camt.053, camt.054, pain.002, MT940 or MT942, or a NACHA return file",
    ],
    [
      "another message under the namespace",
      `<Document xmlns="${NAMESPACE}"><Other/></Document>`,
      "must be a message camt.053, camt.054, pain.002, MT940 or MT942, or a NACHA return file",
    ],
    [
      "a statement without accounts",
      `<Document xmlns="${NAMESPACE}"><BkToCstmrStmt/></Document>`,
      "has no Stmt, the report of an account",
    ],
    [
      "an entry without a direction",
      CAMT.replaceAll("<CdtDbtInd>DBIT</CdtDbtInd>", ""),
      "entry 1 has no amount or no direction",
    ],
    [
      "names of prototypes",
      "<__proto__><constructor/></__proto__>",
      "must be a message camt.053, camt.054, pain.002, MT940 or MT942, or a NACHA return file",
    ],
  ])("%s is refused", async (_what, content, message) => {
    const refused = Either.flip(await read(content));
    expect(Either.getOrThrow(refused).message).toBe(`file: ${message}`);
  });

  it("is refused in time proportional to its length", async () => {
    const hostile = [
      `<a ${"b ".repeat(2_000_000)}`,
      `<a ${'b="'.repeat(1_000_000)}`,
      "<".repeat(4_000_000),
      `<a>${"&amp;".repeat(800_000)}</a>`,
      `<a>${"<!--".repeat(1_000_000)}</a>`,
      `<a>${"]]>".repeat(1_000_000)}<![CDATA[`,
      `<${"a".repeat(4_000_000)}>`,
      `<a>${" ".repeat(4_000_000)}</a >x`,
      `<a x="${" ".repeat(4_000_000)}`,
      `<a>${'<a b="1"/>'.repeat(999_000)}</a>`,
      `<a>${'<a b="1" c="2"/>'.repeat(600_000)}</a>`,
      `${CAMT.slice(0, CAMT.indexOf("<TxDtls>"))}${"<TxDtls/>".repeat(900_000)}</NtryDtls></Ntry></Stmt></BkToCstmrStmt></Document>`,
    ];
    for (const text of hostile) {
      const before = process.cpuUsage();
      expect(Either.isLeft(await read(text))).toBe(true);
      // The time of this process alone: others may run beside it.
      const { user, system } = process.cpuUsage(before);
      expect([text.slice(-40), (user + system) / 1_000 < 5_000]).toEqual([text.slice(-40), true]);
    }
  });

  it("does not block the event loop while it is read", async () => {
    const transactions = Array.from({ length: 6_000 }, (_, index) => ({ endToEndId: ONE, amount: index }));
    const text = bytesOf(single(transactions));
    await read(text);
    let longest = 0;
    let last = computed();
    let isOver = false;
    const tick = (): void => {
      const now = computed();
      longest = Math.max(longest, now - last);
      last = now;
      if (!isOver) setImmediate(tick);
    };
    const startedAt = computed();
    setImmediate(tick);
    expect(Either.getOrThrow(await read(text)).accounts[0]?.movements).toHaveLength(6_000);
    const whole = computed() - startedAt;
    isOver = true;
    // Read at once, it would be the whole.
    expect(longest / whole).toBeLessThan(0.25);
  });
});
