/** The plans of the partner that is signed in: what every sale earns, how far the partner has come, and the acceptance. */

import { useEffect, useRef } from "preact/hooks";
import { ForbiddenError, type PlanTerms } from "quittance/client";
import { explanationOf, type Progress, progressOf, wordsIn, writer } from "quittance/explanation";
import type { Trace } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Attribution } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { calendarDay } from "../format/Dates.ts";
import { decimalsOf } from "../format/Money.ts";
import {
  Clip,
  Empty,
  Fact,
  Field,
  Heading,
  Id,
  LoadResult,
  ReadAt,
  SoldOn,
  type Submit,
  When,
} from "../parts/Basics.tsx";
import { Outcome, Unanswered, useCommand } from "../parts/Command.tsx";
import { DownloadButton } from "../parts/Download.tsx";
import { text } from "../parts/Forms.tsx";
import { sentenceOf, t } from "../words/Language.ts";
import { isAmbiguous, type MyPlan, readMyTerms } from "./MyTerms.ts";

/** How far the partner has come, after its newest sale under a plan. */
interface Reached {
  readonly progress: Progress;
  readonly sale: Attribution;
}

interface ReachedPlan extends MyPlan {
  readonly reached: Reached | null;
  /** True if what the partner earns under terms that it has not accepted waits. */
  readonly isAwaited: boolean;
}

const readReached = async (
  client: Client,
  { formulaId, currency }: PlanTerms,
  signal: AbortSignal,
): Promise<Reached | null> => {
  const query = { formulaIds: [formulaId], order: "desc", perPage: 1 };
  const [newest] = (await client.list("commissions", query, signal)).items;
  if (newest === undefined) return null;
  const [explained, [sale]] = await Promise.all([
    client.remote.commissions.explain(newest.id, { signal }),
    client.list("attributions", { ids: [newest.attributionId] }, signal).then(({ items }) => items),
  ]);
  if (!("trace" in explained) || explained.trace === null || sale === undefined) return null;
  const explanation = explanationOf(explained.trace as unknown as Trace, decimalsOf(currency));
  const progress = explanation === null ? null : progressOf(explanation);
  return progress === null ? null : { progress, sale };
};

/** True if runs leave out what the partner earns under terms that it has not accepted; false where the key may not read that. */
const isAcceptanceAwaited = async (
  client: Client,
  { partner }: MyPlan,
  signal: AbortSignal,
): Promise<boolean> => {
  try {
    return (await client.remote.partners.settlementSchedule(partner.id, { signal })).requireAcceptance;
  } catch (problem) {
    if (problem instanceof ForbiddenError) return false;
    throw problem;
  }
};

const readMyPlans = async (client: Client, signal: AbortSignal): Promise<ReadonlyArray<ReachedPlan>> => {
  const { items } = await client.list("partners", { perPage: 100 }, signal);
  const plans = await readMyTerms(client, items, signal);
  return Promise.all(
    plans.map(async (plan) => ({
      ...plan,
      reached: await readReached(client, plan.terms, signal),
      isAwaited: plan.terms.acceptance === null && (await isAcceptanceAwaited(client, plan, signal)),
    })),
  );
};

const ReachedPanel = ({ reached, terms }: { readonly reached: Reached; readonly terms: PlanTerms }) => {
  const { position, limit, missing, rate, days } = reached.progress;
  const write = writer(wordsIn(terms.language), {
    currency: terms.currency,
    decimals: decimalsOf(terms.currency),
  });
  return (
    <section class="panel" aria-label={t("Where I am")}>
      <h2>{t("Where I am")}</h2>
      <dl class="facts">
        {rate !== null && <Fact name={t("My rate")}>{write(rate)}</Fact>}
        <Fact name={t("Reached")}>
          {limit === null
            ? write(position)
            : t("{position} of {limit}", { position: write(position), limit: write(limit) })}
        </Fact>
        <Fact name={t("Missing to the next step")}>
          <strong>{missing === null ? t("Nothing: this is the last step") : write(missing)}</strong>
        </Fact>
      </dl>
      <p class="note">
        {days === null
          ? sentenceOf("At your sale of {day}, counted as the plan says.", {
              day: <SoldOn sale={reached.sale} />,
            })
          : sentenceOf("At your sale of {day}, counted as the plan says, from {from} to {to}.", {
              day: <SoldOn sale={reached.sale} />,
              ...{ from: calendarDay(days[0]), to: calendarDay(days[1]) },
            })}
      </p>
    </section>
  );
};

