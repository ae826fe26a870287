/** What an empty installation needs until it has a first commission: each step with what exists, and the form for what does not. */
import { useEffect, useState } from "preact/hooks";
import { told } from "../api/BrowserSession.ts";
import type { Client } from "../api/Client.ts";
import type { Partner, Plan, Principal, Schema, Scope } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { Company } from "../company/CompanyForm.tsx";
import { readHasProfile, seesProfile } from "../company/Profile.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { AddPartner } from "../partners/PartnerForm.tsx";
import { Badge, LoadResult } from "../parts/Basics.tsx";
import { Assign } from "../plans/Assign.tsx";
import { RecordSale } from "../sales/RecordSale.tsx";
import { ExampleCompany } from "./ExampleCompany.tsx";
import { Properties, WorkspaceName } from "./StepForms.tsx";

/** True if the console may open the example company. */
const IS_OFFERED = told("example") === "offered";

/** What exists. */
interface Found {
  /** Null for a key that may not know. */
  readonly hasProfile: boolean | null;
  readonly schema: Schema | null;
  readonly isNamed: boolean;
  readonly plan: Plan | null;
  readonly partner: Partner | null;
  /** True if there is no other plan and no other partner to choose from. */
  readonly areSingle: boolean;
  readonly isAssigned: boolean;
  readonly hasSale: boolean;
}

const readFound = async (
  client: Client,
  principal: Principal,
  may: (scope: Scope) => boolean,
  signal: AbortSignal,
): Promise<Found> => {
  const first = async <Item,>(scope: Scope, read: () => Promise<{ readonly items: ReadonlyArray<Item> }>) =>
    may(scope) ? ((await read()).items[0] ?? null) : null;
  const firstOfAll = async <Item,>(
    scope: Scope,
    read: () => Promise<{ readonly items: ReadonlyArray<Item>; readonly total: number }>,
  ) => {
    const { items, total } = may(scope) ? await read() : { items: [], total: 0 };
    return { item: items[0] ?? null, isSingle: total === 1 };
  };
  const one = { perPage: 1 };
  const { remote } = client;
  const [hasProfile, schema, plan, partner, formula, sale] = await Promise.all([
    seesProfile(principal) ? readHasProfile(client, principal, signal) : null,
    first("schemas:read", () => client.list("attributionSchemas", one, signal)),
    firstOfAll("formulas:read", () => client.list("commissionPlans", one, signal)),
    firstOfAll("partners:read", () => client.list("partners", one, signal)),
    first("formulas:read", () => client.list("commissionFormulas", one, signal)),
    first("attributions:read", () => client.list("attributions", one, signal)),
  ]);
  return {
    ...{ hasProfile, schema, isAssigned: formula !== null, hasSale: sale !== null },
    isNamed:
      schema !== null && (await remote.workspaces.read(schema.workspaceId, { signal })).updatedAt !== null,
    plan: plan.item,
    partner: partner.item,
    areSingle: plan.isSingle && partner.isSingle,
  };
};

type Form = "company" | "properties" | "workspace" | "partner" | "assignment" | "sale";

interface Step {
  readonly words: string;
  readonly why: string;
  readonly isDone: boolean;
  /** The form of the step or its page. */
  readonly next: { readonly form: Form } | { readonly link: string };
  /** The steps that are done before it. */
  readonly after?: ReadonlyArray<string>;
  readonly action: string;
  /** Another way to do it. */
  readonly also?: { readonly link: string; readonly words: string };
}

const companyStep = (isDone: boolean): Step => ({
  words: "Your company",
  why: "Name, address and VAT number, as documents show them.",
  isDone,
  next: { form: "company" },
  action: "Enter your company",
});

const [SALE, PLAN, PARTNER] = ["What a sale has", "A plan", "A partner"];

const stepsOf = ({
  hasProfile,
  schema,
  isNamed,
  plan,
  partner,
  areSingle,
  isAssigned,
  hasSale,
}: Found): ReadonlyArray<Step> => [
  ...(hasProfile === null ? [] : [companyStep(hasProfile)]),
  {
    words: SALE,
    why: "The properties that plans read, such as the value of the order.",
    isDone: schema !== null,
    next: { form: "properties" },
    action: "Name the properties",
  },
  {
    words: "Name and time zone of the workspace",
    why: "The zone decides on which day a sale counts.",
    isDone: isNamed,
    next: { form: "workspace" },
    after: [SALE],
    action: "Choose name and zone",
  },
  {
    words: PLAN,
    why: "What partners earn of a sale.",
    isDone: plan !== null,
    next: { link: "#/builder" },
    after: [SALE],
    action: "Build a plan",
  },
  {
    words: PARTNER,
    why: "Who earns: by a form, or many from a file.",
    isDone: partner !== null,
    next: { form: "partner" },
    action: "Add a partner",
    also: { link: "#/partners/import", words: "Import a file" },
  },
  {
    words: "The plan of the partner",
    why: "A partner earns once a plan is assigned to it.",
    isDone: isAssigned,
    next: areSingle ? { form: "assignment" } : { link: linkTo(`partners/${partner?.id ?? ""}`) },
    after: [PLAN, PARTNER],
    action: "Assign the plan",
  },
  {
    words: "The first sale",
    why: "By a form, from a file, or by the request that your shop will send.",
    isDone: hasSale,
    next: { form: "sale" },
    after: [SALE, PARTNER],
    action: "Record a sale",
    also: { link: "#/sales/import", words: "Import a file" },
  },
];

