/** What a sale would earn before it is recorded, computed in the page by the engine's own language. */
import {
  type Compiled,
  check,
  compile,
  type Expression,
  evaluate,
  type Facts,
  formatProblem,
  parseShare,
  Rational,
  totalsBefore,
} from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Formula, PropertyValue, Schema, Sum } from "../api/Records.ts";
import { defaultsOf, inForce } from "../builder/Parameters.ts";
import { readHistory, valuesAt } from "../builder/Recent.ts";
import { ALONE, roleWords } from "../format/Credits.ts";
import { day } from "../format/Dates.ts";
import { sumByCurrency } from "../format/Money.ts";
import type { TypedCredit } from "./CreditFields.tsx";

/** The most formulas, and the most links, that are read of the partners of one sale. */
const READ_MAX = 1_000;

/** A sale as the form states it. */
export interface StatedSale {
  /** The partners that earn from it; one where nobody shares it. */
  readonly credits: ReadonlyArray<TypedCredit>;
  readonly properties: Readonly<Record<string, PropertyValue>>;
  /** Absent for a sale of this moment. */
  readonly occurredAt?: string;
  readonly occurredOn?: string;
}

/** What a partner would earn under a formula. */
export interface Earned {
  readonly credit: TypedCredit;
  readonly formula: Formula;
  /** Null where there is none. */
  readonly amount: number | null;
  /** Why there is no amount; null where there is one. */
  readonly problem: string | null;
  /** Which earlier sales of the partner it counts: none, all that are recorded, or the newest of too many. */
  readonly counts: "none" | "all" | "some";
}

export interface SalePreview {
  readonly earned: ReadonlyArray<Earned>;
  /** The sums of the amounts. */
  readonly sums: ReadonlyArray<Sum>;
  /** What the amounts do not show, in sentences. */
  readonly remarks: ReadonlyArray<string>;
}

/** Why a formula does not pay a credit of a sale of a moment; null where it does. */
const reasonAgainst = (
  { roles, startDatetime, endDatetime }: Formula,
  { role }: TypedCredit,
  at: number,
): string | null => {
  if (!roles.includes(role))
    return `it pays the role ${roles.map((one) => roleWords({ role: one, depth: 0 })).join(" or ")}`;
  if (at < Date.parse(startDatetime)) return `it begins on ${day(startDatetime)}`;
  return endDatetime !== null && at >= Date.parse(endDatetime) ? `it ended on ${day(endDatetime)}` : null;
};

/** The version of a formula that holds for a sale of a moment, compiled; a text says why it cannot be. */
const compileAt = (formula: Formula, { properties }: Schema, at: number): Compiled | string => {
  const { versions, parameters } = formula;
  const version = versions.findLast(
    ({ status, effectiveDatetime: since }) =>
      status !== "withdrawn" && (since === null || Date.parse(since) <= at),
  );
  const stated = version ?? versions[0];
  if (stated === undefined) return "the plan has no formula";
  const checked = check(stated.formula as unknown as Expression, properties, parameters);
  return checked._tag === "Left" ? formatProblem(checked.left) : compile(checked.right, stated.applyShare);
};

/** The calendar day of a moment in the zone of a workspace. */
const readDay = async (client: Client, id: string, at: number, signal: AbortSignal): Promise<string> => {
  const { timeZone } = await client.remote.workspaces.read(id, { signal });
  // Swedish dates are written 2026-01-31.
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(at);
};

/** A credit with a formula that pays it. */
interface Payable {
  readonly credit: TypedCredit;
  readonly formula: Formula;
  readonly compiled: Compiled | string;
}

/** Evaluates a formula after the sales that are recorded. */
const earn = async (
  client: Client,
  { credit, formula, compiled }: Payable,
  sale: Facts,
  signal: AbortSignal,
): Promise<Earned> => {
  const none = { credit, formula, amount: null, counts: "none" } as const;
  if (typeof compiled === "string") return { ...none, problem: compiled };
  const { history, isComplete } = await readHistory(
    client,
    {
      sales: [{ partnerId: credit.partnerId, occurredAt: new Date(sale.occurredAt).toISOString() }],
      schemaId: sale.schemaId,
    },
    compiled,
    signal,
  );
  const parameters = inForce({
    ...defaultsOf(formula.parameters ?? []),
    ...valuesAt(formula, sale.occurredAt),
  });
  const facts = { ...sale, partnerId: credit.partnerId, parameters };
  const result = evaluate(compiled, facts, totalsBefore(compiled.aggregates, history, facts));
  const counts = compiled.aggregates.length === 0 ? "none" : isComplete ? "all" : "some";
  return result._tag === "Right"
    ? { ...none, amount: result.right, problem: null, counts }
    : { ...none, problem: result.left.message, counts };
};

/** What the sellers earn in a currency, for formulas that read it; null where one of their amounts is missing. */
const sellersEarn = (earned: ReadonlyArray<Earned>, currency: string): bigint | null =>
  earned
    .filter(({ credit, formula }) => credit.role === ALONE.role && formula.currency === currency)
    .reduce<bigint | null>(
      (sum, { amount }) => (sum === null || amount === null ? null : sum + BigInt(amount)),
      0n,
    );

