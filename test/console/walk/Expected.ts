/** The amounts that each page has to show, in order, from what the interface says. Nothing here is of the pages. */
import type { Api, Json } from "./Api.ts";
import { change, money, restated, type Units, unsigned } from "./Figures.ts";

export type Reader = "team" | "payee";
type Amounts = ReadonlyArray<string>;

const monthStart = (monthsAgo: number): string => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsAgo, 1)).toISOString();
};

const OPEN = [
  ...["draft", "awaiting_report", "negative_review", "awaiting_invoice", "awaiting_credit_note"],
  ...["awaiting_payment", "payment_initiated", "disputed"],
];

/** Sums by currency, exact at any size. */
const sums = (
  amounts: ReadonlyArray<{ readonly currency: string; readonly amount: Units }>,
): ReadonlyMap<string, bigint> => {
  const found = new Map<string, bigint>();
  for (const { currency, amount } of amounts)
    found.set(currency, (found.get(currency) ?? 0n) + BigInt(amount));
  return found;
};

const amountOf = (sum: Json, currency: string): bigint => sums(sum.amounts).get(currency) ?? 0n;

const totalsOf = (settlements: ReadonlyArray<Json>): ReadonlyMap<string, bigint> =>
  sums(settlements.map(({ currency, view }) => ({ currency, amount: view.total })));

const statisticsOf = (api: Api): Promise<Json> =>
  api.get(
    `commissions/stats?${new URLSearchParams({ from: "1970-01-01T00:00:00Z", to: monthStart(-1), granularity: "month" })}`,
  );

const currenciesOf = ({ summary }: Json): ReadonlyArray<string> => [
  ...new Set<string>(
    [...summary.settled.amounts, ...summary.unsettled.amounts].map(({ currency }: Json) => currency),
  ),
];

/** The months of the chart, as its table. */
const monthsOf = ({ buckets }: Json, currency: string | undefined): Amounts =>
  currency === undefined
    ? []
    : buckets
        .slice(-18)
        .flatMap(({ settled, unsettled }: Json) => [
          money(amountOf(settled, currency), currency),
          money(amountOf(unsettled, currency), currency),
        ]);

const total = ({ currency, view }: Json): string => money(view.total, currency);

const totalAndPayable = (settlement: Json): Amounts => [
  total(settlement),
  ...(settlement.view.payable_amount === null
    ? []
    : [money(settlement.view.payable_amount, settlement.currency)]),
];

/** The overview of the team, with the chart as a table. */
export const overview = async (api: Api): Promise<Amounts> => {
  const statistics = await statisticsOf(api);
  const settlements = await api.all("settlements?order=desc", "settlements");
  const currencies = currenciesOf(statistics);
  const pending = totalsOf(settlements.filter(({ view }) => OPEN.includes(view.status.type)));
  const paid = totalsOf(
    settlements.filter(
      ({ view }) =>
        view.status.type === "paid" &&
        view.status.method !== "nothing_due" &&
        view.paid_at >= monthStart(0) &&
        view.created_at >= monthStart(6),
    ),
  );
  return [
    ...currencies.flatMap((currency) => {
      const inSettlements = pending.get(currency) ?? 0n;
      return [
        amountOf(statistics.summary.unsettled, currency) - inSettlements,
        inSettlements,
        paid.get(currency) ?? 0n,
      ].map((amount) => money(amount, currency));
    }),
    ...monthsOf(statistics, currencies[0]),
    ...settlements.slice(0, 8).map(total),
  ];
};

/** The first page of the partners: what is due, in settlements, and settled this year, in each currency that has some. */
export const partners = async (api: Api): Promise<Amounts> => {
  const year = new Date(Date.UTC(new Date().getUTCFullYear(), 0, 1)).toISOString();
  const { partners: listed } = await api.get("partners?per_page=25");
  const amounts: Array<string> = [];
  for (const { id } of listed) {
    const { balances } = await api.get(`partners/${id}/balance`);
    const before = (await api.get(`partners/${id}/balance?at=${year}`)).balances;
    const settledIn = ({ currency, settled }: Json): bigint =>
      BigInt(settled) - BigInt(before.find((one: Json) => one.currency === currency)?.settled ?? 0);
    for (const part of [
      ({ due, pending }: Json) => BigInt(due) - BigInt(pending),
      ({ pending }: Json) => BigInt(pending),
      settledIn,
    ])
      for (const one of balances) if (part(one) !== 0n) amounts.push(money(part(one), one.currency));
  }
  return amounts;
};

