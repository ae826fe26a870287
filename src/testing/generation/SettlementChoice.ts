/** Turns intents about settlements into commands. */
import type { DocumentKind } from "../../domain/Document.ts";
import { CommissionId, SettlementId } from "../../domain/Ids.ts";
import type { Action, Command, SettlementRequest } from "../model/Command.ts";
import { owedDocument } from "../model/Documents.ts";
import { isOpen, quantities } from "../model/Earnings.ts";
import { decisiveAmount } from "../model/Taxes.ts";
import type { Attribution, Commission, Formula, Settlement, World } from "../model/World.ts";
import { type ChoiceContext, callerFor, choose, chooseIfAny } from "./Choice.ts";
import { chooseDocumentFacts, replaceableUpload } from "./DocumentChoice.ts";
import type { Intent } from "./Intent.ts";

interface Candidate {
  readonly commission: Commission & { readonly id: CommissionId };
  readonly attribution: Attribution;
  readonly formula: Formula;
}

const listCandidates = (world: World): ReadonlyArray<Candidate> => {
  const attributions = new Map(world.attributions.map((one) => [one.id, one]));
  const formulas = new Map(world.formulas.map((one) => [one.id, one]));
  return world.commissions.flatMap((commission) => {
    const attribution = attributions.get(commission.attributionId);
    const formula = formulas.get(commission.formulaId);
    if (attribution === undefined || formula === undefined || commission.id === null) return [];
    return [{ commission: { ...commission, id: commission.id }, attribution, formula }];
  });
};

/** Whether no open settlement holds it, and it can be computed. */
const isFreeIn = (world: World): ((candidate: Candidate) => boolean) => {
  const held = new Set(
    world.settlements.filter(isOpen).flatMap(({ lines }) => lines.map((line) => line.commissionId)),
  );
  return ({ commission }) =>
    !held.has(commission.id) && commission.amount !== null && commission.failing === null;
};

const isSameGroup = (one: Candidate, other: Candidate): boolean =>
  one.attribution.partnerId === other.attribution.partnerId &&
  one.attribution.workspaceId === other.attribution.workspaceId &&
  one.formula.currency === other.formula.currency;

const LINES_MAX = 10_000;
/** Two of these are more than a total may be. */
const LARGE = 4_600_000_000_000_000;

/** Asks for what no settlement can hold. */
const makeInvalid = (
  request: SettlementRequest,
  pick: number,
  unknown: string,
  other: CommissionId,
): SettlementRequest => {
  const [first = other] = request.commissionIds;
  switch (pick % 16) {
    case 0:
      return { ...request, commissionIds: [] };
    case 1:
    case 2:
      return { ...request, commissionIds: [first, first] };
    case 3:
    case 4:
      return { ...request, commissionIds: [first, CommissionId.make(unknown)] };
    case 5: {
      const digits = (index: number) => index.toString(16).padStart(12, "0");
      const many = Array.from({ length: LINES_MAX + 1 }, (_, index) =>
        CommissionId.make(`${unknown.slice(0, 24)}${digits(index)}`),
      );
      return pick % 64 === 5 ? { ...request, commissionIds: many } : { ...request, commissionIds: [] };
    }
    default:
      return { ...request, commissionIds: [...new Set([other, ...request.commissionIds])] };
  }
};

/** What to choose the first commission from: free ones with something due, or what a settlement would stumble over. */
const firstCandidates = (
  world: World,
  { eligible, picks }: Intent,
  all: ReadonlyArray<Candidate>,
): ReadonlyArray<Candidate> => {
  if (!eligible) {
    const failing = all.filter(({ commission }) => commission.failing !== null);
    return picks[2] % 3 === 0 && failing.length > 0 ? failing : all;
  }
  const free = all.filter(isFreeIn(world));
  const worthwhile = free.filter(({ commission }) => {
    if (picks[0] % 4 === 0) return true;
    const { due } = quantities(world, commission);
    return picks[0] % 4 === 1 ? due < 0 : due !== 0;
  });
  return worthwhile.length === 0 ? free : worthwhile;
};

