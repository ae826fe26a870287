/**
 * Random histories of a commission that waits for its buyer: amounts that change, buyers who pay and take back, and lines that are
 * drafted, paid, written off and returned. After every step the laws of what is released are checked against a recount in big
 * integers that shares no code with the engine.
 */
import { Either } from "effect";
import { Commission, Ledger, type Receipt } from "quittance";

/** What a run has seen; every kind of step has to be among it. */
export interface Seen {
  histories: number;
  steps: number;
  waiting: number;
  takenBack: number;
  clawedBack: number;
  cancelled: number;
  paid: number;
  writtenOff: number;
  returned: number;
}

/** A generator of 32 random bits (mulberry32). */
const randomOf = (seed: number) => {
  let state = seed >>> 0;
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
};

/** A line of the recount. */
interface Line {
  readonly amount: bigint;
  status: "open" | "paid" | "written_off";
}

/** The facts of a history, without any event. */
interface Facts {
  amount: bigint;
  received: number;
  of: number | null;
  readonly lines: Array<Line>;
}

/** A number of at most four decimals as an integer of ten-thousandths. */
const scaled = (value: number): bigint => BigInt(Math.round(value * 10_000));

const sum = (amounts: ReadonlyArray<bigint>): bigint => amounts.reduce((total, each) => total + each, 0n);

const clamp = (value: bigint, low: bigint, high: bigint): bigint =>
  value < low ? low : value > high ? high : value;

/** Released, settled, due and waiting by the definitions. */
const recount = ({ amount, received, of, lines }: Facts) => {
  const released =
    amount <= 0n || (of !== null && scaled(received) >= scaled(of))
      ? amount
      : of === null
        ? 0n
        : (amount * scaled(received)) / scaled(of);
  const amountsOf = (status: Line["status"]) =>
    lines.filter((line) => line.status === status).map((line) => line.amount);
  const [paid, forgiven] = [sum(amountsOf("paid")), amountsOf("written_off")];
  const settled =
    paid +
    clamp(
      released - paid,
      sum(forgiven.filter((each) => each < 0n)),
      sum(forgiven.filter((each) => each > 0n)),
    );
  return { released, settled, due: released - settled, waiting: amount - released };
};

const at = 1_000;

const fold = (
  state: Commission.View | null,
  events: ReadonlyArray<Commission.CommissionEvent>,
): Commission.View =>
  events.reduce<Commission.View | null>(
    (before, event) => Commission.evolve(before, { at, actor: "a", event }),
    state,
  ) as Commission.View;

const computed = (amount: number): Commission.Outcome =>
  Either.right({ amount, formulaVersion: 1, parametersVersion: null });

const figures = (state: Commission.View) => ({
  released: BigInt(Ledger.releasedAmount(state)),
  settled: BigInt(Ledger.settledAmount(state)),
  due: BigInt(Ledger.due(state)),
  waiting: BigInt(state.waitingAmount ?? 0),
});

type Figures = ReturnType<typeof figures>;

const isSame = (one: Figures, other: Figures): boolean =>
  one.released === other.released &&
  one.settled === other.settled &&
  one.due === other.due &&
  one.waiting === other.waiting;

const requireLaw = (holds: boolean, law: string): void => {
  if (!holds) throw new Error(law);
};

/** The commission under both releases, the one under `on_receipt` whose buyer has always paid all, and the facts of the first. */
class History {
  readonly facts: Facts;
  waits: Commission.View;
  full: Commission.View;
  plain: Commission.View;
  readonly #random: () => number;
  readonly #seen: Seen;
  /** Each twin has its own draft, because they are due different amounts. */
  #isDrafted = false;
  #drafts = 0;