/** The overview of a partner, with the chart as a table. */
export const summary = async (api: Api): Promise<Amounts> => {
  const statistics = await statisticsOf(api);
  const settlements = await api.all("settlements?order=desc", "settlements");
  const currencies = currenciesOf(statistics);
  const asked = settlements
    .toReversed()
    .filter(
      ({ view: { status, billing_mode, total: sum } }) =>
        (["awaiting_invoice", "awaiting_credit_note"].includes(status.type) &&
          billing_mode === "partner_billing") ||
        (status.type === "awaiting_payment" && sum < 0),
    );
  return [
    ...currencies.flatMap((currency) =>
      [statistics.summary.unsettled, statistics.summary.settled].map((sum) =>
        money(amountOf(sum, currency), currency),
      ),
    ),
    ...monthsOf(statistics, currencies[0]),
    ...(currencies.length === 0
      ? []
      : asked.map(({ currency, view }) => unsigned(view.payable_amount ?? view.total, currency))),
    ...settlements.slice(0, 6).map(total),
  ];
};

/** The most commissions of which the portal says what the next run does with them. */
const COMMISSIONS_MAX = 500;

const DAY = 86_400_000;

/** The commissions that are due to a partner and in no settlement, with their sales; null where the portal cannot tell them apart. */
const dueOf = async (
  api: Api,
  partnerId: string,
  { hold_days, next_run, require_acceptance }: Json,
): Promise<ReadonlyArray<readonly [commission: Json, part: "next" | "recent" | "failed"]> | null> => {
  const due = await api.all(
    `commissions?partner_ids=${partnerId}&settlement_status=unsettled&due=nonzero`,
    "commissions",
  );
  if (due.length >= COMMISSIONS_MAX || require_acceptance) return null;
  const found: Array<readonly [Json, "next" | "recent" | "failed"]> = [];
  for (const commission of due) {
    const [sale] = (await api.get(`attributions?ids=${commission.attribution_id}`)).attributions;
    const settled = commission.events.filter(({ event }: Json) => event.type.startsWith("settle_")).length;
    const reopened = commission.events.filter(({ event }: Json) => event.type === "reopen_commission").length;
    const isRecent =
      next_run !== null &&
      settled <= reopened &&
      Date.parse(sale.metadata.occurred_at) > Date.parse(next_run.at) - hold_days * DAY;
    if (isRecent && sale.metadata.replaces !== undefined) return null;
    const isFailed = commission.view.computation_error !== null;
    found.push([commission, isFailed ? "failed" : isRecent ? "recent" : "next"]);
  }
  return found;
};

/** What comes when, for a partner: what no settlement has and what becomes of it, what is under way, and what was paid. */
export const coming = async (api: Api, partnerId: string): Promise<Amounts> => {
  const [{ balances }, schedule, all] = await Promise.all([
    api.get(`partners/${partnerId}/balance`),
    api.get(`partners/${partnerId}/settlement-schedule`),
    api.all("settlements?order=desc", "settlements"),
  ]);
  const commissions = await dueOf(api, partnerId, schedule);
  const payable = ({ currency, view }: Json): string => money(view.payable_amount ?? view.total, currency);
  const dueDate = ({ view }: Json): string => view.due_date ?? "9999";
  const open = all.filter(({ view }) => !["paid", "written_off", "cancelled"].includes(view.status.type));
  return [
    ...balances.flatMap(({ currency, due, pending, waiting }: Json) => {
      const left = BigInt(due) - BigInt(pending);
      const sumOf = (part: string): bigint =>
        (commissions ?? [])
          .filter(([commission, its]) => commission.currency === currency && its === part)
          .reduce((sum, [{ view }]) => sum + BigInt(view.due_amount), 0n);
      const [next, recent, failed] = [sumOf("next"), sumOf("recent"), sumOf("failed")];
      const changed = left - next - recent - failed;
      const minimum = schedule.next_run === null ? 0n : BigInt(schedule.minimum[currency] ?? 0);
      const shown =
        commissions === null
          ? [left]
          : [
              next,
              ...(next > 0n && next < minimum ? [minimum, minimum - next] : []),
              ...[recent, failed, changed],
            ];
      return [...shown, BigInt(waiting)].flatMap((one) => (one === 0n ? [] : [money(one, currency)]));
    }),
    ...open.toSorted((a, b) => dueDate(a).localeCompare(dueDate(b))).map(payable),
    ...all
      .filter(({ view }) => view.status.type === "paid")
      .slice(0, 5)
      .map(payable),
  ];
};

