/** Laws of the balances and movements of partners. */

import { Effect } from "effect";
import { type Commission, evolve } from "../../../domain/Commission.ts";
import { Currency } from "../../../domain/Currency.ts";
import { amountOf, type Movement, type Position } from "../../../domain/Movement.ts";
import { DAY, HOUR } from "../../../domain/Timestamp.ts";
import {
  type Change,
  type MovementPage,
  type MovementSpan,
  Storage,
  type Versioned,
} from "../../../ports/Storage.ts";
import * as Build from "../../Build.ts";
import { expectSame, type Law, law } from "../../Law.ts";
import * as Scene from "../../Scene.ts";

const BALANCES =
  "The sums of partners, each named once, of all events of their commissions that are dated before a moment: in the order of the ids, and of each by currency, ascending.";
const LISTED = "A currency is listed when there is such an event.";
const MOVEMENTS =
  "The movements of a partner in one currency, ordered by (at, recordId, sequence), of one snapshot.";
const TOGETHER =
  "An event that computes an amount, releases more or less of it or settles it elsewhere is a movement of its commission; the events of one moment that settle or reopen lines of one settlement are together one movement of the settlement.";
const OTHERS = "Other events are none.";

const { EPOCH } = Build;
/** The end of a day that begins in the middle of the scenes. */
const END = EPOCH + 40 * DAY;

/** Commits changes of one moment. */
const at = (scene: Scene.Scene, moment: number, ...changes: ReadonlyArray<Change>) =>
  Scene.commit(scene.customerId, changes, {
    command: { id: Build.fresh.command(), actor: Build.ACTOR, at: moment },
  });

/** Sets a new amount of a commission at a moment; returns the row. */
const revise = (scene: Scene.Scene, { id }: Versioned<Commission>, amount: number, moment: number) =>
  Effect.gen(function* () {
    const before = yield* Scene.reload("commission", { customerId: scene.customerId, id });
    const { type, revisions } = Scene.revisionOf(before, amount);
    const moved = revisions.map((revision): (typeof revisions)[number] => ({
      ...revision,
      entry: {
        ...revision.entry,
        at: moment,
        event:
          before.computedAmount === null
            ? { type: "create_commission", amount, formula_version: 1 }
            : revision.entry.event,
      },
    }));
    yield* at(scene, moment, { type, revisions: moved });
    return yield* Scene.reload("commission", before);
  });

/** Makes a draft of what the commissions are due at a moment. */
const draft = (scene: Scene.Scene, commissions: ReadonlyArray<Versioned<Commission>>, moment: number) =>
  Effect.flatMap(Scene.reloadCommissions(commissions), (rows) => Scene.draft(scene, rows, moment));

const summaryOf = (movements: ReadonlyArray<Movement>) =>
  movements.map(({ at: moment, recordId, type, earned, settled, waiting }) => [
    moment - EPOCH,
    recordId,
    type,
    String(amountOf({ earned, settled, waiting })),
  ]);

const readMovements = (scene: Build.FormulaSetKey, query: Partial<MovementSpan> = {}) =>
  Effect.flatMap(Storage, (storage) =>
    storage.partnerMovements(scene.customerId, scene.partnerId, {
      ...{ currency: "EUR", from: EPOCH, to: END, after: null, limit: 100 },
      ...query,
    }),
  );

const balances = (scene: Build.FormulaSetKey, moment: number) =>
  Effect.flatMap(Storage, (storage) =>
    Effect.map(storage.partnerBalances(scene.customerId, [scene.partnerId], moment), (found) =>
      found.map(({ currency, earned, settled, pending, waiting }) =>
        [currency, earned, settled, pending, ...(waiting === 0n ? [] : [`waiting ${waiting}`])].join(" "),
      ),
    ),
  );