  constructor(random: () => number, seen: Seen) {
    this.#random = random;
    this.#seen = seen;
    const amount = this.#amount();
    const stated = this.#chance(3) ? { ...this.#stated(), receivedAt: at } : null;
    this.facts = {
      amount: BigInt(amount),
      ...(stated === null ? { received: 0, of: null } : stated),
      lines: [],
    };
    const begin = (release: "on_receipt" | null, receipt: Receipt.Receipt | null) =>
      fold(null, Commission.begin(computed(amount), { release }, { receipt, settledElsewhere: null }));
    this.waits = begin("on_receipt", stated);
    this.full = begin("on_receipt", { received: 1, of: 1, receivedAt: at });
    this.plain = begin(null, null);
    this.#check();
  }

  #chance(of: number): boolean {
    return this.#random() % of === 0;
  }

  #amount(): number {
    if (this.#chance(6)) return 0;
    const size = this.#chance(4) ? 1_000_000_000_000 : 2_000;
    return (this.#random() % size) - (this.#chance(3) ? Math.floor(size / 2) : 0);
  }

  #stated(): Receipt.Stated {
    const of = (1 + (this.#random() % 120_000)) / (this.#chance(2) ? 100 : 1);
    const part = this.#random() % 5;
    const received =
      part === 0 ? 0 : part === 1 ? of : (this.#random() % 150_000) / (this.#chance(2) ? 100 : 1);
    return { received, of };
  }

  #apply(events: (state: Commission.View) => ReadonlyArray<Commission.CommissionEvent>): void {
    this.waits = fold(this.waits, events(this.waits));
    this.full = fold(this.full, events(this.full));
    this.plain = fold(this.plain, events(this.plain));
  }

  #revise(amount: number): void {
    this.facts.amount = BigInt(amount);
    this.#apply((state) => Commission.revise(state, computed(amount), "formula_updated"));
  }

  #receive(stated: Receipt.Stated): void {
    const before = figures(this.waits);
    const { received, of } = this.facts;
    const isMore =
      of !== null && scaled(stated.received) * scaled(of) >= scaled(received) * scaled(stated.of);
    const events = Either.getOrThrow(Commission.updateReceived(this.waits, stated));
    this.waits = fold(this.waits, events);
    requireLaw(
      Either.getOrThrow(Commission.updateReceived(this.waits, stated)).length === 0,
      "the same statement again changes nothing",
    );
    requireLaw(
      Either.getOrThrow(Commission.updateReceived(this.plain, stated)).length === 0,
      "what is released at once knows no receipt",
    );
    const after = figures(this.waits);
    Object.assign(this.facts, stated);
    if (after.released < before.released) this.#seen.takenBack += 1;
    requireLaw(!isMore || after.released >= before.released, "released grows with what is received");
  }

  /** Ends the draft of each twin, or begins it. */
  #draft(): void {
    const settlement_id = `s${this.#drafts}` as never;
    if (!this.#isDrafted) {
      this.facts.lines.push({ amount: figures(this.waits).due, status: "open" });
      this.#apply((state) => [{ type: "reserve_commission", settlement_id, amount: Ledger.due(state) }]);
      this.#isDrafted = true;
      return;
    }
    const line = this.facts.lines.at(-1);
    if (line === undefined) throw new Error("no line");
    this.#isDrafted = false;
    this.#drafts += 1;
    const end = this.#random() % 4;
    if (end === 0) {
      this.facts.lines.pop();
      this.#apply((state) => [
        { type: "release_commission", settlement_id, amount: state.pendingAmount, cause: "draft_cancelled" },
      ]);
      return;
    }
    const kind = end === 1 ? "written_off" : "paid";
    line.status = kind;
    this.#seen[kind === "paid" ? "paid" : "writtenOff"] += 1;
    const amounts = [this.waits, this.full, this.plain].map(({ pendingAmount }) => pendingAmount);
    this.#apply((state) => [{ type: "settle_commission", settlement_id, amount: state.pendingAmount, kind }]);
    // The bank returns some payments at once: the line is open again, and is paid once more or given up.
    if (kind === "paid" && this.#chance(4)) {
      this.#seen.returned += 1;
      line.status = "open";
      this.#isDrafted = true;
      this.#drafts -= 1;
      [this.waits, this.full, this.plain] = [this.waits, this.full, this.plain].map((state, index) =>
        fold(state, [{ type: "reopen_commission", settlement_id, amount: amounts[index] ?? 0 }]),
      ) as [Commission.View, Commission.View, Commission.View];
    }
  }

  step(): void {
    const choice = this.#random() % 8;
    if (choice < 3) this.#receive(this.#stated());
    else if (choice < 5) this.#revise(this.#amount());
    else this.#draft();
    this.#seen.steps += 1;
    this.#check();
  }

  #check(): void {
    const expected = recount(this.facts);
    const found = figures(this.waits);
    requireLaw(isSame(found, expected), "every figure equals the recount");
    requireLaw(
      found.settled + found.due + found.waiting === this.facts.amount,
      "A is what is settled, due or waits",
    );
    requireLaw(
      this.facts.amount > 0n
        ? found.released >= 0n && found.released <= this.facts.amount
        : found.released === this.facts.amount,
      "released never exceeds a positive amount, and corrections never wait",
    );
    requireLaw(
      isSame(figures(this.full), figures(this.plain)) &&
        Ledger.settlementStatus(this.full) === Ledger.settlementStatus(this.plain),
      "with every buyer paid all figures equal those of at_once",
    );
    requireLaw(
      found.waiting === 0n || Ledger.settlementStatus(this.waits) !== "settled",
      "nothing is settled while something waits",
    );
    const paid = BigInt(this.waits.paidAmount);
    requireLaw(
      this.facts.amount < 0n || found.due >= -(paid > 0n ? paid : 0n),
      "no more is claimed back than was paid",
    );
    requireLaw(
      found.due <= 0n || found.due <= this.facts.amount - paid,
      "no more is offered than is earned and not paid",
    );
    if (found.waiting > 0n) this.#seen.waiting += 1;
    if (found.due < 0n && this.facts.amount > 0n) this.#seen.clawedBack += 1;
  }

  /** Cancels the sale, settles everything that is due, and finds nothing more. */
  end(): void {
    const isCancelled = this.#chance(3);
    if (isCancelled) {
      this.#seen.cancelled += 1;
      this.#revise(0);
      this.#receive(this.#stated());
      const { released, waiting } = figures(this.waits);
      requireLaw(released === 0n && waiting === 0n, "a cancelled sale has nothing to release");
    }
    while (this.#isDrafted) this.#draft();
    for (let round = 0; round < 3 && figures(this.waits).due !== 0n; round++) {
      this.#draft();
      while (this.#isDrafted) this.#draft();
    }
    // A round of which the draft is cancelled settles nothing; what is due is paid here.
    if (figures(this.waits).due !== 0n) {
      const settlement_id = "last" as never;
      const amount = Ledger.due(this.waits);
      this.facts.lines.push({ amount: BigInt(amount), status: "paid" });
      this.waits = fold(this.waits, [
        { type: "reserve_commission", settlement_id, amount },
        { type: "settle_commission", settlement_id, amount, kind: "paid" },
      ]);
    }
    requireLaw(figures(this.waits).due === 0n, "settling everything leaves nothing due");
    requireLaw(isSame(figures(this.waits), recount(this.facts)), "every figure equals the recount");
  }
}

const STEPS_MAX = 14;

/** Plays histories from a seed; throws the law that one of them breaks, with the seed that plays it again. */
export const playHistories = (histories: number, seed: number): Seen => {
  const seen: Seen = {
    ...{ histories: 0, steps: 0, waiting: 0, takenBack: 0, clawedBack: 0, cancelled: 0 },
    ...{ paid: 0, writtenOff: 0, returned: 0 },
  };
  for (let index = 0; index < histories; index++) {
    const own = (seed + Math.imul(index, 0x9e3779b9)) >>> 0;
    const random = randomOf(own);
    try {
      const history = new History(random, seen);
      for (let steps = 1 + (random() % STEPS_MAX); steps > 0; steps--) history.step();
      history.end();
    } catch (error) {
      throw new Error(`history ${own}: ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
    seen.histories += 1;
  }
  return seen;
};
