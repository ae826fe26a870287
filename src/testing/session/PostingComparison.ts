/** Compares the postings of the journal with what the books say, by a second reading of posting rules and rates. */
import type { Rule } from "../../domain/Books.ts";
import type { ReverseChargeRate } from "../../domain/Journal.ts";
import type { JournalEntry } from "../../services/Journals.ts";
import type { LedgerSnapshot } from "../LedgerSnapshot.ts";
import { chargeTax } from "../model/world/Taxes.ts";
import { dateOf } from "../model/world/Time.ts";

type Row = LedgerSnapshot["settlements"][number]["row"];

/** What a customer has written of its books; nothing where it has not. */
const booksOf = ({ controls }: Pick<LedgerSnapshot, "controls">) => {
  const [books] = controls.flatMap((control) => (control.kind === "books" ? [control.row] : []));
  return books ?? { rules: [], reverseCharge: null };
};

/** The tax that the customer owes for the document of a settlement, at the rate of the document's day. */
export const reverseChargeTax = (
  { approval, invoiceDate, creditNoteDate, approvedAt }: Row,
  snapshot: Pick<LedgerSnapshot, "controls">,
): bigint => {
  const day = invoiceDate ?? creditNoteDate ?? dateOf(approvedAt ?? 0);
  const begun = (booksOf(snapshot).reverseCharge ?? []).filter(({ from }: ReverseChargeRate) => from <= day);
  const rateBps = begun.at(-1)?.rateBps ?? 0;
  const own = (approval?.taxGroups ?? []).filter(({ treatment }) => treatment === "reverse_charge");
  return own.reduce(
    (sum, { base }) => sum + chargeTax(BigInt(base), { treatment: "standard", label: "", rateBps }),
    0n,
  );
};

/** The text of a rule with what stands in its places. */
const textOf = (template: string, { text, partnerName, document, reference }: JournalEntry): string => {
  const parts = { text, partner: partnerName, document, reference } as const;
  return Object.entries(parts)
    .reduce<ReadonlyArray<string>>(
      (pieces, [name, value]) =>
        // Every second piece stands in a place already.
        pieces.flatMap((piece, index) =>
          index % 2 === 1
            ? [piece]
            : piece.split(`{${name}}`).flatMap((one, at) => (at === 0 ? [one] : [value ?? "", one])),
        ),
      [template],
    )
    .join("")
    .trim();
};

type Snapshot = Pick<LedgerSnapshot, "commissions" | "formulas" | "settlements" | "controls">;

/** How number, cost centre and text of postings differ from the first rule that applies to each. */
export function* postingDifferences(
  entries: ReadonlyArray<JournalEntry>,
  snapshot: Snapshot,
): Generator<string> {
  const { rules } = booksOf(snapshot);
  const plans = new Map(snapshot.formulas.map(({ row }) => [row.id, row.assignment?.planId]));
  const planOf = new Map(snapshot.commissions.map(({ row }) => [row.id, plans.get(row.formulaId)]));
  const treatmentsOf = new Map(
    snapshot.settlements.map(({ row }) => [
      row.id,
      [...new Set((row.approval?.taxGroups ?? []).map(({ treatment }) => treatment))],
    ]),
  );
  const workspaces = new Map(
    snapshot.controls.flatMap(({ kind, row }) => (kind === "partner" ? [[row.id, row.workspaceId]] : [])),
  );
  for (const entry of entries) {
    const { kind, partnerId, commissionId, settlementId } = entry;
    const [treatment, ...others] = (settlementId !== null && treatmentsOf.get(settlementId)) || [];
    const facts: Pick<Rule, "kind" | "partnerId" | "planId" | "workspaceId" | "taxTreatment"> = {
      ...{ kind, partnerId, workspaceId: workspaces.get(partnerId) },
      planId: commissionId === null ? undefined : planOf.get(commissionId),
      taxTreatment: others.length > 0 ? undefined : treatment,
    } as never;
    for (const { account, number = null, costCentre = null, text = null } of entry.lines) {
      const rule = rules.find(
        (one) =>
          one.account === account &&
          Object.entries(facts).every(([name, value]) => {
            const asked = one[name as keyof typeof facts];
            return asked === undefined || asked === value;
          }),
      );
      const wanted = [
        rule?.number ?? null,
        rule?.costCentre ?? null,
        rule?.text === undefined ? null : textOf(rule.text, entry),
      ];
      const shown = [number, costCentre, text];
      if (JSON.stringify(shown) !== JSON.stringify(wanted))
        yield `a posting to ${account} of "${entry.text}" states ${JSON.stringify(shown)}, by the rules ${JSON.stringify(wanted)}`;
    }
  }
}
