/** One partner: what is owed, since when, and what blocks it. */
import { useState } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { Attribution, Commission, Formula, Partner as Record, Amount as Sum } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { monthStart } from "../format/Dates.ts";
import { amountIn, counted } from "../format/Money.ts";
import { BILLING } from "../format/Words.ts";
import { Amount, Badge, Empty, Fact, Heading, ReadAt, Shown, When } from "../parts/Basics.tsx";
import { CommissionTable } from "../parts/CommissionTable.tsx";
import { DraftDialog } from "../parts/DraftDialog.tsx";
import { Table } from "../parts/Table.tsx";
import { settlementColumns, withPartners } from "./Settlements.tsx";

interface Owed {
  readonly partner: Record;
  readonly due: ReadonlyArray<Sum>;
  readonly settled: ReadonlyArray<Sum>;
  /** The oldest commission with something due that is in no settlement, and its sale. */
  readonly oldest: Attribution | null;
  readonly waiting: ReadonlyArray<{ readonly currency: string; readonly count: number }>;
}

const oldestOf = async (
  client: Client,
  first: Commission | undefined,
  signal: AbortSignal,
): Promise<Attribution | null> =>
  first === undefined
    ? null
    : ((await client.byIds("attributions", [first.attributionId], signal)).get(first.attributionId) ?? null);

const read = async (client: Client, id: string, signal: AbortSignal): Promise<Owed> => {
  const unsettled = { partnerIds: [id], settlementStatus: "unsettled", due: "nonzero" };
  const [partners, statistics, { items }] = await Promise.all([
    client.byIds("partners", [id], signal),
    client.statistics(
      {
        from: "1970-01-01T00:00:00Z",
        to: monthStart(Date.now(), -1).toISOString(),
        partnerIds: [id],
      },
      signal,
    ),
    client.list("commissions", { ...unsettled, perPage: 1 }, signal),
  ]);
  const partner = partners.get(id);
  if (partner === undefined) throw new Error("This partner does not exist, or this key cannot see it.");
  const { summary } = statistics;
  const waiting = await Promise.all(
    summary.unsettled.amounts.map(async ({ currency }) => ({
      currency,
      count: (await client.list("commissions", { ...unsettled, currencies: [currency], perPage: 1 }, signal))
        .total,
    })),
  );
  return {
    partner,
    due: summary.unsettled.amounts,
    settled: summary.settled.amounts,
    oldest: await oldestOf(client, items[0], signal),
    waiting: waiting.filter(({ count }) => count > 0),
  };
};

const Billing = ({ partner }: { readonly partner: Record }) => {
  const data = partner.selfBillingData;
  return (
    <section class="panel">
      <h2>Billing</h2>
      {partner.payoutProblem !== null && (
        <div class="notice wait">
          <strong>Payments are blocked</strong>
          <p>{partner.payoutProblem}</p>
        </div>
      )}
      <dl class="facts">
        <Fact name="Who writes the invoice">
          {partner.billingMode === null ? "The partner (not stated)" : BILLING[partner.billingMode]}
        </Fact>
        {data != null && (
          <>
            <Fact name="Legal name">{data.legalName}</Fact>
            <Fact name="Address">
              {[
                data.address.street,
                `${data.address.postalCode} ${data.address.city}`,
                data.address.region,
                data.address.country,
              ]
                .filter((part) => part !== "")
                .join(", ")}
            </Fact>
            <Fact name="VAT number">{data.vatNumber}</Fact>
            <Fact name="Tax">
              {data.taxConfig.treatment === "standard"
                ? `${data.taxConfig.label ?? "Tax"} ${Number(data.taxConfig.rateBps) / 100} %`
                : data.taxConfig.treatment.replaceAll("_", " ")}
            </Fact>
            <Fact name="Payment terms">{counted(Number(data.paymentTermsDays), "day")}</Fact>
            <Fact name="Bank account">{data.bankAccount.iban.replace(/(.{4})/g, "$1 ")}</Fact>
          </>
        )}
      </dl>
    </section>
  );
};