/** The first page of the settlements. */
export const settlements = async (api: Api, reader: Reader): Promise<Amounts> => {
  const perPage = reader === "team" ? 50 : 25;
  const page = (await api.get(`settlements?order=desc&per_page=${perPage}`)).settlements;
  const isSummed = ({ view }: Json): boolean => !["written_off", "cancelled"].includes(view.status.type);
  const feet = [...totalsOf(page.filter(isSummed))].toSorted(([one], [other]) => one.localeCompare(other));
  return [
    ...page.flatMap(totalAndPayable),
    ...(reader === "team" ? feet.map(([currency, sum]) => money(sum, currency)) : []),
  ];
};

/** The settlements to pay whose last attempt has ended, and those with a report that did not fit, by the latest such event. */
const wrongPayments = async (api: Api): Promise<ReadonlyArray<Json>> => {
  const types = ["fail_payment", "return_payment", "payment_anomaly"];
  const feed = await api.get(`events?order=desc&limit=100&${types.map((type) => `types=${type}`).join("&")}`);
  const ids = [...new Set<string>(feed.events.map(({ record_id }: Json) => record_id))];
  const found: Array<Json> = [];
  for (const id of ids) {
    const [settlement] = (await api.get(`settlements?ids=${id}`)).settlements;
    const names: ReadonlyArray<string> = settlement.events.map(({ event }: Json) => event.type);
    const isFound = settlement.view.reconciliation_status === "reconciled";
    const isStray = names.includes("payment_anomaly") && !isFound;
    if (isStray || (settlement.view.status.type === "awaiting_payment" && names.includes("initiate_payment")))
      found.push(settlement);
  }
  const lastOf = ({ events }: Json): string =>
    events.findLast(({ event }: Json) => types.includes(event.type)).datetime;
  return found.toSorted((a, b) => lastOf(b).localeCompare(lastOf(a)));
};

/** What is to be paid, has failed and is with a provider, with tax, the sum of what waits for a file, and the sums of the newest files. */
export const payments = async (api: Api): Promise<Amounts> => {
  const query = "settlements?statuses=awaiting_payment&tax_review=false&order=asc&per_page=50";
  const underWay = await api.all("settlements?statuses=payment_initiated&order=asc", "settlements");
  const waiting = underWay.filter(({ view }) => view.payment_file_status === "awaited");
  const byProvider = underWay.filter(({ view }) => view.payment_file_status === null);
  const files: ReadonlyArray<Json> = (await api.get("payment-files?order=desc&per_page=10")).payment_files;
  const payable = ({ currency, view }: Json) => ({ currency, amount: view.payable_amount ?? view.total });
  return [
    ...(await api.get(query)).settlements
      .map(payable)
      .map(({ amount, currency }: Json) => money(amount, currency)),
    ...(await wrongPayments(api)).map(payable).map(({ amount, currency }: Json) => money(amount, currency)),
    ...byProvider.map(payable).map(({ amount, currency }: Json) => money(amount, currency)),
    ...[...sums(waiting.map(payable))]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([currency, sum]) => money(sum, currency)),
    ...files.map(({ sum }) => money(sum, "EUR")),
  ];
};

/** The totals of the books, and the partners with documents to pay or something accrued. */
export const books = async (api: Api): Promise<Amounts> => {
  const days = ["overdue_1_to_30", "overdue_31_to_60", "overdue_61_to_90", "overdue_over_90"];
  const ages = ["current", ...days];
  const free = ({ accrued, in_settlement }: Json): bigint => BigInt(accrued) - BigInt(in_settlement);
  const some = (amounts: ReadonlyArray<Units>): ReadonlyArray<Units> =>
    amounts.filter((one) => Number(one) !== 0);
  const agesOf = (row: Json) => ages.map((name): Units => row[name]);
  const unbilledOf = (row: Json): ReadonlyArray<Units> => [
    row.awaiting_receipt,
    row.in_settlement,
    free(row),
  ];
  const totals: ReadonlyArray<Json> = (await api.get("payables?group_by=currency")).rows;
  const rows: ReadonlyArray<Json> = (await api.get("payables")).rows;
  return [
    ...totals.flatMap((row) =>
      [
        ...[row.earned, row.tax, ...some([row.awaiting_receipt]), row.accrued],
        ...[...some([row.in_settlement, free(row)]), row.payable, ...some(agesOf(row)), row.paid],
        ...some([row.settled_elsewhere, row.written_off]),
      ].map((amount) => money(amount, row.currency)),
    ),
    // A single part is named without an amount: it would repeat the sum.
    ...[agesOf, unbilledOf].flatMap((partsOf) =>
      rows.flatMap((row) => {
        const parts = some(partsOf(row));
        const whole = parts.reduce((sum: bigint, part) => sum + BigInt(part), 0n);
        const shown = parts.length === 0 ? [] : parts.length === 1 ? [whole] : [...parts, whole];
        return shown.map((amount) => money(amount, row.currency));
      }),
    ),
  ];
};

