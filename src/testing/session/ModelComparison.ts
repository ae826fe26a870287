/** Compares the records of a customer in a store with those of the model. */
import type { CustomerId, PartnerId } from "../../domain/Ids.ts";
import * as Ledger from "../../domain/Ledger.ts";
import * as SettlementView from "../../domain/SettlementView.ts";
import { totalsOf } from "../model/settlements/RunFindings.ts";
import { quantities } from "../model/world/Earnings.ts";
import { isStale, total } from "../model/world/Lines.ts";
import type { LogEntry } from "../model/world/Log.ts";
import { expressionOf, statedShare } from "../model/world/PlanExpression.ts";
import { paidOf } from "../model/world/Receipts.ts";
import { ASSIGNED_BY_SERVICE, type Settlement, type SettlementRun } from "../model/world/Settlements.ts";
import { isOpen } from "../model/world/States.ts";
import type { Formula, SharedPlan, World } from "../model/world/World.ts";
import { controlOf } from "./ControlNames.ts";
import { expectedFiles, storedFiles } from "./PaymentFileComparison.ts";
import { toList } from "./ProfileComparison.ts";
import { expectedRecredits, storedRecredits } from "./RecreditComparison.ts";
import type { StoreView } from "./StoreView.ts";
import { ANY_VALUE, valueDifference } from "./ValueDifference.ts";

type Rows = ReadonlyMap<string, unknown>;

const expectedLog = (log: ReadonlyArray<LogEntry>) =>
  log.map(({ at, type, fields }) => ({ at, event: { type, ...fields } }));

/** Properties sorted by name; a list, so that an unexpected name is a difference. */
const toSortedList = (properties: object) =>
  Object.entries(properties).toSorted(([one], [other]) => (one < other ? -1 : 1));

const expectedAttributions = (world: World, picks: RecordFilter): Rows =>
  new Map(
    world.attributions.filter(picks).map(({ log, cancelReason, properties, ...rest }) => [
      rest.id,
      {
        row: { ...rest, cancelReason, status: cancelReason === null ? "confirmed" : "cancelled" },
        properties: toSortedList(properties),
        log: expectedLog(log),
      },
    ]),
  );

/** Declarations and values with their names sorted, so that an unexpected one is a difference. */
const toStated = ({
  parameters,
  parameterValues = [],
}: Pick<SharedPlan, "parameters"> & Partial<Pick<Formula, "parameterValues">>) => ({
  declared: parameters.map(toSortedList),
  statements: parameterValues.map(({ values, effectiveDatetime: at }) => ({
    at,
    values: toSortedList(values),
  })),
});

const expectedTerms = ({
  start,
  end,
  versions,
  parameters: _,
  ...rest
}: Omit<SharedPlan, "log" | "id"> | Omit<Formula, "log" | "assignment" | "parameterValues">) => ({
  ...rest,
  startDatetime: start,
  endDatetime: end,
  status: rest.cancelReason === null ? "active" : "cancelled",
  versions: versions.map(({ plan, effective, ahead, withdrawn }) => ({
    expression: expressionOf(plan),
    ...statedShare(plan),
    effectiveDatetime: effective,
    ...{ ahead, withdrawn },
  })),
});

const expectedFormulas = (world: World, picks: RecordFilter): Rows =>
  new Map(
    world.formulas.filter(picks).map(({ log, assignment, parameterValues, ...formula }) => [
      formula.id,
      {
        ...toStated({ ...formula, parameterValues }),
        row: {
          ...expectedTerms(formula),
          recomputing: false,
          assignment: assignment && {
            planId: assignment.planId,
            planRevision: assignment.applied,
            startDatetime: assignment.from,
            endDatetime: assignment.to,
          },
        },
        log: expectedLog(log),
      },
    ]),
  );

const expectedPlans = (world: World, customerId: CustomerId): Rows =>
  new Map(
    world.plans
      .filter((plan) => plan.customerId === customerId)
      .map(({ log, ...plan }) => {
        const own = world.formulas.filter(({ assignment }) => assignment?.planId === plan.id);
        const partners = own.flatMap(({ partnerId, assignment }) =>
          assignment !== null && assignment.from !== null && assignment.from === assignment.to
            ? []
            : [partnerId],
        );
        const partnerCount = new Set(partners).size;
        const rollingOut = { pending: 0, done: own.length };
        return [
          plan.id,
          {
            row: { ...expectedTerms(plan), partnerCount, rollingOut },
            ...toStated(plan),
            log: expectedLog(log),
          },
        ];
      }),
  );

