/** One partner: the amounts due, since when, and what blocks their payment. */
import { useState } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { Formula, Plan, Partner as Record } from "../api/Records.ts";
import { Absent } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { shortId } from "../format/Ids.ts";
import { Billing } from "../partners/Billing.tsx";
import { DueAmounts, type PartnerOverview } from "../partners/DueAmounts.tsx";
import { PartnerFacts, PartnerLog } from "../partners/PartnerFacts.tsx";
import { PayoutAccounts } from "../partners/PayoutAccounts.tsx";
import { PortalAccess } from "../partners/PortalAccess.tsx";
import { Badge, Clip, Empty, Field, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { type CommissionPage, CommissionTable, readCommissionPage } from "../parts/CommissionTable.tsx";
import { FormulaName } from "../parts/PlanName.tsx";
import { Table } from "../parts/Table.tsx";
import { Assign, coversRestOf } from "../plans/Assign.tsx";
import { FormulaVersions } from "../plans/FormulaVersions.tsx";
import { PartnerPolicy } from "../settling/Policy.tsx";
import { TeamSection } from "../team/Team.tsx";
import { settlementColumns } from "./Settlements.tsx";

/** The parts of a partner's commissions: the words of the choice, the filter and the order, and the words where there are none. */
const COMMISSIONS = [
  [
    "Due, in no settlement",
    { settlementStatus: "unsettled", due: "nonzero", order: "asc" },
    "Nothing is due outside settlements",
  ],
  [
    "In a settlement",
    { settlementStatus: "pending_settlement", order: "desc" },
    "Nothing is in a settlement",
  ],
  ["Waiting for buyers", { waiting: true, order: "desc" }, "Nothing waits for buyers"],
  ["Settled", { settlementStatus: "settled", order: "desc" }, "Nothing is settled yet"],
  ["All", { order: "desc" }, "No commissions yet"],
] as const;
const DUE = COMMISSIONS[0][1];

const readOverview = async (
  client: Client,
  id: string,
  canRead: boolean,
  signal: AbortSignal,
): Promise<PartnerOverview> => {
  const query = { partnerIds: [id], ...DUE };
  const [partners, balance, due] = await Promise.all([
    client.byIds("partners", [id], signal),
    canRead ? client.remote.partners.balance(id, {}, { signal }) : null,
    readCommissionPage(client, query, 1, signal),
  ]);
  const partner = partners.get(id);
  if (partner === undefined) throw new Absent("This partner does not exist, or you have no access to it.");
  const waiting = new Set<string>(due.rows.map(({ commission }) => commission.currency));
  // Each count reads all that is due. Only the further pages may have currencies that the first one has not.
  const unseen = due.total > due.rows.length ? (balance?.balances ?? []) : [];
  for (const currency of unseen.map((one) => one.currency).filter((one) => !waiting.has(one))) {
    const rest = { ...query, currencies: [currency], perPage: 1 };
    if ((await client.list("commissions", rest, signal)).total > 0) waiting.add(currency);
  }
  return { partner, balance, due, waiting };
};

/** Chooses one of the plans, and assigns the partner to it. */
const AssignPlan = ({
  partner,
  plans,
  done,
}: {
  readonly partner: Record;
  readonly plans: ReadonlyArray<Plan>;
  readonly done: () => void;
}) => {
  const [plan, setPlan] = useState<Plan | null>(null);
  if (plans.length === 0) return null;
  return (
    <>
      <Field label="Assign a plan">
        <select
          value=""
          onChange={({ currentTarget }) => {
            setPlan(plans.find(({ id }) => id === currentTarget.value) ?? null);
            currentTarget.value = "";
          }}
        >
          <option value="">Choose a plan…</option>
          {plans.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
              {plans.some((other) => other.name === name && other.id !== id) && ` ${shortId(id)}`}
            </option>
          ))}
        </select>
      </Field>
      {plan !== null && <Assign plan={plan} partner={partner} close={() => setPlan(null)} done={done} />}
    </>
  );
};

/** The formulas of a partner, and the plans that it can be assigned to. */
interface Assignable {
  readonly formulas: ReadonlyArray<Formula>;
  readonly plans: ReadonlyArray<Plan>;
}

