/** What may hang, fail, conflict or end the process, and what continues meanwhile. */
import { Cause, Chunk, Effect, Fiber, Layer, Logger, Schema, Stream } from "effect";
import {
  CommissionFormulas,
  DeadLetters,
  Documents,
  Outbox,
  Partner,
  PaymentProvider,
  Principal,
  Quittance,
  type Settlement,
  Settlements,
  Storage,
  Worker,
  WorkerSettings,
} from "quittance";
import { layer as memory } from "quittance/memory";
import { Build, Scene } from "quittance/testing";
import { describe, expect, it } from "vitest";

type Render = Documents.DocumentRendererService["render"];
type Send = PaymentProvider.PaymentProviderService["send"];

const DONE: Render = ({ kind }) =>
  Effect.succeed({ bytes: new TextEncoder().encode(kind), extension: "txt" });

interface Host {
  readonly render?: Render;
  readonly send?: Send;
  readonly settings?: Partial<WorkerSettings.Settings>;
  readonly storage?: (storage: Storage.StorageService) => Partial<Storage.StorageService>;
  readonly outbox?: (outbox: Outbox.OutboxService) => Partial<Outbox.OutboxService>;
}

/** An engine on the memory store. The test itself uses the store without the wrapper in between. */
const engine = ({ render = DONE, send, settings, storage, outbox }: Host) =>
  Quittance.layer().pipe(
    Layer.updateService(Storage.Storage, (service) => ({ ...service, ...storage?.(service) })),
    Layer.updateService(Outbox.Outbox, (service) => ({ ...service, ...outbox?.(service) })),
    Layer.provide([
      Layer.succeed(Documents.DocumentRenderer, { render }),
      Layer.succeed(
        PaymentProvider.PaymentProvider,
        PaymentProvider.provider({ send: send ?? (() => Effect.void) }),
      ),
      Layer.succeed(WorkerSettings.WorkerSettings, {
        ...WorkerSettings.DEFAULT,
        pollMilliseconds: 20,
        ...settings,
      }),
    ]),
    Layer.provideMerge(memory),
  );

/** Failures are tried again at once. */
const impatient = ({ postpone }: Outbox.OutboxService): Partial<Outbox.OutboxService> => ({
  postpone: (claim, postponement) => postpone(claim, { ...postponement, delayMilliseconds: 0 }),
});

const BILLING = Schema.decodeUnknownSync(Partner.SelfBillingData)({
  legal_name: "Nordlys ApS",
  address: { street: "Havnegade 1", city: "København", region: "", postal_code: "1058", country: "DK" },
  vat_number: "DK12345678",
  payment_terms_days: 30,
  bank_account: { beneficiary_name: "Nordlys ApS", iban: "DK5000400440116243", bic: "NDEADKKK" },
  tax_config: { treatment: "exempt", label: "VAT" },
});

/** A settlement of one commission that awaits its report, and the message for that report. */
const awaitingReport = (scene: Scene.Scene) =>
  Effect.gen(function* () {
    const earned = yield* Scene.earn(scene, [700]);
    const draft = yield* Scene.draft(
      scene,
      earned.map(({ commission }) => commission),
    );
    const approved = yield* Scene.advance(draft, Build.approvalEvents(draft).slice(0, 1));
    const message = Build.message(scene.customerId, approved.id);
    yield* Scene.commit(scene.customerId, [], { outbox: [message] });
    return approved;
  });

const statusOf = ({ customerId, id }: Pick<Settlement.Settlement, "customerId" | "id">) =>
  Effect.map(
    Effect.flatMap(Storage.Storage, (storage) => storage.find(customerId, "settlement", [id])),
    ([found]) => found?.status.type,
  );

/** Waits for something to hold, by the system clock. */
const until = <R>(what: string, holds: Effect.Effect<boolean, unknown, R>, limitMilliseconds = 120_000) =>
  Effect.gen(function* () {
    const deadline = Date.now() + limitMilliseconds;
    while (!(yield* Effect.orDie(holds))) {
      if (Date.now() > deadline) return yield* Effect.dieMessage(`waited too long for ${what}`);
      yield* Effect.sleep(10);
    }
  });

