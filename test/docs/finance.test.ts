import { Either } from "effect";
import { explainText } from "quittance/explanation";
import { explain } from "quittance/formula";
import { describe, expect, it, onTestFinished } from "vitest";
import { TEAM } from "../../adapters/console/words/TeamWords.ts";
import { facts, prepare, readAll } from "../../examples/formulas/Plan.ts";
import * as Bookkeeping from "./Bookkeeping.ts";
import { read } from "./Fence.ts";

const { money, row } = Bookkeeping;

/** The name of a settlement's state in the console. */
const stateOf = ({ type }: { readonly type: keyof typeof TEAM.states }): string => TEAM.states[type];

/** The rows of the first table below a heading of a page. */
const tableBelow = (page: string, heading: string): ReadonlyArray<string> => {
  const [, section = ""] = read(page).split(`\n## ${heading}\n`);
  const table = /^\|[\s\S]*?(?=\n\n|\n*$(?![\s\S]))/m.exec(section.split("\n## ")[0] ?? "")?.[0] ?? "";
  return table.trim().split("\n").slice(2);
};

const MOMS = { treatment: "standard", label: "Moms", rate_bps: 2500 };

const open = async () => {
  const books = await Bookkeeping.open();
  onTestFinished(books.stop);
  return books;
};

describe("a refund, from the sale to the bank", () => {
  it("results in the documents and the journal that the page shows", async () => {
    const page = "docs/finance/refund.md";
    const books = await open();
    const nordlys = await books.partner("Nordlys ApS", MOMS);
    books.at("2026-01-10T10:00:00Z");
    const sale = await books.sell(nordlys, 100_000);
    books.at("2026-01-31T10:00:00Z");
    const paid = await books.settle(nordlys);
    books.at("2026-02-03T10:00:00Z");
    await books.pay(paid);
    books.at("2026-02-20T10:00:00Z");
    await books.cancelSale(sale);
    books.at("2026-02-28T10:00:00Z");
    const back = await books.settle(nordlys);
    expect((await books.view(back)).status.type).toBe("negative_review");
    await books.review(back, "issue_credit_note");
    books.at("2026-03-10T10:00:00Z");
    await books.pay(back);

    const [first, second] = [await books.view(paid), await books.view(back)];
    const amounts = ({ total, tax_amount, payable_amount }: typeof first) =>
      [total, tax_amount, payable_amount].map(money);
    expect(tableBelow(page, "The documents")).toEqual([
      row("Invoice", first.invoice_number, first.invoice_date, ...amounts(first), first.due_date),
      row("Credit note", second.credit_note_number, second.credit_note_date, ...amounts(second), "–"),
    ]);
    expect(tableBelow(page, "The journal")).toEqual(await books.journal(nordlys));
    expect([first, second].map(({ paid_at }) => paid_at.slice(0, 10))).toEqual(["2026-02-03", "2026-03-10"]);
  });
});

describe("a partner's statement", () => {
  it("has the movements and balances that the page shows", async () => {
    const books = await open();
    const nordlys = await books.partner("Nordlys ApS", MOMS);
    books.at("2026-01-10T10:00:00Z");
    const returned = await books.sell(nordlys, 100_000);
    books.at("2026-01-20T10:00:00Z");
    await books.sell(nordlys, 200_000);
    books.at("2026-01-31T10:00:00Z");
    const settlement = await books.settle(nordlys);
    books.at("2026-02-03T10:00:00Z");
    await books.pay(settlement);
    books.at("2026-02-20T10:00:00Z");
    await books.cancelSale(returned);
    books.at("2026-02-25T10:00:00Z");
    await books.sell(nordlys, 50_000);
    books.at("2026-03-10T10:00:00Z");
    expect(tableBelow("docs/finance/statement.md", "The statement of February")).toEqual(
      await books.statement(nordlys, "2026-02-01T00:00:00Z", "2026-03-01T00:00:00Z"),
    );
  });
});

describe("a month's payout", () => {
  it("results in the settlements and sums that the page shows", async () => {
    const page = "docs/finance/month.md";
    const books = await open();
    const nordlys = await books.partner("Nordlys ApS", MOMS);
    const kuutar = await books.partner("Kuutar Oy", { treatment: "reverse_charge", label: "VAT" });
    const brun = await books.partner("Atelier Brun", null);
    await books.expectTax(brun, 2_000);
    const media = await books.partner("Øresund Media", MOMS);
    books.at("2025-12-10T10:00:00Z");
    const returned = await books.sell(media, 50_000);
    books.at("2025-12-31T10:00:00Z");
    await books.pay(await books.settle(media));

    books.at("2026-01-15T10:00:00Z");
    await books.sell(nordlys, 300_000);
    await books.sell(nordlys, 120_000);
    await books.sell(kuutar, 200_000);
    await books.sell(brun, 80_000);
    await books.cancelSale(returned);
    books.at("2026-01-31T10:00:00Z");
    const ids: Array<string> = [];
    for (const partner of [nordlys, kuutar, brun, media]) ids.push(await books.settle(partner));
    await books.review(ids[3] ?? "", "carry_forward");
    await books.upload(ids[2] ?? "", { number: "2026-04", tax_amount: "1600" });
    const views = await Promise.all(ids.map((id) => books.view(id)));
    expect(views.map(({ tax_review }) => tax_review)).toEqual([null, null, null, null]);
    const shown = [nordlys, kuutar, brun, media].map(({ name }, index) => {
      const { lines, total, tax_amount, payable_amount, status, invoice_number } = views[index];
      const amounts = [total, tax_amount, payable_amount].map((cents) =>
        cents === null ? "–" : money(cents),
      );
      return row(name, String(lines.length), ...amounts, invoice_number ?? "–", stateOf(status));
    });
    expect(tableBelow(page, "What each partner receives")).toEqual(shown);
  });
});

describe("why this amount", () => {
  it("shows the explanation that the engine returns", () => {
    const formula = readAll().get("net-of-discount-refund-and-fees");
    if (formula === undefined) throw new Error("the cookbook lacks the formula");
    const text = explainText(explain(Either.getOrThrow(prepare(formula)), facts(formula.cases[0])), {
      currency: formula.currency,
      decimals: 2,
    });
    expect(read("docs/finance/why-this-amount.md")).toContain(`\`\`\`text\n${text.trimEnd()}\n\`\`\``);
  });
});

describe("the pages for finance", () => {
  /** A request or a command: what a person in finance does not send. */
  const REQUEST =
    /`(GET|POST|PUT|PATCH|DELETE) |npx quittance|^```sh|`mark-as-paid`|`review` with|`reconcile`/m;
  const CONSOLE = /console|portal|panel|\*[A-Z][a-z ,]+\*/;

  it.each(["journal", "month", "refund", "statement", "why-this-amount"])(
    "say in %s first how it is done in the console",
    (name) => {
      const [, ...sections] = read(`docs/finance/${name}.md`).split(/^(?=## )|^(?=# )/m);
      for (const section of sections) {
        const at = section.search(REQUEST);
        if (at < 0) continue;
        // A row of a table answers by itself: the console is named in an earlier column.
        const before = section.slice(0, at);
        expect(before, section.split("\n")[0]).toMatch(CONSOLE);
      }
    },
  );
});