const Assignments = ({ partner }: { readonly partner: Record }) => {
  const { id, workspaceId } = partner;
  const mayAssign = useMay()("formulas:write");
  const { client } = useSession();
  const newest = { order: "desc", perPage: 100 };
  const loaded = useLoad(`formulas/${id}/${mayAssign}`, async (signal): Promise<Assignable> => {
    const [{ items: formulas }, plans] = await Promise.all([
      client.list("commissionFormulas", { ...newest, partnerIds: [id] }, signal),
      mayAssign ? client.list("commissionPlans", { ...newest, workspaceIds: [workspaceId] }, signal) : null,
    ]);
    const isOpen = (plan: Plan): boolean =>
      plan.status === "active" && !formulas.some((formula) => coversRestOf(plan, formula));
    return { formulas, plans: plans?.items.filter(isOpen) ?? [] };
  });
  return (
    <section class="panel">
      <h2>Plans and formulas</h2>
      <LoadResult loaded={loaded} lines={3}>
        {({ formulas }) =>
          formulas.length === 0 ? (
            <Empty title="No plan">Without a plan or a formula of its own this partner earns nothing.</Empty>
          ) : (
            <>
              <Table
                caption="Plans and formulas of the partner"
                rows={formulas}
                rowKey={({ id: key }) => key}
                columns={[
                  {
                    name: "Name",
                    show: (formula) => <FormulaName formula={formula} formulas={formulas} />,
                  },
                  { name: "From", isDate: true, show: ({ startDatetime }) => <When at={startDatetime} /> },
                  {
                    name: "Until",
                    isDate: true,
                    show: ({ endDatetime }) => (endDatetime === null ? "no end" : <When at={endDatetime} />),
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
              <FormulaVersions formulas={formulas} done={loaded.reload} />
            </>
          )
        }
      </LoadResult>
      {loaded.value !== null && (
        <AssignPlan partner={partner} plans={loaded.value.plans} done={loaded.reload} />
      )}
    </section>
  );
};

/** The columns of the settlements of one partner: the day instead of its name leads to each. */
const columnsOfPartner: typeof settlementColumns = [
  {
    name: "Drafted",
    show: ({ settlement: { id, createdAt } }) => (
      <a href={linkTo(`settlements/${id}`)}>
        <When at={createdAt} />
      </a>
    ),
  },
  ...settlementColumns.filter(({ name }) => !["Partner", "Drafted"].includes(name)),
];

const SettlementsOf = ({ partner }: { readonly partner: Record }) => {
  const { client } = useSession();
  const { id } = partner;
  const loaded = useLoad(`settlements/${id}`, (signal) =>
    client.list("settlements", { partnerIds: [id], order: "desc", perPage: 10 }, signal),
  );
  return (
    <section class="panel">
      <h2>Settlements</h2>
      <LoadResult loaded={loaded} lines={4}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title="No settlements yet">
              A run, or a draft for this partner alone, settles what is due.
            </Empty>
          ) : (
            <>
              <Table
                caption="Newest settlements of the partner"
                rows={items.map((settlement) => ({ settlement, partner }))}
                rowKey={({ settlement }) => settlement.id}
                link={({ settlement }) => linkTo(`settlements/${settlement.id}`)}
                columns={columnsOfPartner}
              />
              {total > items.length && (
                <p>
                  <a href={linkTo("settlements", { partnerIds: id })}>All {total} settlements</a>
                </p>
              )}
            </>
          )
        }
      </LoadResult>
    </section>
  );
};

const CommissionsOf = ({ id, due }: { readonly id: string; readonly due: CommissionPage }) => {
  const [part, setPart] = useState<(typeof COMMISSIONS)[number]>(COMMISSIONS[0]);
  const [words, query, empty] = part;
  return (
    <section class="panel">
      <h2>Commissions</h2>
      <fieldset class="chips">
        <legend class="visually-hidden">Which commissions</legend>
        {COMMISSIONS.map((one) => (
          <button
            key={one[0]}
            type="button"
            class="chip"
            aria-pressed={one === part}
            onClick={() => setPart(one)}
          >
            {one[0]}
          </button>
        ))}
      </fieldset>
      <p class="note">{query.order === "asc" ? "Oldest first." : "Newest first."}</p>
      <CommissionTable
        key={words}
        query={{ partnerIds: [id], ...query }}
        empty={empty}
        first={query === DUE ? due : undefined}
      />
    </section>
  );
};

export const Partner = ({ id }: { readonly id: string }) => {
  const { client, signOut } = useSession();
  const canRead = useMay()("settlements:read");
  const loaded = useLoad(`partner/${id}`, (signal) => readOverview(client, id, canRead, signal));
  const list = <a href="#/partners">Partners</a>;
  return (
    <LoadResult loaded={loaded} lines={10} what="Reading the partner" signOut={signOut} above={list}>
      {(overview) => (
        <>
          <Heading above={list} title={<Clip>{overview.partner.name}</Clip>}>
            <ReadAt loaded={loaded} />
            <a class="button" href={linkTo("sales", { partnerIds: id })}>
              Sales
            </a>
            {canRead && (
              <a class="button" href={linkTo(`partners/${id}/statement`)}>
                Statement
              </a>
            )}
          </Heading>
          <DueAmounts overview={overview} loaded={loaded} />
          <CommissionsOf id={id} due={overview.due} />
          <TeamSection partner={overview.partner} />
          <PartnerFacts partner={overview.partner} done={loaded.reload} />
          <PortalAccess partner={overview.partner} />
          <Billing partner={overview.partner} />
          <PayoutAccounts partner={overview.partner} />
          <SettlementsOf partner={overview.partner} />
          <Assignments partner={overview.partner} />
          {canRead && <PartnerPolicy workspaceId={overview.partner.workspaceId} partnerId={id} />}
          <PartnerLog id={id} />
        </>
      )}
    </LoadResult>
  );
};
