/** What a document states of a settlement's tax: its lines by treatment, label and rate, and what it corrects. */
import { Effect, Stream } from "effect";
import * as Document from "../../domain/Document.ts";
import type { CustomerId, SettlementId } from "../../domain/Ids.ts";
import { type InvoiceSubject, invoiceLines } from "../../domain/InvoiceLine.ts";
import type { TaxConfig } from "../../domain/Partner.ts";
import { isSelfBilled, payable, type Settlement } from "../../domain/Settlement.ts";
import * as Tax from "../../domain/Tax.ts";
import type { CorrectedDocument, DocumentGroup, DocumentLine } from "../../ports/Documents.ts";
import type { ExportLine, Records, Settling, StorageError } from "../../ports/Storage.ts";

/** The parts of a line: reversals under the terms of their origins, and the rest under the snapshot's. */
const partsOf = (
  line: ExportLine,
  reversals: ReadonlyArray<Tax.Reversal>,
  termsOf: (originId: SettlementId) => TaxConfig,
  snapshot: TaxConfig,
): ReadonlyArray<{ readonly terms: TaxConfig; readonly amount: number }> => {
  const taken = reversals.map(({ originId, amount }) => ({ terms: termsOf(originId), amount }));
  const rest = taken.reduce((left, { amount }) => left - amount, line.amount);
  return rest === 0 && taken.length > 0 ? taken : [{ terms: snapshot, amount: rest }, ...taken];
};

/**
 * The lines by treatment, label and rate, the snapshot's first, in the order of the lines; a line with parts under
 * several is in each, with that part. Base and tax are those that the approval has fixed.
 */
const groupLines = (
  lines: ReadonlyArray<ExportLine>,
  {
    reversals,
    origins,
  }: { readonly reversals: ReadonlyArray<Tax.Reversal>; readonly origins: ReadonlyArray<Tax.TaxOrigin> },
  approval: { readonly snapshot: TaxConfig; readonly taxGroups: ReadonlyArray<Tax.TaxGroup> },
  subjects: ReadonlyArray<InvoiceSubject>,
): ReadonlyArray<DocumentGroup> => {
  const termsById = new Map(origins.map(({ id, terms }) => [id, terms]));
  const termsOf = (originId: SettlementId) => termsById.get(originId) ?? approval.snapshot;
  const byCommission = new Map<string, Array<Tax.Reversal>>();
  for (const part of reversals) {
    const others = byCommission.get(part.commissionId);
    if (others === undefined) byCommission.set(part.commissionId, [part]);
    else others.push(part);
  }
  const groups: Array<{ readonly terms: TaxConfig; readonly lines: Array<DocumentLine> }> = [];
  lines.forEach((line, index) => {
    const parts = partsOf(line, byCommission.get(line.commissionId) ?? [], termsOf, approval.snapshot);
    for (const { terms, amount } of parts) {
      const group = groups.find((candidate) => Tax.sameTerms(candidate.terms, terms)) ?? { terms, lines: [] };
      if (group.lines.length === 0) groups.push(group);
      const last = group.lines[group.lines.length - 1];
      if (last?.position !== index + 1) group.lines.push({ ...line, position: index + 1, amount });
      else group.lines[group.lines.length - 1] = { ...last, amount: last.amount + amount };
    }
  });
  const isSnapshot = ({ terms }: { readonly terms: TaxConfig }) =>
    Tax.sameTerms(terms, approval.snapshot) ? 0 : 1;
  return groups
    .toSorted((a, b) => isSnapshot(a) - isSnapshot(b))
    .map(({ terms: { treatment, label, rateBps }, lines: own }) => {
      const terms = { treatment, label, rateBps };
      const fixed = approval.taxGroups.find((group) => Tax.sameTerms(group, terms));
      const { base, tax } = fixed ?? { base: 0, tax: 0 };
      return { ...terms, base, tax, invoiceLines: invoiceLines(own, subjects, terms, tax), lines: own };
    });
};