const waiting = Effect.map(
  Effect.flatMap(Outbox.Outbox, ({ depth }) => depth),
  (depths) => depths.reduce((sum, depth) => sum + depth.waiting, 0),
);

const listed = Effect.flatMap(DeadLetters.DeadLetters, ({ list }) =>
  Effect.map(Stream.runCollect(list), (found) => Chunk.toReadonlyArray(found)),
);

/** Runs an effect while a worker runs. */
const working = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const worker = yield* Worker.Worker;
    const running = yield* Effect.fork(worker.run);
    const result = yield* effect;
    yield* Fiber.interrupt(running);
    return result;
  });

const run = <A, E>(
  host: Host,
  effect: Effect.Effect<A, E, Layer.Layer.Success<ReturnType<typeof engine>>>,
): Promise<A> => Effect.runPromise(Effect.provide(effect, engine(host)));

/** How many events precede the step that a message is for. */
const STEPS = { make_report: 1, make_invoice: 2, send_payment: 4 } as const;

/** An approved settlement of a self-billing partner at the step that a message is for, and that message. */
const billed = (scene: Scene.Scene, topic: keyof typeof STEPS) =>
  Effect.gen(function* () {
    const earned = yield* Scene.earn(scene, [700]);
    const draft = yield* Scene.draft(
      scene,
      earned.map(({ commission }) => commission),
    );
    const reference = Build.fresh.payment();
    const events: ReadonlyArray<Settlement.SettlementEvent> = [
      {
        type: "approve_settlement",
        billing_mode: "self_billing",
        stored: { partner_name: "Nordlys ApS", self_billing_data: BILLING },
      },
      { type: "link_report", report_reference: Build.fresh.document() },
      { type: "link_invoice", invoice_reference: Build.fresh.document(), stored: { tax_amount: null } },
      { type: "initiate_payment", payment_reference: reference, attempt: 1 },
    ];
    const isPayment = topic === "send_payment";
    const settlement = yield* Scene.advance(draft, events.slice(0, STEPS[topic]));
    const given = { topic, reference: isPayment ? reference : null };
    const message = Build.message(scene.customerId, settlement.id, given);
    yield* Scene.commit(scene.customerId, [], { outbox: [message] });
    return settlement;
  });

const payment = Effect.flatMap(Scene.create(), (scene) => billed(scene, "send_payment"));

describe("documents of one customer", () => {
  it("are rendered once each, although several are created at once and share a series of numbers", () => {
    let rendered = 0;
    const render: Render = (content) =>
      Effect.sync(() => {
        rendered += 1;
      }).pipe(Effect.zipRight(Effect.sleep(5)), Effect.zipRight(DONE(content)));
    return run(
      { render },
      Effect.gen(function* () {
        const customerId = Build.fresh.customer();
        const settlements: Array<Settlement.Settlement> = [];
        for (let count = 0; count < 6; count++)
          settlements.push(yield* awaitingReport(yield* Scene.create({ customerId })));
        yield* working(
          until(
            "every report",
            Effect.map(Effect.forEach(settlements, statusOf), (statuses) =>
              statuses.every((status) => status !== "awaiting_report"),
            ),
          ),
        );
        expect(rendered).toBe(settlements.length);
      }),
    );
  });
});

