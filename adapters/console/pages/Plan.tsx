/** One plan: its formula, versions and partners. */
import { useEffect, useState } from "preact/hooks";
import { type Expression, print } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Formula, Partner, Plan as Record } from "../api/Records.ts";
import { Absent } from "../api/Refusal.ts";
import { useMay, useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { pretty } from "../editor/Pretty.ts";
import { day } from "../format/Dates.ts";
import { countWords, difference } from "../format/Money.ts";
import { versionStarts } from "../format/Versions.ts";
import { Badge, Clip, Empty, Fact, Field, Heading, LoadResult, ReadAt, When } from "../parts/Basics.tsx";
import { Confirm } from "../parts/Dialog.tsx";
import { text } from "../parts/Forms.tsx";
import { Later } from "../parts/Later.tsx";
import { Pager, Table } from "../parts/Table.tsx";
import { Assign } from "../plans/Assign.tsx";
import { PartnerValues } from "../plans/PartnerValues.tsx";
import { VersionsAhead } from "../plans/VersionsAhead.tsx";
import { useSeesSchemas } from "../sales/Formats.ts";

const PER_PAGE = 50;

interface AssignmentPage {
  readonly formulas: ReadonlyArray<Formula>;
  readonly partners: ReadonlyMap<string, Partner>;
  readonly total: number;
}

type PlanEntry = Record["events"][number];

const endWords = (end: string | null): string => (end === null ? "open end" : `end ${day(end)}`);

const changeWords = ({ event }: PlanEntry): string => {
  switch (event.type) {
    case "create_commission_plan":
      return `Created as “${event.name}”, version 1`;
    case "cancel_commission_plan":
      return `Cancelled: ${event.reason}`;
    case "update_commission_plan": {
      const parts = [
        event.formula !== undefined && "new formula",
        event.withdrawn_versions !== undefined &&
          `${event.later_versions === undefined ? "withdrawn" : "stated again"}: version ${event.withdrawn_versions.join(", ")}`,
        event.name !== undefined && `name “${event.name}”`,
        event.start_datetime !== undefined && `start ${day(event.start_datetime)}`,
        event.end_datetime !== undefined && endWords(event.end_datetime),
      ].filter((part) => part !== false);
      return `Changed: ${parts.join(", ") || "description"}`;
    }
  }
};

const loadWords = () => import("../plans/PlanInWords.tsx");

/** What the plan pays: in sentences to those who see what a sale has, and as it is computed. */
const Pays = ({ plan }: { readonly plan: Record }) => (
  <section class="panel">
    <h2>What it pays</h2>
    {useSeesSchemas() && (
      <Later what="Putting the plan into words" load={loadWords}>
        {({ PlanInWords }) => <PlanInWords plan={plan} />}
      </Later>
    )}
    <h3>The formula</h3>
    <pre class="derivation formula">{print(plan.expression as unknown as Expression)}</pre>
    <details>
      <summary>The formula as JSON</summary>
      <pre class="derivation">{pretty(plan.expression)}</pre>
    </details>
  </section>
);

const Versions = ({ plan, reload }: { readonly plan: Record; readonly reload: () => void }) => (
  <section class="panel">
    <h2>Versions</h2>
    <VersionsAhead plan={plan} done={reload} />
    <ol class="timeline">
      {plan.events.toReversed().map((entry) => (
        <li key={entry.datetime + entry.event.type}>
          <span>{changeWords(entry)}</span>
          <span class="when">
            <When at={entry.datetime} exact />
            {entry.event.type === "update_commission_plan" &&
              entry.event.effective_datetime !== undefined && (
                <>
                  , for sales from <When at={entry.event.effective_datetime} />
                </>
              )}
          </span>
        </li>
      ))}
    </ol>
  </section>
);

const Unassign = ({
  plan,
  partner,
  close,
  done,
}: {
  readonly plan: Record;
  readonly partner: { readonly id: string; readonly name: string };
  readonly close: () => void;
  readonly done: () => void;
}) => (
  <Confirm
    title={`End the plan for ${partner.name}`}
    action="End the assignment"
    danger
    consequence={[
      "Sales from that moment on earn nothing under this plan. Without a day that is now.",
      "With a day in the past, sales since then become 0, and what was paid for them is taken back in the next settlement.",
    ]}
    close={close}
    run={(commands, fields) => {
      const day = text(fields, "end");
      const end = day === "" ? {} : { endDatetime: `${day}T00:00:00Z` };
      return commands.commissionPlans.unassign(plan.id, partner.id, end);
    }}
    done={done}
  >
    <Field label="Until (optional)">
      <input type="date" name="end" />
    </Field>
  </Confirm>
);

/** The latest trials of a plan on past sales. */
const Trials = ({ planId }: { readonly planId: string }) => {
  const { client } = useSession();
  const loaded = useLoad(`trials/${planId}`, (signal) =>
    client.list("planTrials", { planIds: [planId], order: "desc", perPage: 5 }, signal),
  );
  const { items } = loaded.value ?? { items: [] };
  return items.length === 0 ? null : (
    <section class="panel">
      <h2>Trials on past sales</h2>
      <ul>
        {items.map(({ id, createdAt, state, difference: change, currency }) => (
          <li key={id}>
            <a href={linkTo(`trials/${id}`)}>
              <When at={createdAt} exact />
            </a>
            : {state === "running" ? "under way" : difference(change, currency)}
          </li>
        ))}
      </ul>
    </section>
  );
};

/** A partner whose assignment is to end. */
interface Ending {
  readonly id: string;
  readonly name: string;
}

const PartnerTable = ({
  assigned: { formulas, partners },
  isStale,
  end,
}: {
  readonly assigned: AssignmentPage;
  readonly isStale: boolean;
  /** Undefined where assignments cannot be ended. */
  readonly end: ((partner: Ending) => void) | undefined;
}) => (
  <Table
    caption="Partners of the plan"
    rows={formulas}
    rowKey={({ id }) => id}
    isStale={isStale}
    columns={[
      {
        name: "Partner",
        show: ({ partnerId }) => (
          <a href={linkTo(`partners/${partnerId}`)}>
            <Clip>{partners.get(partnerId)?.name ?? "…"}</Clip>
          </a>
        ),
      },
      { name: "From", isDate: true, show: ({ startDatetime }) => <When at={startDatetime} /> },
      {
        name: "Until",
        isDate: true,
        show: ({ endDatetime }) => (endDatetime === null ? "no end" : <When at={endDatetime} />),
      },
      {
        name: "Action",
        show: ({ partnerId, endDatetime }) =>
          end !== undefined && endDatetime === null ? (
            <button
              type="button"
              class="danger-quiet"
              onClick={() =>
                end({
                  id: partnerId,
                  name: partners.get(partnerId)?.name ?? "the partner",
                })
              }
            >
              End
              <span class="visually-hidden"> the plan for {partners.get(partnerId)?.name}</span>
            </button>
          ) : (
            ""
          ),
      },
    ]}
  />
);

const readAssignments = async (
  client: Client,
  planId: string,
  page: number,
  signal: AbortSignal,
): Promise<AssignmentPage> => {
  const { items, total } = await client.list(
    "commissionFormulas",
    { planIds: [planId], page, perPage: PER_PAGE },
    signal,
  );
  return {
    formulas: items,
    total,
    partners: await client.byIds(
      "partners",
      items.map(({ partnerId }) => partnerId),
      signal,
    ),
  };
};

const Partners = ({ plan, reloadPlan }: { readonly plan: Record; readonly reloadPlan: () => void }) => {
  const { client } = useSession();
  const may = useMay();
  const [page, setPage] = useState(1);
  const [isAssigning, setAssigning] = useState(false);
  const [ending, setEnding] = useState<Ending | null>(null);
  const loaded = useLoad(
    `assigned/${plan.id}/${page}`,
    (signal) => readAssignments(client, plan.id, page, signal),
    true,
  );
  const canWrite = may("formulas:write") && plan.status === "active";
  const done = (): void => {
    loaded.reload();
    reloadPlan();
  };
  return (
    <section class="panel">
      <div class="heading">
        <h2>Partners</h2>
        {canWrite && (
          <button type="button" class="primary" onClick={() => setAssigning(true)}>
            Assign partners
          </button>
        )}
      </div>
      <LoadResult loaded={loaded} lines={6}>
        {(assigned) =>
          assigned.total === 0 ? (
            <Empty title="Nobody earns under this plan">Assign the first partners.</Empty>
          ) : (
            <>
              <PartnerTable
                assigned={assigned}
                isStale={loaded.isLoading}
                end={canWrite ? setEnding : undefined}
              />
              <PartnerValues
                plan={plan}
                formulas={assigned.formulas}
                partners={assigned.partners}
                mayWrite={canWrite}
                done={done}
              />
              {assigned.total > PER_PAGE && (
                <Pager
                  page={page}
                  perPage={PER_PAGE}
                  total={assigned.total}
                  go={setPage}
                  isLoading={loaded.isLoading}
                />
              )}
            </>
          )
        }
      </LoadResult>
      {isAssigning && <Assign plan={plan} close={() => setAssigning(false)} done={done} />}
      {ending !== null && <Unassign plan={plan} partner={ending} close={() => setEnding(null)} done={done} />}
    </section>
  );
};

/** The number of the version that pays for sales of today, and since when it does. */
const InForce = ({ plan }: { readonly plan: Record }) => {
  const index = plan.versions.findLastIndex(({ status }) => status === "reached");
  const since = versionStarts(plan)[index] ?? plan.startDatetime;
  const hasBegun = Date.parse(since) <= Date.now();
  return (
    <Fact name={hasBegun ? "In force since" : "In force from"}>
      <When at={since} />, version{"\u00a0"}
      {index + 1}
    </Fact>
  );
};

/** The progress of a change of the plan; reads again every two seconds until every formula has the change. */
const RollingOut = ({ plan, loaded }: { readonly plan: Record; readonly loaded: Loaded<Record> }) => {
  const { pending, done } = plan.rollingOut;
  const { reload } = loaded;
  useEffect(() => {
    if (pending === 0) return;
    const timer = setInterval(reload, 2_000);
    return () => clearInterval(timer);
  }, [pending, reload]);
  return pending === 0 ? null : (
    <div class="notice" role="status">
      <strong>A change is being applied to the partners</strong>
      <p>
        <progress max={pending + done} value={done} aria-label="Partners updated" /> {done} of{" "}
        {pending + done}
      </p>
    </div>
  );
};

const PlanTrials = ({ plan }: { readonly plan: Record }) => {
  const may = useMay();
  return may("commissions:read") ? <Trials planId={plan.id} /> : null;
};

export const Plan = ({ id }: { readonly id: string }) => {
  const { client, signOut } = useSession();
  const loaded = useLoad(`plan/${id}`, async (signal) => {
    const plan = (await client.byIds("commissionPlans", [id], signal)).get(id);
    if (plan === undefined) throw new Absent("This plan does not exist, or you have no access to it.");
    return plan;
  });
  const list = <a href="#/plans">Plans</a>;
  return (
    <LoadResult loaded={loaded} what="Reading the plan" signOut={signOut} above={list}>
      {(plan) => (
        <>
          <Heading
            above={list}
            title={
              <>
                <Clip>{plan.name}</Clip>{" "}
                <Badge family={plan.status === "active" ? "done" : "stopped"}>
                  {plan.status === "active" ? "Active" : "Cancelled"}
                </Badge>
              </>
            }
          >
            <ReadAt loaded={loaded} />
            <a class="button" href={linkTo("builder", { plan: plan.id })}>
              Open in the plan builder
            </a>
          </Heading>
          <RollingOut plan={plan} loaded={loaded} />
          <section class="panel lead">
            {plan.description !== null && <p class="next">{plan.description}</p>}
            <dl class="facts">
              <Fact name="Applies from">
                <When at={plan.startDatetime} />
              </Fact>
              <Fact name="Until">
                {plan.endDatetime === null ? "no end" : <When at={plan.endDatetime} />}
              </Fact>
              {plan.status === "active" && plan.versions.length > 1 && <InForce plan={plan} />}
              <Fact name="Currency">{plan.currency}</Fact>
              <Fact name="Earned by">
                {plan.roles.map((role) => `the ${role.replaceAll("_", " ")}`).join(", ")}
              </Fact>
              {plan.release === "on_receipt" && <Fact name="Payable">As the buyer pays</Fact>}
              <Fact name="Partners">{countWords(plan.partnerCount, "partner")}</Fact>
            </dl>
          </section>
          <div class="columns">
            <Partners plan={plan} reloadPlan={loaded.reload} />
            <div>
              <Pays plan={plan} />
              <Versions plan={plan} reload={loaded.reload} />
              <PlanTrials plan={plan} />
            </div>
          </div>
        </>
      )}
    </LoadResult>
  );
};