const readsSellers = ({ compiled }: Payable): boolean =>
  typeof compiled !== "string" && compiled.readsSellers;

/** What every credit would earn: first the sellers, because others may earn from what they earn. */
const earnAll = async (
  client: Client,
  payable: ReadonlyArray<Payable>,
  factsOf: (credit: TypedCredit) => Facts,
  signal: AbortSignal,
): Promise<ReadonlyArray<Earned>> => {
  const first = await Promise.all(
    payable.filter((one) => !readsSellers(one)).map((one) => earn(client, one, factsOf(one.credit), signal)),
  );
  const above = await Promise.all(
    payable.filter(readsSellers).map((one): Promise<Earned> | Earned => {
      const { credit, formula } = one;
      const sellersCommission = sellersEarn(first, formula.currency);
      return sellersCommission === null
        ? { credit, formula, amount: null, counts: "none", problem: "the amount of a seller is missing" }
        : earn(client, one, { ...factsOf(credit), sellersCommission }, signal);
    }),
  );
  return [...first, ...above];
};

/** What the amounts do not show of the formulas. */
const remarksOn = (
  sale: StatedSale,
  formulas: ReadonlyArray<Formula>,
  earned: ReadonlyArray<Earned>,
  at: number,
): ReadonlyArray<string> => [
  ...sale.credits.flatMap((credit) => {
    const own = formulas.filter(({ partnerId }) => partnerId === credit.partnerId);
    const reasons = own.flatMap((formula) => {
      const reason = reasonAgainst(formula, credit, at);
      return reason === null ? [] : [`“${formula.name}” does not apply to ${credit.name}: ${reason}.`];
    });
    return own.length === 0
      ? [`${credit.name} has no plan for such sales, and earns nothing from this one.`]
      : reasons.length < own.length
        ? reasons
        : [...reasons, `${credit.name} earns nothing from this sale.`];
  }),
  ...new Set(
    earned.flatMap(({ formula: { name }, credit, counts }) => {
      if (counts === "none") return [];
      return counts === "all"
        ? [
            `“${name}” counts earlier sales of ${credit.name}: those that are recorded now are counted here. The amount differs if others are recorded first.`,
          ]
        : [
            `“${name}” counts more earlier sales of ${credit.name} than were read here: its amount is not final.`,
          ];
    }),
  ),
];

/** The partners who get a part by the links of the sellers, whose amounts are not computed here. */
const readLinked = async (
  client: Client,
  { credits }: StatedSale,
  at: number,
  signal: AbortSignal,
): Promise<ReadonlyArray<string>> => {
  const sellers = credits.filter(({ role }) => role === ALONE.role);
  const partnerIds = sellers.map(({ partnerId }) => partnerId);
  const links = await client.every("partnerLinks", { partnerIds }, READ_MAX, signal);
  const above = links.filter(
    ({ role, startDatetime, endDatetime }) =>
      !credits.some((credit) => credit.role === role) &&
      Date.parse(startDatetime) <= at &&
      (endDatetime === null || at < Date.parse(endDatetime)),
  );
  return sellers
    .filter(({ partnerId }) => above.some((link) => link.partnerId === partnerId))
    .map(
      ({ name }) =>
        `Partners above ${name} get a part of the sale too. What they earn is not computed here; the page of the sale shows it.`,
    );
};

/** What a sale would earn if it were recorded now. */
export const previewSale = async (
  client: Client,
  schema: Schema,
  sale: StatedSale,
  signal: AbortSignal,
): Promise<SalePreview> => {
  const { credits, properties } = sale;
  const now = Date.now();
  const at = sale.occurredAt === undefined ? now : Date.parse(sale.occurredAt);
  const partnerIds = [...new Set(credits.map(({ partnerId }) => partnerId))];
  const [found, occurredOn, linked] = await Promise.all([
    client.every("commissionFormulas", { partnerIds }, READ_MAX, signal),
    sale.occurredOn ?? readDay(client, schema.workspaceId, at, signal),
    readLinked(client, sale, at, signal),
  ]);
  const formulas = found.filter(({ schemaId, status }) => schemaId === schema.id && status === "active");
  const payable = credits.flatMap((credit) =>
    formulas
      .filter(({ partnerId }) => partnerId === credit.partnerId)
      .filter((formula) => reasonAgainst(formula, credit, at) === null)
      .map((formula): Payable => ({ credit, formula, compiled: compileAt(formula, schema, at) })),
  );
  const factsOf = ({ partnerId, role, share }: TypedCredit): Facts => ({
    id: "",
    partnerId,
    customerId: schema.customerId,
    workspaceId: schema.workspaceId,
    schemaId: schema.id,
    agentId: null,
    createdAt: now,
    occurredAt: at,
    occurredOn,
    credit: { role, share: Rational.format(parseShare(share.trim()) ?? Rational.ZERO), depth: 0 },
    properties,
  });
  const earned = await earnAll(client, payable, factsOf, signal);
  return {
    earned,
    sums: sumByCurrency(
      earned.flatMap(({ formula: { currency }, amount }) => (amount === null ? [] : [{ currency, amount }])),
    ),
    remarks: [...remarksOn(sale, formulas, earned, at), ...linked],
  };
};