/** The names of the steps that have to be done before a step. */
const missingFor = ({ after = [] }: Step, steps: ReadonlyArray<Step>): ReadonlyArray<string> =>
  steps.filter(({ words, isDone }) => !isDone && after.includes(words)).map(({ words }) => words);

/** What the reader does for a step: its form or page, or what comes before it; nothing once it is done. */
const NextAction = ({
  step: { isDone, next, action },
  missing,
  open,
}: {
  readonly step: Step;
  readonly missing: ReadonlyArray<string>;
  readonly open: (form: Form) => void;
}) => {
  if (isDone) return null;
  if (missing.length > 0) return <span class="note">After: {missing.join(", ")}</span>;
  return "link" in next ? (
    <a class="button" href={next.link}>
      {action}
    </a>
  ) : (
    <button type="button" onClick={() => open(next.form)}>
      {action}
    </button>
  );
};

const Steps = ({ found: read, reload }: { readonly found: Found; readonly reload: () => void }) => {
  const [form, setForm] = useState<Form | null>(null);
  const [isProfileWritten, setProfileWritten] = useState(false);
  /** What existed before the form of a step was sent; null once the next step is open. */
  const [before, setBefore] = useState<Found | null>(null);
  // The events are in the feed a moment after they are stored.
  const found = isProfileWritten ? { ...read, hasProfile: true } : read;
  const { schema, plan, partner, areSingle } = found;
  const steps = stepsOf(found);
  const done = (): void => {
    setBefore(read);
    reload();
  };
  const props = { close: () => setForm(null), done };
  useEffect(() => {
    if (before === null || before === read) return;
    setBefore(null);
    // The form of the step after the one that is done now follows by itself. A step on another page is begun by the reader.
    const earlier = stepsOf(before);
    const last = steps.findLastIndex(({ isDone }, index) => isDone && earlier[index]?.isDone === false);
    const next = steps.slice(last + 1).find(({ isDone }) => !isDone);
    if (next !== undefined && missingFor(next, steps).length === 0 && "form" in next.next)
      setForm(next.next.form);
  }, [before, read]);
  return (
    <section class="panel">
      <h2>First steps</h2>
      <ol class="tasks steps">
        {steps.map((step) => {
          const { words, why, isDone, also } = step;
          const missing = missingFor(step, steps);
          const isNext = !isDone && missing.length === 0;
          return (
            <li key={words}>
              <Badge family={isDone ? "done" : isNext ? "open" : "stopped"}>
                {isDone ? "Done" : isNext ? "To do" : "Later"}
              </Badge>
              <span>
                <strong>{words}</strong>
                <span class="under">
                  {why}
                  {isNext && also !== undefined && (
                    <>
                      {" "}
                      <a href={also.link}>{also.words}</a>
                    </>
                  )}
                </span>
              </span>
              <NextAction step={step} missing={missing} open={setForm} />
            </li>
          );
        })}
      </ol>
      {!IS_OFFERED && (
        <p class="note">
          To look around first: <code>quittance serve --demo</code> starts with an example company.
        </p>
      )}
      {form === "company" && (
        <Company
          close={props.close}
          done={() => {
            setProfileWritten(true);
            done();
          }}
        />
      )}
      {form === "properties" && <Properties {...props} />}
      {form === "workspace" && schema !== null && <WorkspaceName id={schema.workspaceId} {...props} />}
      {form === "partner" && <AddPartner {...props} />}
      {form === "assignment" && plan !== null && partner !== null && (
        <Assign plan={plan} partner={partner} {...props} />
      )}
      {form === "sale" && schema !== null && (
        <RecordSale
          title="The first sale"
          schemas={[schema]}
          partner={areSingle ? partner : null}
          close={props.close}
        />
      )}
    </section>
  );
};

export const FirstRun = () => {
  const { client, principal } = useSession();
  const may = useMay();
  const isAdministrator = may("keys:admin") && principal.workspaceIds === "*" && principal.partnerIds === "*";
  const loaded = useLoad("first-run", (signal) => readFound(client, principal, may, signal), true);
  return (
    <>
      <LoadResult loaded={loaded} lines={7} what="Reading what exists">
        {(found) => <Steps found={found} reload={loaded.reload} />}
      </LoadResult>
      {isAdministrator && IS_OFFERED && <ExampleCompany />}
    </>
  );
};
