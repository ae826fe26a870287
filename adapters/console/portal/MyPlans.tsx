/** The plans of the partner that is signed in: what every sale earns, how far the partner has come, and the acceptance. */
import type { PlanTerms } from "quittance/client";
import { explanationOf, type Progress, progressOf, wordsIn, writer } from "quittance/explanation";
import type { Trace } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Attribution } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { decimalsOf } from "../format/Money.ts";
import { Clip, Empty, Field, Heading, LoadResult, ReadAt, SoldOn, When } from "../parts/Basics.tsx";
import { DownloadButton } from "../parts/Download.tsx";
import { ActionButton, text } from "../parts/Forms.tsx";
import { type MyPlan, readMyTerms } from "./MyTerms.ts";

/** How far the partner has come, after its newest sale under a plan. */
interface Reached {
  readonly progress: Progress;
  readonly sale: Attribution;
}

interface ReachedPlan extends MyPlan {
  readonly reached: Reached | null;
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

const readMyPlans = async (client: Client, signal: AbortSignal): Promise<ReadonlyArray<ReachedPlan>> => {
  const { items } = await client.list("partners", { perPage: 100 }, signal);
  const plans = await readMyTerms(client, items, signal);
  return Promise.all(
    plans.map(async (plan) => ({ ...plan, reached: await readReached(client, plan.terms, signal) })),
  );
};

const ReachedPanel = ({ reached, terms }: { readonly reached: Reached; readonly terms: PlanTerms }) => {
  const { position, limit, missing, rate } = reached.progress;
  const write = writer(wordsIn(terms.language), {
    currency: terms.currency,
    decimals: decimalsOf(terms.currency),
  });
  return (
    <section class="panel" aria-label="Where I am">
      <h2>Where I am</h2>
      <dl class="facts">
        {rate !== null && (
          <>
            <dt>My rate</dt>
            <dd>{write(rate)}</dd>
          </>
        )}
        <dt>Reached</dt>
        <dd>{limit === null ? write(position) : `${write(position)} of ${write(limit)}`}</dd>
        <dt>Missing to the next step</dt>
        <dd>{missing === null ? "Nothing: this is the last step" : write(missing)}</dd>
      </dl>
      <p class="note">
        After the sale of <SoldOn sale={reached.sale} />, counted as the plan says.
      </p>
    </section>
  );
};

const AcceptancePanel = ({ terms, done }: { readonly terms: PlanTerms; readonly done: () => void }) => {
  const may = useMay();
  const { acceptance } = terms;
  if (acceptance !== null)
    return (
      <p class="accepted">
        Accepted by <strong>{acceptance.name}</strong> on <When at={acceptance.createdAt} />
        {acceptance.onBehalf && `. We recorded it from ${acceptance.reference ?? "your signature"}`}.
      </p>
    );
  if (!may("settlements:write"))
    return <p class="note">These terms are not accepted yet. Your key may only read.</p>;
  return (
    <div class="notice wait">
      <strong>Please accept these terms</strong>
      <p>Read them below. Until you accept, what you earn under them may wait.</p>
      <ActionButton
        words="I accept"
        title="Accept the terms"
        isMain
        consequence={[
          "You accept the terms as this page shows them; we store your name, the date and the fingerprint of the terms.",
          "This cannot be taken back. If the terms change, you are asked again.",
        ]}
        run={(commands, fields) =>
          commands.commissionPlans.accept(terms.planId, {
            partnerId: terms.partnerId,
            hash: terms.hash,
            name: text(fields, "name"),
            language: terms.language,
            at: terms.fromDatetime,
          })
        }
        done={done}
      >
        <Field label="Your name">
          <input name="name" required maxLength={255} autocomplete="name" />
        </Field>
      </ActionButton>
    </div>
  );
};

const Plan = ({ plan, reload }: { readonly plan: ReachedPlan; readonly reload: () => void }) => {
  const { terms, partner, reached } = plan;
  return (
    <article class="my-plan" aria-label={terms.name}>
      <h2 class="plan-name">
        <Clip>{terms.name}</Clip>
      </h2>
      <p class="note">
        For <Clip>{partner.name}</Clip>, from <When at={terms.fromDatetime} />
        {terms.endDatetime !== null && (
          <>
            {" "}
            until before <When at={terms.endDatetime} />
          </>
        )}
      </p>
      <AcceptancePanel terms={terms} done={reload} />
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
          Download as PDF
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
          <Heading title="My plan">
            <ReadAt loaded={loaded} />
          </Heading>
          {plans.length === 0 ? (
            <Empty title="You have no plan at the moment">
              What you earn is agreed with you directly. <a href="#/commissions">Your commissions</a> show how
              each amount was computed.
            </Empty>
          ) : (
            plans.map((plan) => (
              <Plan key={`${plan.terms.planId} ${plan.partner.id}`} plan={plan} reload={loaded.reload} />
            ))
          )}
        </>
      )}
    </LoadResult>
  );
};
