/** The e-invoices of documents: their content, and the rules that an approval would violate. */
import { Effect, Either } from "effect";
import { type BillingProfile, requiresEInvoice } from "../../domain/BillingProfile.ts";
import { type CalendarDate, dateOf } from "../../domain/CalendarDate.ts";
import type { EInvoiceProblem } from "../../domain/Document.ts";
import type { AttributionId } from "../../domain/Ids.ts";
import type { SelfBillingData } from "../../domain/Partner.ts";
import { type ApprovedAccount, payeeOfApproval } from "../../domain/PayoutAccount.ts";
import { bankAccountOf } from "../../domain/PayoutDetails.ts";
import { type Conflict, conflict } from "../../domain/Refusal.ts";
import type { Settlement } from "../../domain/Settlement.ts";
import type { Assessment } from "../../domain/Tax.ts";
import { type Conversion, conversionOn } from "../../domain/TaxCurrency.ts";
import type { Timestamp } from "../../domain/Timestamp.ts";
import * as Workspace from "../../domain/Workspace.ts";
import { type Content, make, problemsOf, type Replacement, type Seller } from "../../einvoice/index.ts";
import type { CorrectedDocument, DetailedLine } from "../../ports/Documents.ts";
import type { Records, Settling, StorageError } from "../../ports/Storage.ts";
import { type TaxedParts, taxedParts } from "./DocumentParts.ts";

/** The fields of a document in addition to those of the settlement and its parts. */
export interface DocumentFields {
  readonly kind: Content["kind"];
  readonly number: string | null;
  readonly issuedOn: Content["issuedOn"];
  readonly dueDate: Content["dueDate"];
  readonly cancels: CorrectedDocument | null;
}

/** What an approval fixes of the partner. */
interface Approval {
  readonly selfBillingData: SelfBillingData | null;
  readonly payoutAccount?: ApprovedAccount | null;
}

/** The partner as the seller of a self-billed document, with the account of the approval; null where it is none. */
export const sellerOf = (approval: Approval | null): Seller | null => {
  const payee = payeeOfApproval(approval);
  const data = approval?.selfBillingData ?? null;
  return data === null ? null : { ...data, bankAccount: payee === null ? null : bankAccountOf(payee) };
};

/** The day that the sale of a line counts for. */
const dayOf = ({ attributionOccurredAt, attributionOccurredOn }: DetailedLine): CalendarDate =>
  attributionOccurredOn ?? dateOf(attributionOccurredAt);

/** The pairs of sales that the lines name, each once, also where both have a line. */
const replacementsOf = (lines: ReadonlyArray<DetailedLine>): ReadonlyArray<Replacement> => {
  const pairs = new Map<string, Replacement>();
  const nameOf = ({ externalReference }: DetailedLine, attributionId: AttributionId): string =>
    externalReference ?? attributionId;
  for (const line of lines) {
    const { attributionId, replaces, replacedBy } = line;
    const own = { id: attributionId, occurredOn: dayOf(line) };
    const steps = [
      ...(replaces === null ? [] : [[{ ...replaces, id: replaces.attributionId }, own] as const]),
      ...(replacedBy === null ? [] : [[own, { ...replacedBy, id: replacedBy.attributionId }] as const]),
    ];
    for (const [old, by] of steps)
      pairs.set(`${old.id} ${by.id}`, {
        ...{ sale: nameOf(line, old.id), occurredOn: old.occurredOn },
        ...{ by: nameOf(line, by.id), byOccurredOn: by.occurredOn },
      });
  }
  return [...pairs.values()];
};

/** The content of the e-invoice of a document. The lines are needed for what they name, which no rule is about. */
export const contentOf = (
  { id, partnerId, currency, approval }: Settlement,
  { seller, buyer }: { readonly seller: Seller; readonly buyer: BillingProfile },
  { groups, corrects }: Pick<TaxedParts, "groups" | "corrects">,
  { cancels, ...fields }: DocumentFields,
  lines: ReadonlyArray<DetailedLine> = [],
): Content => ({
  ...fields,
  replacements: replacementsOf(lines),
  ...(approval?.taxConversion === undefined ? {} : { taxConversion: approval.taxConversion }),
  settlementId: id,
  partnerId,
  ...{ currency, seller, buyer, groups },
  references: cancels === null ? corrects : [cancels],
  cancels: cancels !== null,
});

/** The rate by which the document of a draft is to state its VAT in the national currency; refused where it is missing. */
export const readConversion = (
  storage: Records,
  { customerId, workspaceId, currency }: Settlement,
  at: Timestamp,
): Effect.Effect<Conversion | null, Conflict | StorageError> =>
  Effect.gen(function* () {
    const [buyer] = yield* storage.find(customerId, "billingProfile", [customerId]);
    if (buyer?.taxCurrency === undefined) return null;
    const id = Workspace.recordIdOf(customerId, workspaceId);
    const [workspace = Workspace.DEFAULT] = yield* storage.find(customerId, "workspace", [id]);
    const day = Workspace.dateIn(workspace.timeZone, at);
    return yield* Either.mapLeft(conversionOn(buyer, currency, day), (problem) =>
      conflict("exchange_rate_missing", problem),
    );
  });

/** Problems in words: each with its rule and field. */
export const describe = (problems: ReadonlyArray<EInvoiceProblem>): string =>
  problems.map(({ rule, field, message }) => `${rule}: ${field} ${message}`).join("; ");

/**
 * Refuses an approval whose document would not be a valid e-invoice, where the customer's profile requires one. Everything is
 * known then except number and date.
 */
export const checkApproval = (
  storage: Records & Settling,
  settlement: Settlement,
  partner: Approval,
  { reversals, groups, tax }: Assessment,
): Effect.Effect<void, Conflict | StorageError> =>
  Effect.gen(function* () {
    const { customerId, total } = settlement;
    const seller = sellerOf(partner);
    if (seller === null || groups.length === 0) return;
    const [buyer] = yield* storage.find(customerId, "billingProfile", [customerId]);
    if (buyer === undefined || !requiresEInvoice(buyer)) return;
    const taxGroups = groups.map((group) => ({ ...group, base: Number(group.base), tax: Number(group.tax) }));
    const approval = { snapshot: seller.taxConfig, taxGroups };
    const parts = yield* taxedParts(storage, settlement, reversals, approval);
    const kind = BigInt(total) + tax < 0n ? "credit_note" : "invoice";
    const fields = {
      kind,
      number: null,
      issuedOn: "1970-01-01",
      dueDate: "1970-01-01",
      cancels: null,
    } as const;
    const problems = problemsOf(make(contentOf(settlement, { seller, buyer }, parts, fields)));
    if (problems.length > 0) return yield* conflict("e_invoice_invalid", describe(problems));
  });