/** A request for a settlement of up to five commissions of one kind; `null` while there are none. */
export const chooseSettlementRequest = ({
  principals,
  world,
  intent,
}: ChoiceContext): SettlementRequest | null => {
  const { eligible, picks } = intent;
  const all = listCandidates(world);
  const first = chooseIfAny(firstCandidates(world, intent, all), picks[1]);
  if (first === undefined) return null;
  const free = eligible ? all.filter(isFreeIn(world)) : all;
  const beside = free.filter((one) => one.commission.id !== first.commission.id && isSameGroup(one, first));
  // What balances to nothing is seldom found by chance.
  const dueOf = ({ commission }: Candidate) => quantities(world, commission).due;
  const balancing =
    eligible && picks[2] % 4 === 0 ? beside.find((one) => dueOf(one) === -dueOf(first)) : undefined;
  const some =
    balancing === undefined
      ? beside.filter((_, index) => ((picks[2] >> (index % 12)) & 1) === 1).slice(0, 4)
      : [balancing];
  const { customerId, workspaceId, partnerId } = first.attribution;
  const commissionIds = [first, ...some].map(({ commission }) => commission.id);
  const request = { customerId, workspaceId, partnerId, commissionIds };
  if (eligible || (first.commission.failing !== null && picks[3] % 2 === 0)) return request;
  const largest = free.filter(
    (one) => isSameGroup(one, first) && Math.abs(one.commission.amount ?? 0) > LARGE,
  );
  if (largest.length > 1)
    return { ...request, commissionIds: largest.map(({ commission }) => commission.id) };
  if (picks[3] % 11 === 0) {
    return { ...request, customerId: principals.customers[customerId === principals.customers[0] ? 1 : 0] };
  }
  const strangers = all.filter(
    ({ attribution, formula }) =>
      picks[0] % 2 === 0 ||
      (attribution.partnerId === partnerId && formula.currency !== first.formula.currency),
  );
  const other = chooseIfAny(strangers, picks[0])?.commission.id ?? CommissionId.make(principals.unknown);
  return makeInvalid(request, picks[3], principals.unknown, other);
};

/** Create or preview settlement. */
export const createSettlement = (
  context: ChoiceContext,
  type: "create_settlement" | "preview_settlement",
): Command | null => {
  const input = chooseSettlementRequest(context);
  if (input === null) return null;
  const by = callerFor(context, input);
  return type === "create_settlement" ? { type, ...by, input } : { type, ...by, idempotency: null, input };
};

const chooseSettlement = (
  context: ChoiceContext,
  accepts: (settlement: Settlement) => boolean,
  nearly: (settlement: Settlement) => boolean = isOpen,
): Settlement | undefined => {
  const { world, intent } = context;
  const near = world.settlements.filter(intent.eligible ? accepts : nearly);
  return chooseIfAny(near.length > 0 || intent.eligible ? near : world.settlements, intent.picks[0]);
};

const actionCommand = (context: ChoiceContext, settlement: Settlement, asking: Action): Command => {
  const { principals, world, intent } = context;
  const id =
    !intent.eligible && intent.picks[3] % 6 === 0 ? SettlementId.make(principals.unknown) : settlement.id;
  const by = callerFor(context, settlement);
  // Under four eyes an eligible approval comes from another than the draft's creator.
  const fourEyes = intent.eligible && asking.type === "approve" && world.policy.fourEyes;
  const { principal } = fourEyes
    ? callerFor(
        { ...context, intent: { ...intent, who: settlement.createdBy.startsWith("owner") ? 3 : 0 } },
        settlement,
      )
    : by;
  return { type: "act", ...by, principal, id, action: asking };
};

const isInState =
  (...types: ReadonlyArray<Settlement["status"]["type"]>) =>
  ({ status }: Settlement): boolean =>
    types.includes(status.type);

const isPaidByWebhook = ({ status }: Settlement): boolean =>
  status.type === "paid" && status.method === "webhook";

const isDisputable = isInState(
  "awaiting_report",
  "awaiting_invoice",
  "negative_review",
  "awaiting_credit_note",
  "awaiting_payment",
);

/** Which settlements an action suits. */
const accepts = (type: Action["type"]): ((settlement: Settlement) => boolean) => {
  switch (type) {
    case "approve":
    case "cancel":
      return isInState("draft");
    case "review":
      return isInState("negative_review");
    case "write_off":
      return (settlement) => isOpen(settlement) && settlement.status.type !== "draft";
    case "mark_as_paid":
      return isInState("awaiting_payment", "payment_initiated");
    case "initiate_payment":
      return (settlement) =>
        settlement.status.type === "awaiting_payment" &&
        settlement.billingMode === "self_billing" &&
        decisiveAmount(settlement) > 0;
    case "return_payment":
      return isPaidByWebhook;
    case "dispute":
      return isDisputable;
    case "resolve_dispute":
      return isInState("disputed");
    case "reconcile":
      return isInState("paid");
  }
};