/** The formats of a sale's properties: those of the schema, which partners do not see; to them those that formulas have recorded. */
const formatsOf = async (
  api: Api,
  reader: Reader,
  { schema_id }: Json,
  commissions: ReadonlyArray<Json>,
): Promise<ReadonlyMap<string, string>> => {
  if (reader === "team") {
    const [{ properties }] = (await api.get(`attribution-schemas?ids=${schema_id}`)).attribution_schemas;
    return new Map(properties.map(({ name, format }: Json) => [name, format]));
  }
  const explained = await Promise.all(commissions.map(({ id }) => api.get(`commissions/${id}/explanation`)));
  return new Map(
    explained
      .flatMap(({ trace }): ReadonlyArray<Json> => trace ?? [])
      .filter(({ type }) => type === "property")
      .map(({ detail: { name, format } }) => [name, format]),
  );
};

/** The properties of a sale that are money, where its commissions have one currency. */
const moneyIn = async (
  api: Api,
  reader: Reader,
  sale: Json,
  commissions: ReadonlyArray<Json>,
): Promise<Amounts> => {
  const [currency, another] = new Set<string>(commissions.map((one) => one.currency));
  if (currency === undefined || another !== undefined) return [];
  const formats = await formatsOf(api, reader, sale, commissions);
  return Object.entries<number>(sale.view.properties).flatMap(([name, value]) => {
    if (formats.get(name) === "money_minor") return [money(value, currency)];
    // The demo states whole units with two decimals at most.
    return formats.get(name) === "money_major" ? [money(Math.round(value * 100), currency)] : [];
  });
};

/** The first page of the sales: the properties of each that are money, and what its partner earns, by currency. */
export const sales = async (api: Api): Promise<Amounts> => {
  const page: ReadonlyArray<Json> = (await api.get("attributions?order=desc&per_page=50")).attributions;
  const rows = await Promise.all(
    page.map(async (sale) => {
      const own: ReadonlyArray<Json> = (await api.get(`commissions?attribution_ids=${sale.id}`)).commissions;
      return { own, properties: await moneyIn(api, "team", sale, own) };
    }),
  );
  return rows.flatMap(({ own, properties }) => [
    ...properties,
    ...[
      ...sums(
        own
          .filter(({ view }) => view.computed_amount !== null)
          .map(({ currency, view }) => ({ currency, amount: view.computed_amount })),
      ),
    ]
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([currency, sum]) => money(sum, currency)),
  ]);
};

/** The amount in the sentence about what comes next. */
const nextAmounts = ({ currency, view }: Json, reader: Reader): Amounts => {
  const due = view.payable_amount ?? view.total;
  const sentences: Readonly<Record<string, Amounts>> =
    reader === "team"
      ? { awaiting_payment: [view.total < 0 ? unsigned(due, currency) : money(due, currency)] }
      : {
          negative_review: [unsigned(view.total, currency)],
          ...(view.billing_mode === "partner_billing"
            ? {
                awaiting_invoice: [unsigned(view.total, currency)],
                awaiting_credit_note: [unsigned(view.total, currency)],
              }
            : {}),
          awaiting_payment: [unsigned(due, currency)],
          payment_initiated: [unsigned(due, currency)],
          ...(view.status.method === "nothing_due" ? {} : { paid: [unsigned(due, currency)] }),
        };
  return sentences[view.status.type] ?? [];
};

/** The amounts in the words of an event. */
const eventAmounts = ({ event }: Json, currency: string): Amounts => {
  switch (event?.type) {
    case "create_settlement":
      return [money(event.total, currency)];
    case "create_commission":
    case "update_commission":
    case "reserve_commission":
    case "release_commission":
    case "settle_commission":
    case "reopen_commission":
      return [money(event.amount, currency)];
    default:
      return [];
  }
};

const timelineOf = ({ events, currency }: Json): Amounts =>
  events.toReversed().flatMap((entry: Json) => eventAmounts(entry, currency));