describe("work that hangs does not block other work:", () => {
  it("a renderer that hangs for one customer", () => {
    let hung = 0;
    let customer: Scene.Scene["customerId"] | undefined;
    const render: Render = (content) =>
      content.settlement.customerId === customer
        ? Effect.zipRight(
            Effect.sync(() => {
              hung += 1;
            }),
            Effect.never,
          )
        : DONE(content);
    return run(
      { render },
      Effect.gen(function* () {
        customer = Build.fresh.customer();
        // They take all the places that a customer may have; the second waits a while for the first.
        for (let count = 0; count < 10; count++)
          yield* awaitingReport(yield* Scene.create({ customerId: customer }));
        yield* working(
          Effect.gen(function* () {
            yield* until(
              "the renderer to hang",
              Effect.sync(() => hung > 0),
            );
            const other = yield* awaitingReport(yield* Scene.create());
            yield* until(
              "another customer's report",
              Effect.map(statusOf(other), (status) => status !== "awaiting_report"),
            );
            expect(hung).toBe(1);
          }),
        );
      }),
    );
  });

  it("a provider that hangs, and cannot be interrupted", () =>
    run(
      { send: () => Effect.uninterruptible(Effect.never), settings: { sendTimeoutMilliseconds: 50 } },
      Effect.gen(function* () {
        for (let count = 0; count < 3; count++) yield* payment;
        yield* working(
          Effect.gen(function* () {
            const report = yield* awaitingReport(yield* Scene.create());
            yield* until(
              "a report",
              Effect.map(statusOf(report), (status) => status !== "awaiting_report"),
            );
            yield* until(
              "the time limit",
              Effect.map(listed, (found) => found.length === 3),
            );
          }),
        );
        const [first] = yield* listed;
        expect(first?.failures).toBe(1);
        expect(first?.problem).toContain("no response within 50 ms");
      }),
    ));

  it("a renderer beyond its time limit is interrupted and fails", () =>
    run(
      { render: () => Effect.never, settings: { renderTimeoutMilliseconds: 30 } },
      Effect.gen(function* () {
        yield* awaitingReport(yield* Scene.create());
        const logged: Array<string> = [];
        yield* Effect.provide(
          Effect.flatMap(Worker.Worker, ({ step }) => step),
          Logger.replace(
            Logger.defaultLogger,
            Logger.make(({ cause }) => void logged.push(Cause.pretty(cause))),
          ),
        );
        const found = yield* listed;
        expect(found.map(({ failures }) => failures)).toEqual([1]);
        const problem = "RenderingFailed: not rendered within the time limit of 0.03 s";
        expect(found[0]?.problem).toContain(problem);
        expect(logged).toEqual([expect.stringContaining(problem)]);
      }),
    ));
});

describe("a failure of a host's port, in a log", () => {
  it.each([
    [new Documents.RenderingFailed({ cause: new Error("no memory") }), "RenderingFailed: no memory"],
    [
      new Documents.RenderingFailed({ cause: new Error("the thread ended", { cause: new Error("code 1") }) }),
      "RenderingFailed: code 1",
    ],
    [new Documents.RenderingFailed({ cause: "no font" }), "RenderingFailed: no font"],
    [
      new PaymentProvider.PaymentRefused({ final: true, reason: "account closed" }),
      "PaymentRefused: account closed",
    ],
  ])("names what went wrong: %s", (failure, line) => {
    expect(Cause.pretty(Cause.fail(failure)).split("\n")[0]).toBe(line);
  });
});

/** Creates a formula that applies to that many existing attributions; returns the state of its recomputation. */
const recomputation = (attributions: number) =>
  Effect.gen(function* () {
    const scene = yield* Scene.create();
    const changes = Array.from({ length: attributions }, () => Build.attribution(scene));
    yield* Scene.commit(scene.customerId, changes);
    const formulas = yield* CommissionFormulas.CommissionFormulas;
    const { customerId, workspaceId, partnerId, schemaId } = scene;
    const principal = Principal.customer(customerId);
    const { id } = yield* formulas.create(principal, {
      workspaceId,
      partnerId,
      schemaId,
      currency: Build.EUR,
      name: "one",
      startDatetime: Build.EPOCH - Build.DAY,
      expression: { type: "literal", value: { type: "number", value: 1 } },
    });
    const pending = Effect.map(formulas.list(principal, { ids: [id] }), ({ items }) =>
      items.every(({ recomputing }) => recomputing),
    );
    const storage = yield* Storage.Storage;
    const made = Effect.map(
      storage.list(customerId, "commission", { where: {}, page: 1, perPage: 1, order: "asc" }),
      ({ total }) => total,
    );
    return { pending, made };
  });