/** The form that accepts the terms above it: no dialog, because the terms are what there is to read. */
const AcceptanceForm = ({
  plan: { terms, isAwaited },
  done,
}: {
  readonly plan: ReachedPlan;
  readonly done: () => void;
}) => {
  const { progress, start, ask } = useCommand<unknown>();
  const latest = useRef(done);
  latest.current = done;
  const isDone = progress.type === "done";
  useEffect(() => {
    if (isDone) latest.current();
  }, [isDone]);
  const submit: Submit = (event) => {
    event.preventDefault();
    const name = text(new FormData(event.currentTarget), "name");
    const { planId, partnerId, hash, language, fromDatetime: at } = terms;
    start((commands) => commands.commissionPlans.accept(planId, { partnerId, hash, name, language, at }));
  };
  return (
    <form class="notice wait" onSubmit={submit}>
      <strong>{t("Please accept these terms")}</strong>
      <p>
        {isAwaited && `${t("Until you accept them, what you earn under them waits.")} `}
        {t(
          "We store your name, the date, and which terms these are. This cannot be taken back; if the terms change, you are asked again.",
        )}
      </p>
      <Outcome progress={progress} />
      <Field label="Your name">
        <input name="name" required maxLength={255} autocomplete="name" />
      </Field>
      {progress.type === "unknown" ? (
        <Unanswered progress={progress} ask={ask} close={done} finish={done} />
      ) : (
        <button type="submit" class="primary" aria-disabled={progress.type === "sending"}>
          {progress.type === "sending" ? t("Working…") : t("I accept")}
        </button>
      )}
    </form>
  );
};

const AcceptancePanel = ({ plan, done }: { readonly plan: ReachedPlan; readonly done: () => void }) => {
  const may = useMay();
  const { acceptance } = plan.terms;
  if (acceptance !== null)
    return (
      <p class="accepted">
        {sentenceOf("Accepted by {name} on {day}.", {
          name: <strong>{acceptance.name}</strong>,
          day: <When at={acceptance.createdAt} />,
        })}
        {acceptance.onBehalf &&
          ` ${t("We recorded it from {reference}.", { reference: acceptance.reference ?? t("your signature") })}`}
      </p>
    );
  return may("settlements:write") ? (
    <AcceptanceForm plan={plan} done={done} />
  ) : (
    <p class="note">{t("These terms are not accepted yet. Your key may only read.")}</p>
  );
};

const Plan = ({
  plan,
  plans,
  reload,
}: {
  readonly plan: ReachedPlan;
  readonly plans: ReadonlyArray<ReachedPlan>;
  readonly reload: () => void;
}) => {
  const { terms, partner, reached } = plan;
  const name = <Clip>{partner.name}</Clip>;
  return (
    <article class="my-plan" aria-label={terms.name}>
      <h2 class="plan-name">
        <Clip>{terms.name}</Clip>
        {isAmbiguous(plan, plans) && <Id id={terms.planId} />}
      </h2>
      <p class="note">
        {terms.endDatetime === null
          ? sentenceOf("For {name}, from {from}", {
              ...{ name, from: <When at={terms.fromDatetime} /> },
            })
          : sentenceOf("For {name}, from {from} until before {end}", {
              ...{ name, from: <When at={terms.fromDatetime} /> },
              end: <When at={terms.endDatetime} />,
            })}
      </p>
      {terms.acceptance === null ? (
        <p class="note">{t("Read these terms; below them you accept them.")}</p>
      ) : (
        <AcceptancePanel plan={plan} done={reload} />
      )}
      {reached !== null && <ReachedPanel reached={reached} terms={terms} />}
      <section class="panel" lang={terms.language}>
        <h2>{terms.title}</h2>
        {terms.paragraphs.map(({ text: sentence, items }) => (
          <div key={sentence} class="rule">
            <p>{sentence}</p>
            {items.length > 0 && (
              <ul>
                {items.map((item) => (
                  <li key={item}>{item}</li>
                ))}
              </ul>
            )}
          </div>
        ))}
      </section>
      {terms.acceptance === null && <AcceptancePanel plan={plan} done={reload} />}
      <div class="row">
        <DownloadButton
          load={(remote) =>
            remote.commissionPlans.terms(
              terms.planId,
              { partnerId: terms.partnerId },
              { accept: "application/pdf" },
            )
          }
        >
          {t("Download as PDF")}
        </DownloadButton>
      </div>
    </article>
  );
};

export const MyPlans = () => {
  const { client, signOut } = useSession();
  const loaded = useLoad("my plans", (signal) => readMyPlans(client, signal));
  return (
    <LoadResult loaded={loaded} lines={8} what="Reading your plan" signOut={signOut}>
      {(plans) => (
        <>
          <Heading title={t("My plan")}>
            <ReadAt loaded={loaded} />
          </Heading>
          {plans.length === 0 ? (
            <Empty title="You have no plan at the moment">
              {sentenceOf(
                "What you earn is agreed with you directly. {commissions} show how each amount was computed.",
                {
                  commissions: <a href="#/commissions">{t("Your commissions")}</a>,
                },
              )}
            </Empty>
          ) : (
            plans.map((plan) => (
              <Plan
                key={`${plan.terms.planId} ${plan.partner.id}`}
                plan={plan}
                plans={plans}
                reload={loaded.reload}
              />
            ))
          )}
        </>
      )}
    </LoadResult>
  );
};