/** A settlement with its first lines. */
export const settlement = async (api: Api, id: string, reader: Reader): Promise<Amounts> => {
  const found = (await api.get(`settlements?ids=${id}`)).settlements[0];
  const { currency, view } = found;
  const lines: ReadonlyArray<Json> = view.lines.slice(0, 50);
  const commissions = await api.byIds(
    "commissions",
    "commissions",
    lines.map(({ commission_id }) => commission_id),
  );
  return [
    ...nextAmounts(found, reader),
    total(found),
    ...[view.tax_amount, view.payable_amount]
      .filter((candidate) => candidate !== null)
      .map((item) => money(item, currency)),
    ...lines.flatMap(({ commission_id, amount }) => {
      const worth = commissions.get(commission_id)?.view.computed_amount ?? null;
      return [
        money(amount, currency),
        // What it is worth now is shown where it is something else.
        ...(worth === null || worth === amount ? [] : [money(worth, currency)]),
      ];
    }),
    total(found),
    ...timelineOf(found),
  ];
};

const commissionRows = (commissions: ReadonlyArray<Json>): Amounts =>
  commissions.flatMap(({ currency, view }) => [
    money(view.computed_amount ?? 0, currency),
    money(view.due_amount, currency),
  ]);

/** The commissions of a query, on one page of 50. */
export const commissions = async (api: Api, query: string): Promise<Amounts> =>
  commissionRows((await api.get(`commissions?per_page=50&${query}`)).commissions);

/** The commissions of a sale: those of its origin first, then by level, sellers before others. */
export const sale = async (
  api: Api,
  { id, metadata: { origin_id: origin = id } }: Json,
): Promise<Amounts> => {
  const credits: ReadonlyArray<Json> = await api.all(`attributions?origin_ids=${origin}`, "attributions");
  const rank = ({ metadata: { origin_id, credit } }: Json): string =>
    origin_id === undefined ? "" : `${credit.depth} ${credit.role === "seller" ? 0 : 1} ${credit.role}`;
  const found: ReadonlyArray<Json> = await api.all(
    `commissions?attribution_ids=${credits.map((credit) => credit.id).join("&attribution_ids=")}`,
    "commissions",
  );
  return credits
    .toSorted((a, b) => rank(a).localeCompare(rank(b)) || a.id.localeCompare(b.id))
    .flatMap((credit) => commissionRows(found.filter(({ attribution_id }) => attribution_id === credit.id)));
};

/** The properties of a sale that are money, in the one currency of its commissions. */
export const propertiesOf = async (api: Api, reader: Reader, sale: Json): Promise<Amounts> => {
  const { origin_id: origin = sale.id } = sale.metadata;
  const credits: ReadonlyArray<Json> = await api.all(`attributions?origin_ids=${origin}`, "attributions");
  const ids = credits.map(({ id }) => id).join("&attribution_ids=");
  return moneyIn(api, reader, sale, await api.all(`commissions?attribution_ids=${ids}`, "commissions"));
};

const TERMS = ["minimum", "auto_approve", "four_eyes_above"] as const;

/** The amounts in the sentences of a policy; of a partner's own terms, those that it states. */
const policyAmounts = (policy: Json, terms: Json = policy): Amounts =>
  TERMS.filter((name) => policy[name] !== null && typeof policy[name] === "object").flatMap((name) =>
    Object.entries(terms[name] as Readonly<Record<string, Units>>).map(([currency, amount]) =>
      money(amount, currency),
    ),
  );

/** What is due beyond the sales that are in no settlement; stated where these are on one page. */
const changesBeside = (balances: ReadonlyArray<Json>, due: ReadonlyArray<Json>): Amounts => {
  if (due.length > 50) return [];
  const unsettled = sums(due.map(({ currency, view }) => ({ currency, amount: view.due_amount })));
  return balances
    .map(({ currency, ...one }) => ({
      currency,
      amount: BigInt(one.due) - BigInt(one.pending) - (unsettled.get(currency) ?? 0n),
    }))
    .filter(({ amount }) => amount !== 0n)
    .map(({ currency, amount }) => change(amount, currency));
};

/** The amounts that a run leaves out of a partner, with the minimum where that is why. */
const reasonAmounts = (
  {
    reason,
    currency,
    total: sum,
    on_hold_count,
    on_hold_amount,
    not_accepted_count,
    not_accepted_amount,
  }: Json,
  { minimum }: Json,
): Amounts =>
  currency === null
    ? []
    : [
        ...(["below_minimum", "negative", "partner_suspended"].includes(reason) && sum ? [sum] : []),
        ...(reason === "below_minimum" && sum ? [minimum[currency]] : []),
        ...(on_hold_count > 0 ? [on_hold_amount] : []),
        ...(not_accepted_count > 0 ? [not_accepted_amount] : []),
      ].flatMap((amount) => amountOrNone(amount, currency));