/** Two sales in one hour, of which one changes the next day; both are settled, paid, returned and paid again. */
const history = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const earned = yield* Scene.earn(
    scene,
    [700, 300] as const,
    (index) => EPOCH + HOUR + index,
    (index) => EPOCH - (index + 1) * DAY,
  );
  const [one, two] = [earned[0].commission, earned[1].commission];
  yield* revise(scene, two, 500, EPOCH + DAY + HOUR);
  const open = yield* draft(scene, [one, two], EPOCH + 2 * DAY);
  const line = { settlementId: open.id } as const;
  yield* at(scene, EPOCH + 3 * DAY, { type: "settle", as: "paid", ...line });
  yield* at(scene, EPOCH + 3 * DAY + HOUR, { type: "reopen", ...line });
  yield* at(scene, EPOCH + 5 * DAY, { type: "settle", as: "paid", ...line });
  return { scene, one, two, open };
});

const balancesAtDates = Effect.gen(function* () {
  const { scene } = yield* history;
  const expected: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
    [EPOCH + HOUR, []],
    [EPOCH + HOUR + 1, ["EUR 700 0 0"]],
    [EPOCH + HOUR + 2, ["EUR 1000 0 0"]],
    [EPOCH + DAY, ["EUR 1000 0 0"]],
    [EPOCH + DAY + HOUR, ["EUR 1000 0 0"]],
    [EPOCH + DAY + HOUR + 1, ["EUR 1200 0 0"]],
    [EPOCH + 2 * DAY, ["EUR 1200 0 0"]],
    [EPOCH + 2 * DAY + 1, ["EUR 1200 0 1200"]],
    [EPOCH + 3 * DAY + 1, ["EUR 1200 1200 0"]],
    [EPOCH + 3 * DAY + HOUR + 1, ["EUR 1200 0 1200"]],
    [EPOCH + 4 * DAY, ["EUR 1200 0 1200"]],
    [END, ["EUR 1200 1200 0"]],
  ];
  for (const [moment, sums] of expected)
    yield* expectSame(`the balance after ${moment - EPOCH} ms`, yield* balances(scene, moment), sums);
  yield* expectSame(
    "another customer",
    yield* balances({ ...scene, customerId: Build.fresh.customer() }, END),
    [],
  );
  yield* expectSame(
    "another partner",
    yield* balances({ ...scene, partnerId: Build.fresh.partner() }, END),
    [],
  );
});

/** States what the buyer has paid of a commission's sale, at a moment. */
const receive = (
  scene: Scene.Scene,
  before: Versioned<Commission>,
  paid: { readonly received: number; readonly of: number },
  moment: number,
) =>
  Effect.gen(function* () {
    const entry = { at: moment, actor: Build.ACTOR, event: { type: "update_received" as const, ...paid } };
    const { computedAmount, waitingAmount, receipt, ...rest } = evolve(before, entry);
    const { formulaVersion, parametersVersion, computationError } = rest;
    yield* at(scene, moment, {
      type: "revise",
      revisions: [
        {
          ...{ commissionId: before.id, expected: before.version, computedAmount, waitingAmount, receipt },
          ...{ formulaVersion, parametersVersion, computationError, entry },
        },
      ],
    });
    return yield* Scene.reload("commission", before);
  });