/** What the commissions of the lines' formulas are invoiced as, by the plans' and formulas' present names. */
const subjectsOf = (
  storage: Records & Settling,
  customerId: CustomerId,
  lines: ReadonlyArray<ExportLine>,
): Effect.Effect<ReadonlyArray<InvoiceSubject>, StorageError> =>
  Effect.gen(function* () {
    const formulaIds = [...new Set(lines.map(({ formulaId }) => formulaId))];
    const formulas = yield* storage.find(customerId, "formula", formulaIds);
    const planIds = new Set(formulas.flatMap(({ assignment }) => assignment?.planId ?? []));
    const plans = planIds.size === 0 ? [] : yield* storage.find(customerId, "plan", [...planIds]);
    const planNames = new Map(plans.map(({ id, name }) => [id, name]));
    return formulas.map(({ id, name, assignment }) =>
      assignment === null
        ? { formulaId: id, id, name }
        : { formulaId: id, id: assignment.planId, name: planNames.get(assignment.planId) ?? name },
    );
  });

/** The first documents that settlements issued, in the order they were issued; those that issued none are left out. */
export const issuedBy = (
  storage: Records & Settling,
  { customerId }: Settlement,
  settlementIds: ReadonlyArray<SettlementId>,
): Effect.Effect<ReadonlyArray<CorrectedDocument>, StorageError> =>
  Effect.gen(function* () {
    if (settlementIds.length === 0) return [];
    const settlements = yield* storage.find(customerId, "settlement", settlementIds);
    const references = settlements.flatMap((settlement) => {
      const first = payable(settlement) < 0 ? settlement.creditNoteReference : settlement.invoiceReference;
      return first ?? [];
    });
    const documents = yield* storage.find(customerId, "document", references);
    const selfBilled = new Set(settlements.filter(isSelfBilled).map(({ id }) => id));
    return documents
      .toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1))
      .map(
        ({ settlementId, kind, number, ...document }): CorrectedDocument => ({
          settlementId,
          kind: kind === "credit_note" ? "credit_note" : "invoice",
          isSelfBilled: selfBilled.has(settlementId),
          number,
          issuedOn: Document.dateOn(document),
        }),
      );
  });

/** What a document shows of its settlement's lines and tax. */
export interface TaxedParts {
  readonly lines: ReadonlyArray<ExportLine>;
  readonly subjects: ReadonlyArray<InvoiceSubject>;
  readonly groups: ReadonlyArray<DocumentGroup>;
  readonly corrects: ReadonlyArray<CorrectedDocument>;
}

const linesOf = (storage: Records & Settling, { customerId, id }: Settlement) =>
  Effect.gen(function* () {
    const lines = [...(yield* Stream.runCollect(storage.settlementLines(customerId, id)))];
    return { lines, subjects: yield* subjectsOf(storage, customerId, lines) };
  });

/** Reads the lines of a self-billed settlement by tax group, and which documents they correct. */
export const taxedParts = (
  storage: Records & Settling,
  settlement: Settlement,
  reversals: ReadonlyArray<Tax.Reversal>,
  approval: { readonly snapshot: TaxConfig; readonly taxGroups: ReadonlyArray<Tax.TaxGroup> },
): Effect.Effect<TaxedParts, StorageError> =>
  Effect.gen(function* () {
    const { lines, subjects } = yield* linesOf(storage, settlement);
    const ids = [...new Set(reversals.map(({ originId }) => originId))];
    const origins = ids.length === 0 ? [] : yield* storage.find(settlement.customerId, "taxOrigin", ids);
    const groups = groupLines(lines, { reversals, origins }, approval, subjects);
    return { lines, subjects, groups, corrects: yield* issuedBy(storage, settlement, ids) };
  });

/** Reads the lines of a settlement, and for a document of a self-billed one their groups and what they correct. */
export const documentParts = (
  storage: Records & Settling,
  settlement: Settlement,
  kind: "report" | "invoice" | "credit_note",
): Effect.Effect<TaxedParts, StorageError> =>
  Effect.gen(function* () {
    const { customerId, id, approval } = settlement;
    const snapshot = approval?.selfBillingData?.taxConfig;
    if (kind === "report" || approval === null || snapshot === undefined)
      return { ...(yield* linesOf(storage, settlement)), groups: [], corrects: [] };
    const reversals = yield* storage.reversals(customerId, id);
    return yield* taxedParts(storage, settlement, reversals, { snapshot, taxGroups: approval.taxGroups });
  });