/** A partner: balance, what is due, settlements, own terms. */
export const partner = async (api: Api, id: string): Promise<Amounts> => {
  const [{ balances }, { partners }, found] = await Promise.all([
    api.get(`partners/${id}/balance`),
    api.get(`partners?ids=${id}`),
    api.get(`settlements?partner_ids=${id}&order=desc&per_page=10`),
  ]);
  const { workspace_id } = partners[0];
  const own = await api.get(`settlement-policies/${workspace_id}/partners/${id}`);
  const due = await api.all(
    `commissions?partner_ids=${id}&settlement_status=unsettled&due=nonzero`,
    "commissions",
  );
  const reasons =
    due.length === 0 || due.length > 2_000
      ? []
      : (await api.post("settlement-runs", { workspace_id, partner_ids: [id], dry_run: true })).results;
  return [
    ...balances.flatMap(({ currency, earned, settled, pending, due }: Json) =>
      [BigInt(due) - BigInt(pending), pending, settled, earned].map((item) => money(item, currency)),
    ),
    ...changesBeside(balances, due),
    ...reasons.flatMap((finding: Json) => reasonAmounts(finding, own.in_force)),
    ...commissionRows(due.slice(0, 50)),
    ...found.settlements.flatMap(totalAndPayable),
    ...policyAmounts(own, own.in_force),
  ];
};

/** The statement of the last three months, in the first currency. */
export const statement = async (api: Api, id: string): Promise<Amounts> => {
  const { balances } = await api.get(`partners/${id}/balance`);
  const currency = balances[0]?.currency;
  if (currency === undefined) return [];
  const query = new URLSearchParams({ from: monthStart(2), currency, limit: "100" });
  const found = await api.get(`partners/${id}/statement?${query}`);
  const { opening_balance: opening, closing_balance: closing, movements, next_cursor: next } = found;
  return [
    ...[money(opening, currency), money(closing, currency)],
    ...(movements.length === 0
      ? [money(closing, currency)]
      : [
          money(opening, currency),
          ...movements.flatMap(({ amount, balance }: Json) => [
            change(amount, currency),
            money(balance, currency),
          ]),
          ...(next === null ? [money(closing, currency)] : []),
        ]),
  ];
};

/** The amounts of a plan in words: those of the terms of one of its partners, who have no values of their own. */
export const plan = async (api: Api, { id, currency }: Json): Promise<Amounts> => {
  const [formula] = (await api.get(`commission-formulas?plan_ids=${id}&per_page=1`)).commission_formulas;
  const { paragraphs } = await api.get(`commission-plans/${id}/terms?partner_id=${formula.partner_id}`);
  const { plan_trials: trials } = await api.get(`plan-trials?plan_ids=${id}&order=desc&per_page=5`);
  return [
    ...paragraphs.flatMap(({ text, items }: Json) =>
      [text, ...items].flatMap((sentence) => restated(sentence, currency)),
    ),
    ...trials.map((trial: Json) => change(trial.difference, trial.currency)),
  ];
};

/** The amounts of a plan in the plan builder for the sale that it invents: what the interface computes, and the sum. */
export const trial = async (api: Api, id: string): Promise<Amounts> => {
  const plan = (await api.get(`commission-plans?ids=${id}`)).commission_plans[0];
  const schema = (await api.get(`attribution-schemas?ids=${plan.schema_id}`)).attribution_schemas[0];
  const invented: Readonly<Record<string, Json>> = { number: 100, string: "basic", boolean: true };
  const properties = Object.fromEntries(
    schema.properties
      .filter(({ type, required }: Json) => required || type === "number")
      .map(({ name, type }: Json) => [name, invented[type]]),
  );
  const { results } = await api.post("commission-formulas/simulate", {
    ...{ schema_id: plan.schema_id, currency: plan.currency, expression: plan.view.formula },
    samples: [{ properties }],
  });
  const amount = money(results[0].amount, plan.currency);
  return [amount, amount];
};