/** Which settlements an action nearly suits: those it would be tempting to let it have. */
const nearlyAccepts = (type: Action["type"], pick: number): ((settlement: Settlement) => boolean) => {
  if (pick % 3 === 0) return () => true;
  switch (type) {
    case "dispute":
      return isInState("payment_initiated");
    case "initiate_payment":
      return (settlement) => settlement.status.type === "awaiting_payment" && decisiveAmount(settlement) <= 0;
    case "write_off":
      return isInState("draft", "written_off", "paid");
    case "return_payment":
      return isInState("paid");
    default:
      return isOpen;
  }
};

/** Every other review asks for a credit note. */
const chooseReview = (pick: number): Action => ({
  type: "review",
  decision: choose(["issue_credit_note", "carry_forward", "issue_credit_note", "write_off"], pick),
});

const DAY = 86_400_000;

/** A payment reported by hand: mostly with when and under which reference, sometimes out of bounds. */
const chooseMarkAsPaid = (
  { world: { now }, intent: { eligible, picks } }: ChoiceContext,
  { approvedAt }: Settlement,
): Action => {
  const type = "mark_as_paid";
  const pick = picks[2] % 6;
  if (pick === 0) return { type };
  const earliest = (approvedAt ?? now) - DAY;
  const latest = now + 5 * 60_000;
  const sound = choose([earliest, latest, Math.min(now, Math.max(earliest, now - 1_000)), latest], picks[3]);
  const paidAt =
    eligible || pick > 2 ? Math.min(latest, sound) : choose([earliest - 1, latest + 1], picks[3]);
  const bankReference = eligible || pick > 3 ? `bank ${picks[3] % 9}` : " ";
  return {
    type,
    ...(pick === 1 ? {} : { paidAt }),
    ...(pick === 2 ? {} : { bankReference }),
    ...(pick === 3 ? { note: "as the bank says" } : {}),
  };
};

const chooseActionInput = (context: ChoiceContext, type: Action["type"], settlement: Settlement): Action => {
  const { eligible, picks } = context.intent;
  const pick = picks[1];
  switch (type) {
    case "mark_as_paid":
      return chooseMarkAsPaid(context, settlement);
    case "review":
      return chooseReview(pick);
    case "dispute":
    case "return_payment":
      return { type, reason: eligible || pick % 3 > 0 ? `reason ${pick % 4}` : " " };
    case "resolve_dispute":
      return {
        type,
        resolution: choose(
          ["upheld", settlement.linked.invoice === null ? "rejected" : "upheld", "rejected"],
          pick,
        ),
      };
    case "reconcile":
      return { type, reconciled: pick % 4 > 0 ? !settlement.reconciled : settlement.reconciled };
    default:
      return { type };
  }
};

/** An action on a settlement that it suits, when the intent is eligible. */
export const chooseAction = (context: ChoiceContext, type: Action["type"]): Command | null => {
  const { picks } = context.intent;
  const settlement = chooseSettlement(context, accepts(type), nearlyAccepts(type, picks[2]));
  return settlement === undefined
    ? null
    : actionCommand(context, settlement, chooseActionInput(context, type, settlement));
};

/** The document that a settlement waits for from a caller; null when it waits for none. */
export const awaitedUpload = (world: World, settlement: Settlement): DocumentKind | null => {
  const { status, billingMode } = settlement;
  if (status.type === "awaiting_report") return "report";
  if (billingMode === "self_billing" && world.policy.documents === "auto") return null;
  if (status.type === "awaiting_invoice") return "invoice";
  return status.type === "awaiting_credit_note" ? "credit_note" : owedDocument(settlement);
};

/** A document of a settlement, handed in. */
export const upload = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const again = intent.picks[3] % 3 === 0;
  const wanted = (one: Settlement) =>
    (again ? replaceableUpload(world, one) : null) ?? awaitedUpload(world, one);
  const settlement = chooseSettlement(
    context,
    (one) => wanted(one) !== null && (!again || replaceableUpload(world, one) !== null),
    isInState("awaiting_invoice", "awaiting_credit_note", "awaiting_payment"),
  );
  if (settlement === undefined) return null;
  const kind =
    (intent.eligible ? wanted(settlement) : null) ??
    (settlement.status.type === "awaiting_credit_note"
      ? "credit_note"
      : choose<DocumentKind>(["invoice", "credit_note", "report", "invoice"], intent.picks[1]));
  const byteLength = !intent.eligible && intent.picks[2] % 5 === 0 ? 0 : 1 + (intent.picks[2] % 9);
  const facts = chooseDocumentFacts(context, kind, settlement);
  return { type: "upload", ...callerFor(context, settlement), id: settlement.id, kind, byteLength, facts };
};

