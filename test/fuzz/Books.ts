/** Posting rules and rates that the document cannot express, and the laws of the journal under whatever rules were written. */
import { ACCOUNTS } from "../../src/domain/Journal.ts";
import type { Engine } from "../http/Engine.ts";
import type { Random } from "../support/Random.ts";

interface Rule {
  readonly account: string;
  readonly kind?: string;
  readonly partner_id?: string;
  readonly plan_id?: string;
  readonly workspace_id?: string;
  readonly tax_treatment?: string;
  readonly number: string;
}

interface Entry {
  readonly kind: string;
  readonly partner_id: string;
  readonly text: string;
  readonly lines: ReadonlyArray<{
    readonly account: string;
    readonly debit?: number;
    readonly credit?: number;
    readonly number?: string;
  }>;
}

/** Rules for every account, after some for one partner or one kind of entry. */
export const chooseRules = (random: Random, partnerId: string | undefined) => {
  const account = random.pick(Object.keys(ACCOUNTS));
  const partner_id = partnerId ?? random.uuid();
  return {
    rules: [
      ...(random.chance(0.5) ? [{ account, partner_id, number: "P-1", text: "{partner} {text}" }] : []),
      ...(random.chance(0.5) ? [{ account: "commission_expense", kind: "earned", number: "6771" }] : []),
      ...(random.chance(0.8) ? Object.keys(ACCOUNTS).map((name) => ({ account: name, number: name })) : []),
    ],
    // Never in force, because a rate begins in the future.
    ...(random.chance(0.3) ? { reverse_charge: [{ from: "2900-01-01", rate_bps: 1_900 }] } : {}),
  };
};

/** The national currency of a profile, with rates. */
export const chooseTaxCurrency = (random: Random) =>
  random.chance(0.5)
    ? {}
    : {
        tax_currency: "DKK",
        exchange_rates: ["2026-01-01", "2026-02-01"].map((date) => ({
          ...{ currency: "EUR", date, rate: random.pick(["7.4604", "0.5", "7"]), source: "Central bank" },
        })),
      };

/** The number that rules give a posting; undefined where a rule before it reads what the entry does not show. */
const numberOf = (rules: ReadonlyArray<Rule>, entry: Entry, account: string) => {
  for (const rule of rules) {
    if (rule.account !== account || (rule.kind ?? entry.kind) !== entry.kind) continue;
    if ((rule.partner_id ?? entry.partner_id) !== entry.partner_id) continue;
    if ((rule.plan_id ?? rule.workspace_id ?? rule.tax_treatment) !== undefined) return undefined;
    return rule.number;
  }
  return null;
};

/** The number of entries; those that do not balance, and postings with another number than the first rule gives them. */
export const checkJournal = async ({
  call,
}: Engine): Promise<{ readonly entries: number; readonly faults: ReadonlyArray<string> }> => {
  const faults: Array<string> = [];
  const { rules }: { readonly rules: ReadonlyArray<Rule> } = (await call("GET", "/api/v1/posting-rules"))
    .body;
  const { periods } = (await call("GET", "/api/v1/periods")).body;
  let page = "from=2020-01-01T00:00:00Z";
  for (let entries = 0; ; ) {
    const { status, body } = await call("GET", `/api/v1/journal?${page}`);
    if (status !== 200) return { entries, faults: [`the journal answered ${status}`] };
    for (const entry of body.entries as ReadonlyArray<Entry>) {
      entries += 1;
      const sum = entry.lines.reduce(
        (total, { debit = 0, credit = 0 }) => total + BigInt(debit) - BigInt(credit),
        0n,
      );
      if (sum !== 0n) faults.push(`the lines of "${entry.text}" add up to ${sum}`);
      // A closed month keeps the rules of its closing.
      for (const { account, number = null } of periods.length > 0 ? [] : entry.lines) {
        const wanted = numberOf(rules, entry, account);
        if (wanted !== undefined && wanted !== number)
          faults.push(`a posting of "${entry.text}" to ${account} has the number ${number}, not ${wanted}`);
      }
    }
    if (body.next_cursor === null) return { entries, faults };
    page = `from=${body.from}&to=${body.to}&after=${body.next_cursor}`;
  }
};