/** Tries twice what a plan pays on the sales of the last 90 days, waits for the result, and returns the trial's id. */
export const tryTwice = async (api: Api, planId: string): Promise<string> => {
  const plan = (await api.get(`commission-plans?ids=${planId}`)).commission_plans[0];
  const [from, to] = [90, 0].map((days) => new Date(Date.now() - days * 86_400_000).toISOString());
  const two = { type: "literal", value: { type: "number", value: 2 } };
  const expression = { type: "multiply", operands: [plan.view.formula, two] };
  const { id } = await api.post("plan-trials", { plan_id: planId, expression, from, to });
  while ((await api.get(`plan-trials/${id}`)).trial.state === "running")
    await new Promise((resolve) => setTimeout(resolve, 50));
  return id;
};

const amountOrNone = (units: Json, currency: string): Amounts =>
  units === null ? [] : [money(units, currency)];

/** The first page of a trial: the sums, the largest changes without their reasons, and the months of the partners. */
export const trialResults = async (api: Api, id: string): Promise<Amounts> => {
  const { trial: sums, changes, results } = await api.get(`plan-trials/${id}?per_page=25`);
  const { currency } = sums;
  return [
    ...[money(sums.amount_then, currency), money(sums.amount_now, currency)],
    change(sums.difference, currency),
    ...changes.flatMap(({ amount_now, amount_then, difference }: Json) => [
      ...amountOrNone(amount_now, currency),
      ...amountOrNone(amount_then, currency),
      change(difference, currency),
    ]),
    ...results.flatMap(({ months }: Json) =>
      months.flatMap(({ amount_now, amount_then, difference }: Json) => [
        ...[money(amount_now, currency), money(amount_then, currency)],
        change(difference, currency),
      ]),
    ),
  ];
};

const runTotals = ({ totals }: Json): Amounts =>
  totals.map(({ currency, amount }: Json) => money(amount, currency));

/** The runs of a workspace and its policy. */
export const runs = async (api: Api, workspaceId: string): Promise<Amounts> => {
  const found = await api.get(`settlement-runs?workspace_ids=${workspaceId}&order=desc&per_page=25`);
  const policy = await api.get(`settlement-policies/${workspaceId}`);
  return [...found.settlement_runs.flatMap(runTotals), ...policyAmounts(policy)];
};

const findingAmounts = (
  { currency, total: sum, line_count: lines, on_hold_count: held, on_hold_amount: amount }: Json,
  changes: Amounts = [],
): Amounts => [
  ...(held > 0 && amount !== null && currency !== null ? [money(amount, currency)] : []),
  ...changes,
  ...(sum === null || currency === null || lines === 0 ? [] : [money(sum, currency)]),
];

/** What a run finds of a partner and currency without drafting it; null where it does not state an amount of it. */
const leftOutOf = (finding: Json): bigint | null =>
  finding.not_computable_count > 0 ||
  [finding.total, finding.on_hold_amount, finding.not_accepted_amount].includes(null)
    ? null
    : BigInt(finding.on_hold_amount) +
      BigInt(finding.not_accepted_amount) +
      (finding.reason === null ? 0n : BigInt(finding.total));

/** A preview of what a run would find, and how that adds up to what is due. */
export const preview = async (api: Api, workspaceId: string): Promise<Amounts> => {
  const found = await api.post("settlement-runs", { workspace_id: workspaceId, dry_run: true });
  const { minimum } = await api.get(`settlement-policies/${workspaceId}`);
  const results: ReadonlyArray<Json> = found.results;
  const parts: Array<{ id: string; currency: string; amounts: ReadonlyArray<bigint | null> }> = [];
  for (const id of new Set<string>(results.map(({ partner_id }) => partner_id)))
    for (const { currency, due, pending } of (await api.get(`partners/${id}/balance`)).balances) {
      const finding = results.find((one) => one.partner_id === id && one.currency === currency);
      const sum = BigInt(due) - BigInt(pending);
      const left = finding === undefined ? 0n : leftOutOf(finding);
      const drafted = finding?.reason === null ? BigInt(finding.total ?? 0) : 0n;
      if (sum === 0n && finding === undefined) continue;
      parts.push({
        id,
        currency,
        amounts: [drafted, left, left === null ? null : sum - drafted - left, sum],
      });
    }
  const currencies = [...new Set(parts.map(({ currency }) => currency))].toSorted();
  const sumAt = (currency: string, at: number): bigint | null =>
    parts
      .filter((one) => one.currency === currency)
      .map(({ amounts }) => amounts[at] ?? null)
      .reduce((sum, one) => (sum === null || one === null ? null : sum + one), 0n);
  const changesOf = ({ partner_id, currency }: Json): Amounts =>
    parts
      .filter((one) => one.id === partner_id && (currency === null || one.currency === currency))
      .flatMap((one) => (one.amounts[2] ? [change(one.amounts[2], one.currency)] : []));
  return [
    ...(found.draft_count === 0 ? [] : runTotals(found)),
    ...Object.entries<Units>(minimum).map(([currency, amount]) => money(amount, currency)),
    ...currencies.flatMap((currency) =>
      [0, 1, 2, 3].flatMap((at) => amountOrNone(sumAt(currency, at), currency)),
    ),
    ...results.slice(0, 50).flatMap((finding) => findingAmounts(finding, changesOf(finding))),
  ];
};

