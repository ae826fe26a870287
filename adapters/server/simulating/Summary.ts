/** Totals and distribution of simulated amounts. */
import { Currency } from "quittance";

/** Totals of amounts; sums are exact. */
export class Summary {
  readonly amounts: Array<number> = [];
  problems = 0;
  #total = 0n;

  get count(): number {
    return this.amounts.length;
  }

  add(amount: number): void {
    this.amounts.push(amount);
    this.#total += BigInt(amount);
  }

  addProblem(): void {
    this.problems += 1;
  }

  #at(part: number): number {
    const sorted = this.amounts.toSorted((a, b) => a - b);
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
  }

  /** The totals for programs; sums as text, because they may exceed what a number holds. */
  facts() {
    return {
      rows: this.count + this.problems,
      problems: this.problems,
      total: String(this.#total),
      least: this.count === 0 ? null : this.#at(0),
      median: this.count === 0 ? null : this.#at(0.5),
      greatest: this.count === 0 ? null : this.#at(1),
    };
  }

  /** The totals for people. */
  text(currency: Currency.Currency): string {
    const money = (amount: number | bigint) => `${Currency.formatAmount(amount, currency)} ${currency}`;
    const problems = this.problems === 0 ? "" : `, ${this.problems} without an amount`;
    if (this.count === 0) return `no amounts${problems}`;
    return [
      `${this.count} amounts${problems}`,
      `total     ${money(this.#total)}`,
      `least     ${money(this.#at(0))}`,
      `median    ${money(this.#at(0.5))}`,
      `greatest  ${money(this.#at(1))}`,
    ].join("\n");
  }
}

const BUCKETS = 10;
const WIDTH = 40;

/** The number of amounts in each of ten equal ranges, as bars. */
export const histogram = (amounts: ReadonlyArray<number>, currency: Currency.Currency): string => {
  const least = amounts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const greatest = amounts.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const step = Math.max(1, Math.ceil((greatest - least + 1) / BUCKETS));
  const counts = Array.from({ length: Math.ceil((greatest - least + 1) / step) }, () => 0);
  for (const amount of amounts) {
    const bucket = Math.floor((amount - least) / step);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
  }
  const countMax = counts.reduce((a, b) => Math.max(a, b), 1);
  const label = (bucket: number) => Currency.formatAmount(least + bucket * step, currency);
  const width = Math.max(...counts.map((_, bucket) => label(bucket).length));
  return counts
    .map(
      (count, bucket) =>
        `from ${label(bucket).padStart(width)}  ${"#".repeat(Math.ceil((count * WIDTH) / countMax)).padEnd(WIDTH)}  ${count}`,
    )
    .join("\n");
};