/** A sale whose commission waits: its buyer pays in parts, and one payment bounces after the commission was settled. */
const released = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const formula = Build.formula(scene, { release: "on_receipt" });
  const sale = Build.attribution(scene, { createdAt: EPOCH + HOUR });
  const saved = Build.commission(sale.row, formula.row, 1_000);
  yield* at(scene, EPOCH + HOUR, formula, sale, saved);
  const first = yield* receive(scene, saved.row, { received: 1, of: 3 }, EPOCH + DAY);
  const open = yield* draft(scene, [first], EPOCH + 2 * DAY);
  yield* at(scene, EPOCH + 3 * DAY, { type: "settle", as: "written_off", settlementId: open.id });
  const settled = yield* Scene.reload("commission", first);
  const second = yield* receive(scene, settled, { received: 1, of: 2 }, EPOCH + 4 * DAY);
  yield* receive(scene, second, { received: 0, of: 2 }, EPOCH + 5 * DAY);
  const { movements: found, due } = yield* readMovements(scene);
  yield* expectSame("the movements", summaryOf(found), [
    [HOUR, saved.row.id, "earned", "0"],
    [DAY, saved.row.id, "received", "333"],
    [3 * DAY, open.id, "written_off", "-333"],
    [4 * DAY, saved.row.id, "received", "167"],
    [5 * DAY, saved.row.id, "received", "-167"],
  ]);
  yield* expectSame(
    "their receipts",
    found.map(({ receipt }) => receipt),
    [null, { received: 1, of: 3 }, null, { received: 1, of: 2 }, { received: 0, of: 2 }],
  );
  yield* expectSame("what is due", due, { opening: 0n, closing: 0n });
  for (const [moment, sums] of [
    [EPOCH + HOUR + 1, "EUR 1000 0 0 waiting 1000"],
    [EPOCH + DAY + 1, "EUR 1000 0 0 waiting 667"],
    [EPOCH + 4 * DAY + 1, "EUR 1000 333 0 waiting 500"],
    [END, "EUR 1000 0 0 waiting 1000"],
  ] as const)
    yield* expectSame(`the balance after ${moment - EPOCH} ms`, yield* balances(scene, moment), [sums]);
});

/** A sale that was settled elsewhere as it was recorded, and is cancelled later; beside it one that is due. */
const elsewhere = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const formula = Build.formula(scene);
  const sales = [EPOCH + HOUR, EPOCH + HOUR, EPOCH + 2 * HOUR].map((createdAt) =>
    Build.attribution(scene, { createdAt }),
  );
  const stated = { at: "2025-11-30T00:00:00.000Z", reference: "payout 7" };
  const [settled, zero, plain] = [
    ...[1_000, 0].map((amount, index) =>
      Build.commission((sales[index] as (typeof sales)[number]).row, formula.row, amount, {
        elsewhere: stated,
      }),
    ),
    Build.commission((sales[2] as (typeof sales)[number]).row, formula.row, 500),
  ] as const;
  yield* at(
    scene,
    EPOCH + 2 * HOUR,
    formula,
    ...sales,
    ...[settled, zero, plain].flatMap((one) => one ?? []),
  );
  const first = settled?.row as Versioned<Commission>;
  yield* revise(scene, first, 0, EPOCH + DAY);
  const { movements: found, due } = yield* readMovements(scene);
  const expected = [
    [HOUR, first.id, "earned", "1000"],
    [HOUR, first.id, "settled_elsewhere", "-1000"],
    [HOUR, zero?.row.id, "earned", "0"],
    [HOUR, zero?.row.id, "settled_elsewhere", "0"],
  ];
  const sorted = expected.toSorted(([, a], [, b]) =>
    String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0,
  );
  yield* expectSame("the movements", summaryOf(found), [
    ...sorted,
    [2 * HOUR, plain?.row.id, "earned", "500"],
    [DAY, first.id, "adjusted", "-1000"],
  ]);
  yield* expectSame(
    "when it was settled",
    found.map(({ settledElsewhere }) => settledElsewhere).filter((one) => one !== null),
    [1, 2].map(() => ({ at: Date.parse(stated.at), reference: stated.reference })),
  );
  yield* expectSame("what is due", due, { opening: 0n, closing: -500n });
  const sums = (moment: number) =>
    Effect.flatMap(Storage, (storage) =>
      Effect.map(storage.partnerBalances(scene.customerId, [scene.partnerId], moment), (balance) =>
        balance.map((one) => [one.earned, one.settled, one.elsewhere].join(" ")),
      ),
    );
  for (const moment of [EPOCH + 3 * HOUR, EPOCH + DAY])
    yield* expectSame(`the balance after ${moment - EPOCH} ms`, yield* sums(moment), ["1500 1000 1000"]);
  yield* expectSame("the balance at the end", yield* sums(END), ["500 1000 1000"]);
});