const expectedCommissions = (world: World, picks: RecordFilter): Rows => {
  const rows = new Map<string, unknown>();
  for (const commission of world.commissions) {
    const { attributionId, formulaId, amount, version, parametersVersion, failing, createdAt, log } =
      commission;
    const attribution = world.attributions.find(({ id }) => id === attributionId);
    if (attribution === undefined || !picks(attribution)) continue;
    const formula = world.formulas.find(({ id }) => id === formulaId);
    const { paid, paidNegative, writtenOffPositive, writtenOffNegative, ...other } = quantities(
      world,
      commission,
    );
    const { pending, settled, due, waiting, holder, status } = other;
    const { customerId, workspaceId, partnerId } = attribution;
    rows.set(`${attributionId} ${formulaId}`, {
      row: {
        customerId,
        workspaceId,
        partnerId,
        currency: formula?.currency,
        createdAt,
        occurredAt: attribution.occurredAt,
        computedAmount: amount,
        waitingAmount: waiting,
        receipt: formula === undefined ? null : paidOf(world, attributionId, formula),
        paidAmount: paid,
        paidNegative,
        writtenOffPositive,
        writtenOffNegative,
        pendingAmount: pending,
        openSettlementId: holder?.id ?? null,
        formulaVersion: version,
        parametersVersion,
      },
      failing: failing !== null,
      settled,
      due,
      status,
      log: expectedLog(log),
    });
  }
  return rows;
};

const expectedReference = ({ hasReference, references, attempt }: Settlement) =>
  !hasReference ? null : references.length < attempt ? ANY_VALUE : references.at(-1);

const expectedNumber = (number: string | null | undefined) =>
  number === ASSIGNED_BY_SERVICE ? ANY_VALUE : (number ?? null);

const expectedDocuments = ({ linked: { report, invoice, credit_note }, dueDate }: Settlement) => ({
  reportNumber: expectedNumber(report?.number),
  invoiceNumber: expectedNumber(invoice?.number),
  invoiceDate: invoice?.date ?? null,
  dueDate,
  creditNoteNumber: expectedNumber(credit_note?.number),
  creditNoteDate: credit_note?.date ?? null,
});

const expectedSettlements = (world: World, picks: RecordFilter): Rows =>
  new Map(
    world.settlements.filter(picks).map((settlement) => {
      const { id, workspaceId, partnerId, currency, status, taxAmount, payableAmount } = settlement;
      const { disputeReason, disputedAt, attempt, paidAt, createdAt, createdBy, linked, taxReview } =
        settlement;
      const row = {
        taxReview,
        ...{ workspaceId, partnerId, currency, status, taxAmount, payableAmount },
        ...{ disputeReason, disputedAt, attempt, paidAt, createdAt, createdBy },
        ...expectedDocuments(settlement),
        approvedAt: settlement.approvedAt,
        bankReference: settlement.bankReference,
        handedOver: settlement.handedOver ?? null,
        total: total(settlement),
        lines: settlement.lines.map(({ commissionId, amount }) => ({ commissionId, amount })),
        reconciliationStatus: settlement.reconciled ? "reconciled" : "unreconciled",
        paymentReference: expectedReference(settlement),
        stale: isStale(world, settlement),
        documentProblem: null,
        attachments: settlement.namedAttachments,
      };
      const eInvoiceRules = (["invoice", "credit_note"] as const)
        .flatMap((kind) => linked[kind]?.rules.map((rule) => `${kind} ${rule}`) ?? [])
        .toSorted();
      const { billingMode, selfBillingData, payoutAccount } = settlement;
      const chosen = payoutAccount === undefined ? {} : { payoutAccount };
      const approval = { billingMode, selfBillingData, ...chosen };
      const uploaded = Object.entries(linked).map(([kind, document]) => [kind, document?.uploaded ?? null]);
      return [
        id,
        {
          row,
          uploaded: Object.fromEntries(uploaded),
          eInvoiceRules,
          reported: [settlement.fee ?? null, settlement.received ?? null],
          approval,
          taxConversion: settlement.taxConversion ?? null,
          open: isOpen(settlement),
          log: expectedLog(settlement.log),
        },
      ];
    }),
  );