const Assignments = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const loaded = useLoad(
    `formulas/${id}`,
    async (signal): Promise<ReadonlyArray<Formula>> =>
      (await client.list("commissionFormulas", { partnerIds: [id], perPage: 100, order: "desc" }, signal))
        .items,
  );
  return (
    <section class="panel">
      <h2>Plans and formulas</h2>
      <Shown loaded={loaded} lines={3}>
        {(formulas) =>
          formulas.length === 0 ? (
            <Empty title="No plan">
              Without a plan or a formula of its own this partner earns nothing. Assign one on the page of{" "}
              <a href="#/plans">plans</a>.
            </Empty>
          ) : (
            <Table
              caption="Plans and formulas of the partner"
              rows={formulas}
              rowKey={({ id: key }) => key}
              columns={[
                {
                  name: "Name",
                  show: ({ name, planId }) =>
                    planId === undefined ? name : <a href={linkTo(`plans/${planId}`)}>{name}</a>,
                },
                { name: "From", show: ({ startDatetime }) => <When at={startDatetime} /> },
                {
                  name: "Until",
                  show: ({ endDatetime }) => (endDatetime === null ? "open" : <When at={endDatetime} />),
                },
                {
                  name: "State",
                  show: (formula) => (
                    <Badge family={formula.status === "active" ? "done" : "stopped"}>
                      {formula.recomputing
                        ? "Recomputing"
                        : formula.status === "active"
                          ? "Active"
                          : "Cancelled"}
                    </Badge>
                  ),
                },
              ]}
            />
          )
        }
      </Shown>
    </section>
  );
};

const SettlementsOf = ({ id }: { readonly id: string }) => {
  const { client } = useSession();
  const loaded = useLoad(`settlements/${id}`, async (signal) => {
    const found = await client.list("settlements", { partnerIds: [id], order: "desc", perPage: 10 }, signal);
    return { total: found.total, rows: await withPartners(client, found.items, signal) };
  });
  return (
    <section class="panel">
      <h2>Settlements</h2>
      <Shown loaded={loaded} lines={4}>
        {({ rows, total }) =>
          rows.length === 0 ? (
            <Empty title="No settlements yet" />
          ) : (
            <>
              <Table
                caption="Newest settlements of the partner"
                rows={rows}
                rowKey={({ settlement }) => settlement.id}
                link={({ settlement }) => linkTo(`settlements/${settlement.id}`)}
                columns={settlementColumns}
              />
              {total > rows.length && (
                <p>
                  <a href={linkTo("settlements", { partnerIds: id })}>All {total} settlements</a>
                </p>
              )}
            </>
          )
        }
      </Shown>
    </section>
  );
};

const Owing = ({ owed, loaded }: { readonly owed: Owed; readonly loaded: Loaded<Owed> }) => {
  const may = useMay();
  const [currency, setCurrency] = useState<string | null>(null);
  const currencies = [...new Set([...owed.due, ...owed.settled].map((one) => one.currency))];
  return (
    <>
      <div class="cards">
        {currencies.map((code) => (
          <section key={code} class="card" aria-label={`Figures in ${code}`}>
            <h2>{code}</h2>
            <dl>
              <div class="main-figure">
                <dt>Not settled yet</dt>
                <dd>
                  <Amount amount={amountIn(owed.due, code)} currency={code} strong />
                </dd>
              </div>
              <div>
                <dt>Settled so far</dt>
                <dd>
                  <Amount amount={amountIn(owed.settled, code)} currency={code} />
                </dd>
              </div>
            </dl>
            {owed.waiting.some((one) => one.currency === code) && may("settlements:write") && (
              <button type="button" class="primary" onClick={() => setCurrency(code)}>
                Draft a settlement
              </button>
            )}
          </section>
        ))}
      </div>
      <p class="note">
        Net of tax.{" "}
        {owed.oldest === null ? (
          "Nothing is due outside settlements."
        ) : (
          <>
            The oldest sale that waits is of <When at={owed.oldest.occurredAt} />.
          </>
        )}
      </p>
      {currency !== null && (
        <DraftDialog
          partner={owed.partner}
          currency={currency}
          close={() => {
            setCurrency(null);
            loaded.reload();
          }}
        />
      )}
    </>
  );
};

export const Partner = ({ id }: { readonly id: string }) => {
  const { client, signOut } = useSession();
  const loaded = useLoad(`partner/${id}`, (signal) => read(client, id, signal));
  return (
    <Shown loaded={loaded} lines={10} what="Reading the partner" signOut={signOut}>
      {(owed) => (
        <>
          <Heading above={<a href="#/partners">Partners</a>} title={owed.partner.name}>
            <ReadAt loaded={loaded} />
          </Heading>
          <Owing owed={owed} loaded={loaded} />
          <div class="columns">
            <section class="panel">
              <h2>What is due</h2>
              <CommissionTable
                query={{ partnerIds: [id], due: "nonzero", order: "desc" }}
                empty="Nothing is due"
              />
            </section>
            <Billing partner={owed.partner} />
          </div>
          <SettlementsOf id={id} />
          <Assignments id={id} />
        </>
      )}
    </Shown>
  );
};
