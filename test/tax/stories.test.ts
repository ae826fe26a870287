/** Tax and documents through the whole engine: sales, refunds, write-offs and concurrent approvals. */
import { Deferred, Effect, Layer, Ref } from "effect";
import {
  AttributionSchemas,
  Attributions,
  CommissionFormulas,
  Commissions,
  Documents,
  Ids,
  type Partner,
  Partners,
  PaymentProvider,
  Payments,
  Principal,
  Quittance,
  Settlements,
  Storage,
  Worker,
} from "quittance";
import * as Memory from "quittance/memory";
import { checkInvariants } from "quittance/testing";
import { expect, it } from "vitest";

const CUSTOMER = Ids.CustomerId.make("6f1c2d4e-0000-4000-8000-000000000001");
const WORKSPACE = Ids.WorkspaceId.make("6f1c2d4e-0000-4000-8000-000000000002");
const ME = Principal.customer(CUSTOMER);

const standard = (rateBps: number): Partner.TaxConfig => ({ treatment: "standard", label: "VAT", rateBps });
const EXEMPT: Partner.TaxConfig = { treatment: "exempt", label: "VAT", rateBps: null };

const billing = (taxConfig: Partner.TaxConfig): Partner.SelfBillingData => ({
  legalName: "Nordlys ApS",
  address: { street: "Havnegade 1", city: "København", region: "", postalCode: "1058", country: "DK" },
  vatNumber: "DK12345678",
  paymentTermsDays: 30,
  bankAccount: { beneficiaryName: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  taxConfig,
});

/** The engine on the memory store, with the rendered documents; a test may wrap the storage. */
const engine = (
  rendered: Array<Documents.DocumentContent>,
  wrap: (storage: Storage.StorageService) => Storage.StorageService = (storage) => storage,
) => {
  const renderer = Layer.succeed(Documents.DocumentRenderer, {
    render: (content) =>
      Effect.sync(() => {
        rendered.push(content);
        return { bytes: new Uint8Array([1]), extension: "bin" };
      }),
  });
  const provider = Layer.succeed(
    PaymentProvider.PaymentProvider,
    PaymentProvider.provider({ name: "bank", send: () => Effect.void }),
  );
  const store = Layer.effect(Storage.Storage, Effect.map(Storage.Storage, wrap)).pipe(
    Layer.provideMerge(Memory.layer),
  );
  return Quittance.layer().pipe(Layer.provideMerge(Layer.mergeAll(store, renderer)), Layer.provide(provider));
};

/** A partner that earns the whole order value. */
const selling = (terms: Partner.TaxConfig) =>
  Effect.gen(function* () {
    const partners = yield* Partners.Partners;
    const attributions = yield* Attributions.Attributions;
    const settlements = yield* Settlements.Settlements;
    const worker = yield* Worker.Worker;
    const { id: partnerId } = yield* partners.create(ME, {
      name: "Nordlys",
      workspaceId: WORKSPACE,
      billingMode: "self_billing",
      selfBillingData: billing(terms),
    });
    const { id: schemaId } = yield* (yield* AttributionSchemas.AttributionSchemas).create(ME, {
      name: "Sale",
      workspaceId: WORKSPACE,
      properties: [{ name: "value", type: "number", required: true }],
    });
    yield* (yield* CommissionFormulas.CommissionFormulas).create(ME, {
      partnerId,
      schemaId,
      workspaceId: WORKSPACE,
      currency: "EUR" as never,
      name: "All of it",
      startDatetime: 0,
      expression: { type: "property", name: "value" },
    });
    const commissionOf = (attributionId: Ids.AttributionId) =>
      Effect.gen(function* () {
        const listed = yield* (yield* Commissions.Commissions).list(ME, { perPage: 100 });
        const found = listed.items.find((item) => item.attributionId === attributionId);
        if (found === undefined) return yield* Effect.dieMessage("an attribution earns");
        return found.id;
      });
    const sell = (value: number) =>
      Effect.gen(function* () {
        const { id } = yield* attributions.create(ME, {
          partnerId,
          schemaId,
          workspaceId: WORKSPACE,
          properties: { value },
        });
        return { attributionId: id, commissionId: yield* commissionOf(id) };
      });
    const row = (id: Ids.SettlementId) =>
      Effect.gen(function* () {
        const [found] = (yield* settlements.list(ME, { ids: [id] })).items;
        if (found === undefined) return yield* Effect.dieMessage("a settlement is listed");
        return found;
      });
    const draft = (...commissionIds: ReadonlyArray<Ids.CommissionId>) =>
      Effect.map(
        settlements.create(ME, { customerId: CUSTOMER, workspaceId: WORKSPACE, partnerId, commissionIds }),
        ({ id }) => id,
      );
    const work = Effect.flatMap(Worker.Worker, (item) => {
      const { drain, settle } = item as unknown as Record<string, Effect.Effect<number>>;
      return drain ?? settle ?? Effect.dieMessage("the worker has no way to finish");
    });
    const approve = (id: Ids.SettlementId) => Effect.zipRight(settlements.approve(ME, id), work);
    const settle = (...commissionIds: ReadonlyArray<Ids.CommissionId>) =>
      Effect.gen(function* () {
        const id = yield* draft(...commissionIds);
        yield* approve(id);
        if ((yield* row(id)).status.type === "negative_review") {
          yield* settlements.review(ME, id, { decision: "issue_credit_note" });
          yield* work;
        }
        if ((yield* row(id)).status.type === "awaiting_payment") yield* settlements.markAsPaid(ME, id);
        return yield* row(id);
      });
    const refund = (attributionId: Ids.AttributionId) =>
      attributions.cancel(ME, attributionId, { reason: "refunded" });
    const rate = (taxConfig: Partner.TaxConfig) =>
      partners.update(ME, partnerId, { selfBillingData: billing(taxConfig) });
    return { partnerId, settlements, worker, sell, row, draft, approve, settle, refund, rate, work };
  });

const run = <A, E, R>(
  test: Effect.Effect<A, E, R>,
  rendered: Array<Documents.DocumentContent> = [],
  wrap?: (storage: Storage.StorageService) => Storage.StorageService,
) =>
  Effect.runPromise(
    Effect.provide(Effect.zipRight(test, checkInvariants(CUSTOMER)), engine(rendered, wrap)) as Effect.Effect<
      void,
      E
    >,
  );

it("a refund after a change of rate returns the tax that was charged, and names the corrected invoice", () => {
  const rendered: Array<Documents.DocumentContent> = [];
  return run(
    Effect.gen(function* () {
      const { sell, settle, refund, rate, row } = yield* selling(standard(2_500));
      const { attributionId, commissionId } = yield* sell(1_000);
      const sold = yield* settle(commissionId);
      expect([sold.taxAmount, sold.payableAmount]).toEqual([250, 1_250]);
      yield* rate(standard(1_000));
      yield* refund(attributionId);
      const back = yield* row((yield* settle(commissionId)).id);
      expect([back.total, back.taxAmount, back.payableAmount]).toEqual([-1_000, -250, -1_250]);
      const invoice = rendered.find(({ kind }) => kind === "invoice");
      const note = rendered.find(({ kind }) => kind === "credit_note");
      expect(note?.corrects).toEqual([
        {
          settlementId: sold.id,
          kind: "invoice",
          isSelfBilled: true,
          number: invoice?.number,
          issuedOn: invoice?.issuedOn,
        },
      ]);
      expect(invoice?.corrects).toEqual([]);
      expect(note?.groups.map(({ rateBps, base, tax }) => [rateBps, base, tax])).toEqual([
        [2_500, -1_000, -250],
      ]);
    }),
    rendered,
  );
});

it("a negative payable amount needs a credit note even if the total is not negative", () =>
  run(
    Effect.gen(function* () {
      const { sell, settle, refund, rate, draft, approve, row } = yield* selling(standard(2_500));
      const first = yield* sell(900);
      yield* settle(first.commissionId);
      yield* refund(first.attributionId);
      yield* rate(EXEMPT);
      const second = yield* sell(1_000);
      const id = yield* draft(first.commissionId, second.commissionId);
      yield* approve(id);
      const { status, total, payableAmount } = yield* row(id);
      expect([status.type, total, payableAmount]).toEqual(["negative_review", 100, -125]);
    }),
  ));

it("a settlement whose invoice balances ends as paid with the invoice", () => {
  const rendered: Array<Documents.DocumentContent> = [];
  return run(
    Effect.gen(function* () {
      const { sell, settle, refund, rate } = yield* selling(standard(2_500));
      const first = yield* sell(800);
      yield* settle(first.commissionId);
      yield* refund(first.attributionId);
      yield* rate(EXEMPT);
      const second = yield* sell(1_000);
      const { status, payableAmount } = yield* settle(first.commissionId, second.commissionId);
      expect([status, payableAmount]).toEqual([{ type: "paid", method: "nothing_due" }, 0]);
      const [, , , invoice] = rendered;
      expect(invoice?.groups.map(({ rateBps, base, tax }) => [rateBps, base, tax])).toEqual([
        [null, 1_000, 0],
        [2_500, -800, -200],
      ]);
    }),
    rendered,
  );
});

it("a write-off issues the counterpart of the issued document, and reverts its tax", () => {
  const rendered: Array<Documents.DocumentContent> = [];
  return run(
    Effect.gen(function* () {
      const { sell, settle, refund, settlements, draft, approve, row, work } = yield* selling(
        standard(2_500),
      );
      const lost = yield* sell(300);
      const id = yield* draft(lost.commissionId);
      yield* approve(id);
      yield* settlements.writeOff(ME, id);
      yield* work;
      const writtenOff = yield* row(id);
      expect(writtenOff.status.type).toBe("written_off");
      expect(writtenOff.creditNoteReference).not.toBeNull();
      const [, invoice, note] = rendered;
      expect([note?.kind, note?.cancels?.number, note?.taxAmount]).toEqual([
        "credit_note",
        invoice?.number,
        75,
      ]);
      const { attributionId, commissionId } = yield* sell(1_000);
      yield* settle(commissionId);
      yield* refund(attributionId);
      const claim = yield* draft(commissionId);
      yield* approve(claim);
      yield* settlements.review(ME, claim, { decision: "issue_credit_note" });
      yield* work;
      expect((yield* row(claim)).creditNoteReference).not.toBeNull();
      yield* settlements.writeOff(ME, claim);
      yield* work;
      expect((yield* row(claim)).invoiceReference).not.toBeNull();
      expect(rendered.at(-1)?.cancels?.kind).toBe("credit_note");
      const storage = yield* Storage.Storage;
      const origins = yield* storage.find(CUSTOMER, "taxOrigin", [id, claim]);
      expect(origins.map(({ base, tax }) => [base, tax])).toEqual([
        ["0", "0"],
        ["0", "0"],
      ]);
    }),
    rendered,
  );
});

it("the counterpart waits while a payment is in flight", () =>
  run(
    Effect.gen(function* () {
      const { sell, settlements, draft, approve, row, work } = yield* selling(standard(2_500));
      const payments = yield* Payments.Payments;
      for (const [type, counterpart] of [
        ["failed", true],
        ["confirmed", false],
      ] as const) {
        const { commissionId } = yield* sell(400);
        const id = yield* draft(commissionId);
        yield* approve(id);
        yield* settlements.initiatePayment(ME, id);
        const { paymentReference } = yield* row(id);
        if (paymentReference === null) throw new Error("no payment reference");
        yield* settlements.writeOff(ME, id);
        yield* work;
        expect((yield* row(id)).creditNoteReference).toBeNull();
        const fact: Payments.PaymentFact =
          type === "failed" ? { type, paymentReference, reason: "closed" } : { type, paymentReference };
        yield* payments.recordPaymentEvent({ provider: "bank", eventId: type, fact });
        yield* work;
        expect((yield* row(id)).creditNoteReference !== null).toBe(counterpart);
      }
    }),
  ));

it("an approval whose total and tax exceed the largest amount is refused, and the draft does not change", () =>
  run(
    Effect.gen(function* () {
      const { sell, settlements, draft, row } = yield* selling(standard(2_500));
      const ids: Array<Ids.CommissionId> = [];
      for (let count = 0; count < 8; count++) ids.push((yield* sell(1e15)).commissionId);
      const id = yield* draft(...ids);
      const refused = yield* Effect.flip(settlements.approve(ME, id));
      expect(refused._tag === "Conflict" && refused.message.startsWith("amount_too_large: ")).toBe(true);
      expect((yield* row(id)).status.type).toBe("draft");
    }),
  ));

it("two concurrent approvals that correct one invoice are stored one after the other", () => {
  // Both have read the remaining amounts before either is stored.
  const gate = Effect.runSync(
    Effect.all({ closed: Ref.make(false), waiting: Ref.make(0), open: Deferred.make<void>() }),
  );
  const wrap = (storage: Storage.StorageService): Storage.StorageService => ({
    ...storage,
    commit: (customerId, changeSet) =>
      Effect.gen(function* () {
        if (yield* Ref.get(gate.closed)) {
          const waiting = yield* Ref.updateAndGet(gate.waiting, (count) => count + 1);
          if (waiting === 2) yield* Deferred.succeed(gate.open, undefined);
          if (waiting <= 2) yield* Deferred.await(gate.open);
        }
        yield* storage.commit(customerId, changeSet);
      }),
  });
  return run(
    Effect.gen(function* () {
      const { sell, settle, refund, settlements, draft, row } = yield* selling(standard(2_500));
      const sales = [yield* sell(5), yield* sell(5)];
      const [first, second] = sales;
      if (first === undefined || second === undefined) return;
      expect((yield* settle(first.commissionId, second.commissionId)).taxAmount).toBe(3);
      for (const { attributionId } of sales) yield* refund(attributionId);
      const ids = [yield* draft(first.commissionId), yield* draft(second.commissionId)];
      yield* Ref.set(gate.closed, true);
      yield* Effect.all(
        ids.map((id) => settlements.approve(ME, id)),
        { concurrency: "unbounded" },
      );
      yield* Ref.set(gate.closed, false);
      const taxes = yield* Effect.forEach(ids, (id) =>
        Effect.map(row(id), ({ taxAmount }) => taxAmount ?? 0),
      );
      expect(taxes.toSorted((a, b) => a - b)).toEqual([-2, -1]);
    }),
    [],
    wrap,
  );
});