/** Rules with their fields sorted, so that an unexpected one is a difference. */
const toBooks = ({ rules, reverseCharge }: World["books"][number]) => ({
  rules: rules.map(toSortedList),
  reverseCharge,
});

const byId = (rows: ReadonlyArray<{ readonly id: string }>): Rows =>
  new Map(rows.map((row) => [row.id, row]));

const storeRows = (seen: StoreView): { readonly [Kind in string]: Rows } => ({
  ...{ partner: byId(seen.partners), schema: byId(seen.schemas), key: byId(seen.keys) },
  profile: new Map(seen.profiles.map((row) => [row.customerId, toList(row)])),
  books: new Map(
    seen.controls.flatMap(({ kind, row }) => (kind === "books" ? [[row.customerId, toBooks(row)]] : [])),
  ),
  control: new Map(seen.controls.map((control) => [controlOf(control), { log: control.log }])),
  policy: new Map(
    seen.policies.map((row) => [`${row.workspaceId} ${row.partnerId}`, { ...row, updatedAt: row.lastAt }]),
  ),
  ...{ run: byId(seen.runs), acceptance: byId(seen.acceptances), link: byId(seen.links) },
  ...storedRecredits(seen),
  ...storedFiles(seen),
  runResult: new Map(
    (seen.results ?? []).map((row) => [
      `${row.runId} ${row.partnerId} ${row.currency}`,
      { ...row, drafts: row.drafts.map(({ approvalProblem: _, ...draft }) => draft) },
    ]),
  ),
  attribution: new Map(
    seen.attributions.map(({ row, log }) => [row.id, { row, log, properties: toSortedList(row.properties) }]),
  ),
  formula: new Map(
    seen.formulas.map((formula) => [formula.row.id, { ...formula, ...toStated(formula.row) }]),
  ),
  plan: new Map(seen.plans.map((plan) => [plan.row.id, { ...plan, ...toStated(plan.row) }])),
  commission: new Map(
    seen.commissions.map(({ row, log }) => [
      `${row.attributionId} ${row.formulaId}`,
      {
        row,
        log,
        failing: row.computationError !== null,
        settled: Ledger.settledAmount(row),
        due: Ledger.due(row),
        status: Ledger.settlementStatus(row),
      },
    ]),
  ),
  settlement: new Map(
    seen.settlements.map(({ row, log }) => [
      row.id,
      {
        row,
        log,
        uploaded: {
          report: row.reportReference === null ? null : row.uploads.includes("report"),
          invoice: row.invoiceReference === null ? null : row.uploads.includes("invoice"),
          credit_note: row.creditNoteReference === null ? null : row.uploads.includes("credit_note"),
        },
        eInvoiceRules: [
          ...new Set(row.eInvoiceProblems.map(({ kind, rule }) => `${kind} ${rule}`)),
        ].toSorted(),
        reported: [row.fee ?? null, row.received ?? null],
        approval: row.approval ?? { billingMode: null, selfBillingData: null },
        taxConversion: row.approval?.taxConversion ?? null,
        open: SettlementView.isOpen(row.status.type),
      },
    ]),
  ),
});

const expectedRun = ({ results, done, readings: _, ...run }: SettlementRun) => {
  const drafts = results.flatMap(({ currency, draft }) => (draft === null ? [] : [{ ...draft, currency }]));
  return {
    ...run,
    state: done === null ? "running" : "done",
    partnersDone: done?.partners ?? 0,
    finishedAt: done?.at ?? null,
    draftCount: drafts.length,
    lineCount: drafts.reduce((sum, { lineCount }) => sum + lineCount, 0),
    approvedCount: drafts.filter(({ approval }) => approval === "approved").length,
    totals: Object.fromEntries(totalsOf(drafts).map(({ currency, amount }) => [currency, `${amount}`])),
  };
};