const severalPartners = Effect.gen(function* () {
  const { scene } = yield* history;
  const other = yield* Scene.create(scene);
  const formula = Build.formula(other, { currency: Currency.make("JPY") });
  const sale = Build.attribution(other, { createdAt: EPOCH + DAY });
  yield* at(other, EPOCH + DAY, formula, sale, Build.commission(sale.row, formula.row, 40));
  const storage = yield* Storage;
  const balancesOf = (ids: ReadonlyArray<typeof scene.partnerId>) =>
    Effect.map(storage.partnerBalances(scene.customerId, ids, END), (found) =>
      found.map(({ partnerId, currency, earned }) => `${ids.indexOf(partnerId)} ${currency} ${earned}`),
    );
  const stranger = Build.fresh.partner();
  yield* expectSame("two", yield* balancesOf([other.partnerId, stranger, scene.partnerId]), [
    ...["0 JPY 40", "2 EUR 1200"],
  ]);
  yield* expectSame("the other way round", yield* balancesOf([scene.partnerId, other.partnerId]), [
    ...["0 EUR 1200", "1 JPY 40"],
  ]);
  yield* expectSame("nobody", yield* balancesOf([]), []);
});

const currenciesListed = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const yen = Build.formula(scene, { currency: Currency.make("JPY") });
  const sale = Build.attribution(scene, { createdAt: EPOCH + DAY });
  const [uncomputed] = yield* Scene.commissions(scene, [null] as const);
  yield* at(scene, EPOCH + DAY, yen, sale, Build.commission(sale.row, yen.row, 40));
  yield* expectSame("before the second sale", yield* balances(scene, EPOCH + DAY), ["EUR 0 0 0"]);
  yield* expectSame("both", yield* balances(scene, END), ["EUR 0 0 0", "JPY 40 0 0"]);
  yield* revise(scene, uncomputed, 90, EPOCH + 2 * DAY);
  yield* expectSame("once it is computed", yield* balances(scene, END), ["EUR 90 0 0", "JPY 40 0 0"]);
  const { movements, due } = yield* readMovements(scene);
  yield* expectSame("the first amount is earned when it is computed", summaryOf(movements), [
    [2 * DAY, uncomputed.id, "earned", "90"],
  ]);
  yield* expectSame("the balances of one currency", [due?.opening, due?.closing], [0n, 90n]);
});

const paged = Effect.gen(function* () {
  const { scene, one, two, open } = yield* history;
  const all: ReadonlyArray<readonly [number, string, string, string]> = [
    [HOUR, one.id, "earned", "700"],
    [HOUR + 1, two.id, "earned", "300"],
    [DAY + HOUR, two.id, "adjusted", "200"],
    [3 * DAY, open.id, "paid", "-1200"],
    [3 * DAY + HOUR, open.id, "payment_returned", "1200"],
    [5 * DAY, open.id, "paid", "-1200"],
  ];
  const whole = yield* readMovements(scene);
  yield* expectSame("all movements", summaryOf(whole.movements), all);
  yield* expectSame(
    "their causes",
    whole.movements.map(({ cause }) => cause),
    [...[null, null, "formula_updated", null, null, null]],
  );
  yield* expectSame("the balances around them", [whole.due?.opening, whole.due?.closing], [0n, 0n]);
  let after: Position | null = null;
  for (const expected of all) {
    const page: MovementPage = yield* readMovements(scene, { after, limit: 1 });
    yield* expectSame("a page of one movement", summaryOf(page.movements), [expected]);
    yield* expectSame("balances come with the first page", page.due === null, after !== null);
    after = page.movements[0] ?? null;
  }
  yield* expectSame("after the last", (yield* readMovements(scene, { after })).movements, []);
  const span = yield* readMovements(scene, { from: EPOCH + HOUR + 1, to: EPOCH + 3 * DAY });
  yield* expectSame("from is inclusive and to exclusive", summaryOf(span.movements), all.slice(1, 3));
  yield* expectSame("the balances around them", [span.due?.opening, span.due?.closing], [700n, 1200n]);
  yield* expectSame("another currency", yield* readMovements(scene, { currency: "JPY" }), {
    movements: [],
    due: { opening: 0n, closing: 0n },
  });
  yield* expectSame(
    "another customer",
    (yield* readMovements({ ...scene, customerId: Build.fresh.customer() })).movements,
    [],
  );
});