/** The command that takes a settlement one step towards its end; null for the worker's turn or when it has ended. */
export const chooseNextStep = (context: ChoiceContext, settlement: Settlement): Command | null => {
  const { world, intent } = context;
  const kind = awaitedUpload(world, settlement);
  if (kind !== null) {
    const facts = chooseDocumentFacts(
      { ...context, intent: { ...intent, eligible: true } },
      kind,
      settlement,
    );
    return {
      type: "upload",
      ...callerFor(context, settlement),
      id: settlement.id,
      kind,
      byteLength: 3,
      facts,
    };
  }
  const doing = (asking: Action) => actionCommand(context, settlement, asking);
  switch (settlement.status.type) {
    case "draft":
      return doing({ type: "approve" });
    case "negative_review":
      return doing(chooseReview(intent.picks[3]));
    case "awaiting_payment": {
      const payable = accepts("initiate_payment")(settlement) && world.policy.payouts;
      if (settlement.linked.invoice !== null && intent.picks[3] % 5 === 1) {
        return doing({ type: "dispute", reason: "not what we agreed" });
      }
      const turn = intent.picks[1] % 8;
      return turn === 3 || (payable && turn % 2 === 0)
        ? doing({ type: "initiate_payment" })
        : doing(chooseMarkAsPaid({ ...context, intent: { ...intent, eligible: true } }, settlement));
    }
    case "payment_initiated":
      return intent.picks[1] % 8 === 5
        ? doing({ type: "mark_as_paid" })
        : paymentReport(context, settlement, intent.picks[1] % 8 === 6 ? "failed" : "confirmed");
    case "disputed":
      return doing({
        type: "resolve_dispute",
        resolution: intent.picks[3] % 3 === 1 ? "upheld" : "rejected",
      });
    case "awaiting_report":
    case "awaiting_invoice":
    case "awaiting_credit_note":
      return { type: "work" };
    case "cancelled":
    case "written_off":
      return owedDocument(settlement) === null ? null : { type: "work" };
    case "paid":
      return null;
  }
};

/** The next step of an open settlement, or of one that owes a document. */
export const advance = (context: ChoiceContext): Command | null => {
  const { world, intent } = context;
  const unfinished = world.settlements.filter((one) => isOpen(one) || owedDocument(one) !== null);
  const settlement = chooseIfAny(unfinished, intent.picks[0]);
  return settlement === undefined ? null : chooseNextStep(context, settlement);
};

type Fact = Extract<Command, { type: "report_payment" }>["fact"];

const paymentReport = (
  { history, intent }: ChoiceContext,
  { references }: Settlement,
  fact: Fact,
): Command | null => {
  const reference = references[references.length - 1];
  const older = chooseIfAny(references, intent.picks[2]);
  return reference === undefined || older === undefined
    ? null
    : {
        type: "report_payment",
        fact,
        reference: intent.eligible ? reference : older,
        eventId: `event-${history.count}`,
        ...(fact === "confirmed" && intent.picks[3] % 2 === 0
          ? { bankReference: `bank ${history.count}` }
          : {}),
      };
};

/** A payment fact about a settlement that has been paid through a provider, or is being paid. */
export const reportPayment = (context: ChoiceContext): Command | null => {
  const { principals, world, intent, history } = context;
  const { eligible, picks } = intent;
  const waiting = (one: Settlement) => one.status.type === "payment_initiated" || isPaidByWebhook(one);
  const known = world.settlements.filter((one) => one.references.length > 0 && (!eligible || waiting(one)));
  const settlement = chooseIfAny(known, picks[0]);
  const any = choose<Fact>(["confirmed", "failed", "returned", "confirmed"], picks[1]);
  if (settlement === undefined) {
    return eligible
      ? null
      : {
          type: "report_payment",
          fact: any,
          reference: principals.unknown,
          eventId: `event-${history.count}`,
        };
  }
  const fitting: Fact =
    settlement.status.type === "payment_initiated"
      ? picks[1] % 3 === 0
        ? "failed"
        : "confirmed"
      : "returned";
  return paymentReport(context, settlement, eligible ? fitting : any);
};