/** A run and its results. */
export const run = async (api: Api, id: string): Promise<Amounts> => {
  const found = await api.get(`settlement-runs/${id}?per_page=50`);
  return [
    ...runTotals(found.run),
    ...(await comparison(
      api,
      found.results.flatMap(({ drafts }: Json) => drafts.map((draft: Json) => draft.settlement_id)),
    )),
    ...found.results.flatMap((finding: Json) => findingAmounts(finding)),
  ];
};

/** The drafts among settlements beside the earlier ones of their partners: last month, and what is unusual with its numbers. */
const comparison = async (api: Api, ids: ReadonlyArray<string>): Promise<Amounts> => {
  const drafts = [...(await api.byIds("settlements", "settlements", ids)).values()].filter(
    ({ view }) => view.status.type === "draft",
  );
  if (drafts.length === 0) return [];
  const all = (await api.all("settlements?order=desc", "settlements")).filter(
    ({ view }) => !["draft", "cancelled"].includes(view.status.type),
  );
  const last = all.filter(
    ({ partner_id, view }) =>
      drafts.some((draft) => draft.partner_id === partner_id) &&
      view.created_at >= monthStart(1) &&
      view.created_at < monthStart(0),
  );
  const partners = await api.byIds(
    "partners",
    "partners",
    drafts.map(({ partner_id }) => partner_id),
  );
  const sums = [...totalsOf(last)].sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...sums.map(([currency, amount]) => money(amount, currency)),
    ...drafts.flatMap((draft) => unusual(draft, partners.get(draft.partner_id), all)),
  ];
};

/** What is shown of a draft that is to be looked at twice; nothing of any other. */
const unusual = (
  { partner_id, currency, view }: Json,
  partner: Json | undefined,
  all: ReadonlyArray<Json>,
): Amounts => {
  const earlier = all
    .filter((one) => one.partner_id === partner_id && one.currency === currency)
    .map((one): number => one.view.total);
  const six = earlier.slice(0, 6).sort((a, b) => a - b);
  const usual = six[Math.floor((six.length - 1) / 2)] ?? 0;
  const isMuch = usual > 0 && view.total > 3 * usual;
  return view.total < 0 ||
    view.stale ||
    partner?.payout_problem != null ||
    partner?.payout_problem != null ||
    earlier.length === 0 ||
    isMuch
    ? [...(isMuch ? [money(usual, currency)] : []), money(view.total, currency)]
    : [];
};

/** The newest events. */
export const events = async (api: Api): Promise<Amounts> => {
  const page: ReadonlyArray<Json> = (await api.get("events?order=desc&limit=50")).events;
  const idsOf = (type: string) =>
    page.filter(({ record_type }) => record_type === type).map(({ record_id }) => record_id);
  const records = new Map([
    ...(await api.byIds("commissions", "commissions", idsOf("commission"))),
    ...(await api.byIds("settlements", "settlements", idsOf("settlement"))),
  ]);
  return page.flatMap((entry) => eventAmounts(entry, records.get(entry.record_id)?.currency ?? ""));
};

/** The panel that explains the amount of a commission. */
export const why = async (api: Api, reader: Reader, id: string): Promise<Amounts> => {
  const [found, explanation, sentences] = await Promise.all([
    api.get(`commissions?ids=${id}`),
    api.get(`commissions/${id}/explanation`),
    api.text(`commissions/${id}/explanation`),
  ]);
  const commission = found.commissions[0];
  const { currency, view } = commission;
  const [sale] = (await api.get(`attributions?ids=${commission.attribution_id}`)).attributions;
  return [
    money(explanation.amount ?? 0, currency),
    ...restated(sentences, currency),
    ...[view.settled_amount, view.pending_amount, view.due_amount].map((item) => money(item, currency)),
    ...(await moneyIn(api, reader, sale, [commission])),
    ...timelineOf(commission),
  ];
};