/** Several movements of one moment, of commissions and of a settlement. */
const simultaneous = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const amounts = [10, 20, 30, 40, 50];
  const earned = yield* Scene.commissions(scene, amounts, () => EPOCH);
  const open = yield* draft(scene, earned, EPOCH);
  yield* at(scene, EPOCH, { type: "settle", as: "paid", settlementId: open.id });
  for (const [index, one] of earned.slice(0, 2).entries()) yield* revise(scene, one, 5 + index, EPOCH);
  const { movements } = yield* readMovements(scene);
  const positions = movements.map(({ recordId, sequence }) => `${recordId} ${1_000 + sequence}`);
  yield* expectSame("the order within a moment", positions, positions.toSorted());
  yield* expectSame(
    "their sum",
    movements.reduce((sum, movement) => sum + movement.earned - movement.settled, 0n),
    -19n,
  );
  const walked: Array<Movement> = [];
  for (let after: Position | null = null; ; after = walked.at(-1) ?? null) {
    const page: MovementPage = yield* readMovements(scene, { after, limit: 3 });
    walked.push(...page.movements);
    if (page.movements.length < 3) break;
  }
  yield* expectSame("page by page", summaryOf(walked), summaryOf(movements));
});

const absorbed = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [one] = yield* Scene.commissions(scene, [1_000] as const);
  const open = yield* draft(scene, [one], EPOCH + DAY);
  yield* at(scene, EPOCH + 2 * DAY, { type: "settle", as: "written_off", settlementId: open.id });
  yield* revise(scene, one, 0, EPOCH + 3 * DAY);
  yield* revise(scene, one, 1_500, EPOCH + 4 * DAY);
  const { movements, due } = yield* readMovements(scene);
  yield* expectSame("a write-off, and amounts that it covers", summaryOf(movements), [
    [0, one.id, "earned", "1000"],
    [2 * DAY, open.id, "written_off", "-1000"],
    [3 * DAY, one.id, "adjusted", "0"],
    [4 * DAY, one.id, "adjusted", "500"],
  ]);
  yield* expectSame("what is due then", due?.closing, 500n);
});

const others = Effect.gen(function* () {
  const scene = yield* Scene.create();
  const [one] = yield* Scene.commissions(scene, [1_000] as const);
  const open = yield* draft(scene, [one], EPOCH + DAY);
  yield* at(scene, EPOCH + 2 * DAY, { type: "release", settlementId: open.id, cause: "draft_cancelled" });
  const { movements } = yield* readMovements(scene);
  yield* expectSame("reserved and released", summaryOf(movements), [[0, one.id, "earned", "1000"]]);
  yield* expectSame("nothing is pending", yield* balances(scene, END), ["EUR 1000 0 0"]);
});

export const movements: ReadonlyArray<Law> = [
  law(BALANCES, "within days and at their ends", balancesAtDates),
  law(BALANCES, "of two partners", severalPartners),
  law(LISTED, "one without an amount yet, and a second one", currenciesListed),
  law(MOVEMENTS, "page by page, of a span, of another currency", paged),
  law(MOVEMENTS, "of one moment", simultaneous),
  law(TOGETHER, "amounts that a write-off covers", absorbed),
  law(TOGETHER, "receipts of a buyer", released),
  law(TOGETHER, "an amount that was settled elsewhere", elsewhere),
  law(OTHERS, "a draft that is cancelled", others),
];