describe("a long recomputation", () => {
  it("continues at once after its inline part", () =>
    run(
      {},
      working(
        Effect.gen(function* () {
          const { pending, made } = yield* recomputation(12_000);
          yield* until(
            "the rest of the recomputation",
            Effect.map(pending, (is) => !is),
          );
          expect(yield* made).toBe(12_000);
          expect(yield* waiting).toBe(0);
        }),
      ),
    ));

  it("leaves no message for a worker when it ended before the response", () =>
    run(
      {},
      Effect.gen(function* () {
        yield* recomputation(10);
        expect(yield* waiting).toBe(0);
      }),
    ));

  it("is retried after any number of failures, until all its commissions are computed", () => {
    let hiccups = 60;
    const cut = new Storage.StorageError({ reason: "unavailable", cause: "cut" });
    return run(
      {
        outbox: impatient,
        storage: ({ attributionsForFormula: matching }) => ({
          attributionsForFormula: (...asked) =>
            Effect.suspend(() => (hiccups-- > 0 ? Effect.fail(cut) : matching(...asked))),
        }),
      },
      Effect.gen(function* () {
        const { pending, made } = yield* recomputation(3_000);
        expect(yield* pending).toBe(true);
        yield* Effect.flatMap(Worker.Worker, ({ drain }) => drain);
        expect(hiccups).toBeLessThan(0);
        expect(yield* pending).toBe(false);
        expect(yield* made).toBe(3_000);
      }),
    );
  });
});

describe("numbers of one series", () => {
  it.each([
    { kind: "report", topic: "make_report", prefix: "REP" },
    { kind: "invoice", topic: "make_invoice", prefix: "INV" },
  ] as const)("32 of kind $kind at once have no gap, no failure and no second rendering", (series) => {
    let renders = 0;
    const failures: Array<number> = [];
    return run(
      {
        render: (content) =>
          Effect.zipRight(
            Effect.sleep(5),
            Effect.suspend(() => {
              // After each report the worker also renders an invoice.
              if (content.kind === series.kind) renders += 1;
              return DONE(content);
            }),
          ),
        outbox: ({ postpone }) => ({
          postpone: (claim, postponement) => {
            failures.push(postponement.failures);
            return postpone(claim, postponement);
          },
        }),
      },
      Effect.gen(function* () {
        const scene = yield* Scene.create();
        const settlements = yield* Effect.replicateEffect(billed(scene, series.topic), 32);
        yield* working(
          until(
            "every document",
            Effect.map(waiting, (count) => count === 0),
          ),
        );
        const storage = yield* Storage.Storage;
        const numbers = yield* Effect.forEach(settlements, ({ id }) =>
          Effect.map(
            storage.documentsOf(scene.customerId, id),
            (found) => found.find(({ kind }) => kind === series.kind)?.number,
          ),
        );
        const due = settlements.map((_, index) => `${series.prefix}-${String(index + 1).padStart(6, "0")}`);
        expect(numbers.toSorted()).toEqual(due);
        expect({ renders, failures }).toEqual({ renders: 32, failures: [] });
      }),
    );
  });
});

it("a worker polls only the lane for which a commit left work", () => {
  const asked: Array<string> = [];
  return run(
    {
      settings: { pollMilliseconds: 60_000 },
      outbox: ({ claim }) => ({
        claim: (request) =>
          Effect.suspend(() => {
            asked.push(request.topics.includes("make_report") ? "documents" : "others");
            return claim(request);
          }),
      }),
    },
    working(
      Effect.gen(function* () {
        const isAsked = Effect.sync(() => asked.length > 0);
        const scene = yield* Scene.create();
        const earned = yield* Scene.earn(scene, [700]);
        const draft = yield* Scene.draft(
          scene,
          earned.map(({ commission }) => commission),
        );
        const settlements = yield* Settlements.Settlements;
        const approve = settlements.approve(Principal.customer(scene.customerId), draft.id);
        yield* until("the worker to have begun", isAsked);
        yield* Effect.sleep(50);
        asked.length = 0;
        yield* approve;
        yield* until("the lane to be asked", isAsked);
        yield* Effect.sleep(50);
        expect(new Set(asked)).toEqual(new Set(["documents"]));
      }),
    ),
  );
});