const expectedResults = (runs: ReadonlyArray<SettlementRun>, picks: RecordFilter): Rows =>
  new Map(
    runs.flatMap(({ id, customerId, results }) =>
      results
        .filter(({ partnerId }) => picks({ customerId, partnerId }))
        .map(({ draft, ...result }): [string, unknown] => [
          `${id} ${result.partnerId} ${result.currency}`,
          { ...result, runId: id, after: null, drafts: draft === null ? [] : [draft] },
        ]),
    ),
  );

/** Selects records by customer and partner. */
type RecordFilter = (record: { readonly customerId: CustomerId; readonly partnerId: PartnerId }) => boolean;

/** For each kind, a function that returns its rows: a difference in one kind ends a comparison. */
const expectedRows = (
  world: World,
  customerId: CustomerId,
  partnerIds: ReadonlyArray<PartnerId> | null,
): { readonly [Kind in string]: () => Rows } => {
  const picks: RecordFilter = (item) =>
    item.customerId === customerId && (partnerIds === null || partnerIds.includes(item.partnerId));
  const whole = <Row extends { readonly customerId: CustomerId }>(rows: ReadonlyArray<Row>) =>
    rows.filter((row) => partnerIds === null && row.customerId === customerId);
  return {
    partner: () => byId(world.partners.filter((row) => picks({ ...row, partnerId: row.id }))),
    schema: () => new Map(whole(world.schemas).map((row) => [row.id, row])),
    key: () => new Map(whole(world.keys).map(({ token, ...row }) => [row.id, row])),
    profile: () => new Map(whole(world.profiles).map((row) => [row.customerId, toList(row)])),
    books: () => new Map(whole(world.books).map((row) => [row.customerId, toBooks(row)])),
    control: () =>
      new Map(
        world.controlLogs
          .filter(
            (one) =>
              one.customerId === customerId &&
              (partnerIds === null || partnerIds.some((id) => one.record === `partner ${id}`)),
          )
          .map(({ record, log }) => [record, { log: expectedLog(log) }]),
      ),
    policy: () =>
      new Map(
        whole(world.settlementPolicies).map(({ limits: _, ...row }) => [
          `${row.workspaceId} ${row.partnerId}`,
          row,
        ]),
      ),
    acceptance: () =>
      new Map(world.acceptances.filter(picks).map(({ terms, rule, ...row }) => [row.id, row])),
    link: () => new Map(world.links.filter(picks).map((row) => [row.id, row])),
    run: () => new Map(whole(world.settlementRuns).map((run) => [run.id, expectedRun(run)])),
    runResult: () => expectedResults(world.settlementRuns, picks),
    ...expectedRecredits(whole(world.recreditRuns)),
    ...expectedFiles(world, {
      paymentFiles: whole(world.paymentFiles),
      bankPayments: whole(world.bankPayments),
    }),
    attribution: () => expectedAttributions(world, picks),
    formula: () => expectedFormulas(world, picks),
    plan: () => expectedPlans(world, customerId),
    commission: () => expectedCommissions(world, picks),
    settlement: () => expectedSettlements(world, picks),
  };
};

/** Compares a world with a store's view of a customer, or of some partners. */
type Comparison = (world: World) => string | null;

/** Returns a function that finds the first difference between the view and a world; null when there is none. */
export const compareStore = (
  customerId: CustomerId,
  seen: StoreView,
  partnerIds: ReadonlyArray<PartnerId> | null = null,
): Comparison => {
  const shows = storeRows(seen);
  const unread = new Set(seen.results === null ? ["runResult"] : []);
  return (world) => {
    for (const [kind, expected] of Object.entries(expectedRows(world, customerId, partnerIds))) {
      if (unread.has(kind)) continue;
      const wanted = expected();
      const rows = shows[kind] ?? new Map();
      for (const id of rows.keys())
        if (!wanted.has(id)) return `${kind} ${id} is in the store but not in the model`;
      for (const [id, row] of wanted) {
        if (!rows.has(id)) return `${kind} ${id} is in the model but not in the store`;
        const difference = valueDifference(row, rows.get(id));
        if (difference !== null) return `${kind} ${id}: ${difference}`;
      }
    }
    return null;
  };
};