describe("messages that cannot be performed", () => {
  it("are dead-lettered after twenty failures, listed, and retried by an operator", () => {
    let sent = 0;
    let isHealthy = false;
    const refused = new PaymentProvider.PaymentRefused({ final: false, reason: "closed today" });
    const send: Send = () =>
      Effect.suspend(() => {
        sent += 1;
        return isHealthy ? Effect.void : Effect.fail(refused);
      });
    return run(
      { send, outbox: impatient },
      Effect.gen(function* () {
        yield* payment;
        const worker = yield* Worker.Worker;
        const letters = yield* DeadLetters.DeadLetters;
        yield* worker.drain;
        expect(sent).toBe(20);
        const [dead, ...others] = yield* listed;
        expect(others).toEqual([]);
        expect(dead?.state).toBe("dead");
        expect(dead?.problem).toContain("closed today");
        expect(yield* letters.retry([Build.fresh.message()])).toBe(0);
        isHealthy = true;
        expect(yield* letters.retryAll).toBe(1);
        yield* worker.drain;
        expect([sent, yield* listed, yield* waiting]).toEqual([21, [], 0]);
      }),
    );
  });

  it("are dead-lettered after ten lost leases in a row, except a recomputation", () =>
    run(
      { settings: { leaseMilliseconds: 20 } },
      Effect.gen(function* () {
        yield* payment;
        const customerId = Build.fresh.customer();
        const recompute = Build.message(customerId, Build.fresh.recomputation(), { topic: "recompute" });
        yield* Scene.commit(customerId, [], { outbox: [recompute] });
        const outbox = yield* Outbox.Outbox;
        for (let ended = 0; ended < 10; ended++) {
          yield* outbox.claim({ topics: ["send_payment", "recompute"], limit: 2, leaseMilliseconds: 1 });
          yield* Effect.sleep(5);
        }
        yield* Effect.flatMap(Worker.Worker, ({ step }) => step);
        const found = yield* listed;
        expect(found.map(({ topic, state }) => [topic, state])).toEqual(
          expect.arrayContaining([
            ["send_payment", "dead"],
            ["recompute", "waiting"],
          ]),
        );
        expect(found.find(({ state }) => state === "dead")?.problem).toContain("10 processes in a row");
      }),
    ));

  it("wait for a start with other fonts, without a counted failure", () => {
    let hasFonts = false;
    const render: Render = (content) =>
      Effect.suspend(() =>
        hasFonts
          ? DONE(content)
          : Effect.fail(new Documents.RenderingRefused({ code: "missing_font", message: "no font has 日" })),
      );
    return run(
      { render },
      Effect.gen(function* () {
        const report = yield* awaitingReport(yield* Scene.create());
        yield* working(
          until(
            "the document to be refused",
            Effect.map(listed, ([first]) => first?.state === "parked"),
          ),
        );
        expect((yield* listed).map(({ failures }) => failures)).toEqual([0]);
        expect(yield* Effect.flatMap(Worker.Worker, ({ drain }) => drain)).toBe(0);
        hasFonts = true;
        yield* working(
          until(
            "the report after another start",
            Effect.map(statusOf(report), (status) => status !== "awaiting_report"),
          ),
        );
      }),
    );
  });
});

it("a worker keeps its claims while it works, however short the leases are", () => {
  let renders = 0;
  const render: Render = (content) =>
    Effect.suspend(() => {
      renders += 1;
      return Effect.zipRight(Effect.sleep(1_500), DONE(content));
    });
  return run(
    { render, settings: { leaseMilliseconds: 400 } },
    Effect.gen(function* () {
      const report = yield* awaitingReport(yield* Scene.create());
      const worker = yield* Worker.Worker;
      const made = until(
        "the report",
        Effect.map(statusOf(report), (status) => status !== "awaiting_report"),
      );
      yield* Effect.raceFirst(Effect.all([worker.run, worker.run], { concurrency: 2 }), made);
      expect(renders).toBe(1);
    }),
  );
});
