/** The explanation of an amount: the sentences, each step, and what happened. */

import type { Trace } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Attribution, Commission, Explanation, Formula } from "../api/Records.ts";
import { Absent } from "../api/Refusal.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { money } from "../format/Money.ts";
import { restateAmounts } from "../format/Sentences.ts";
import { versionStarts } from "../format/Versions.ts";
import { declaredFormats, type Formats, recordedFormats, useSeesSchemas } from "../sales/Formats.ts";
import { PropertyFacts } from "../sales/PropertyFacts.tsx";
import { isEnglish, sentenceOf, t, translated } from "../words/Language.ts";
import { useWords } from "../words/Reader.ts";
import { Amount, Fact, LoadResult, propertyWords, SoldOn, When } from "./Basics.tsx";
import { Timeline } from "./Timeline.tsx";

interface Reasons {
  readonly commission: Commission;
  readonly attribution: Attribution | undefined;
  readonly formula: Formula | undefined;
  readonly explanation: Explanation;
  /** The explanation in sentences, where the server has it. */
  readonly sentences: string | null;
  /** What is known of the properties of the sale. */
  readonly formats: Formats;
}

const readReasons = async (
  client: Client,
  id: string,
  seesSchemas: boolean,
  signal: AbortSignal,
): Promise<Reasons> => {
  const [{ items }, explanation, sentences] = await Promise.all([
    client.list("commissions", { ids: [id] }, signal),
    client.remote.commissions.explain(id, { signal }),
    client.sentences(id, signal),
  ]);
  const commission = items[0];
  if (commission === undefined)
    throw new Absent(t("The commission is not there, or you have no access to it."));
  const [attributions, formulas] = await Promise.all([
    client
      .byIds("attributions", [commission.attributionId], signal)
      .catch(() => new Map<string, Attribution>()),
    client
      .byIds("commissionFormulas", [commission.commissionFormulaId], signal)
      .catch(() => new Map<string, Formula>()),
  ]);
  const attribution = attributions.get(commission.attributionId);
  const schemaIds = seesSchemas && attribution !== undefined ? [attribution.schemaId] : [];
  const schemas = await client.byIds("attributionSchemas", schemaIds, signal);
  return {
    ...{ commission, attribution },
    formula: formulas.get(commission.commissionFormulaId),
    explanation,
    sentences,
    formats: seesSchemas ? declaredFormats(schemas.get(schemaIds[0] ?? "")) : recordedFormats(explanation),
  };
};

/** The rule that decides the amount, in a sentence. */
const basisWords = ({ explanation, attribution, commission }: Reasons): string => {
  switch (explanation.basis) {
    case "evaluated":
      return explanation.amount === null
        ? t("There is no amount yet.")
        : t("The sale earns {amount} under the formula.", {
            amount: money(explanation.amount, commission.currency),
          });
    case "attribution_cancelled":
      return attribution?.cancelReason
        ? t("The sale was cancelled ({reason}), so it earns nothing.", { reason: attribution.cancelReason })
        : t("The sale was cancelled, so it earns nothing.");
    case "formula_cancelled":
      return t("The formula was cancelled as a mistake, so it pays nothing.");
    case "outside_window":
      return t("The sale lies outside the time in which the formula applies, so it earns nothing.");
    case "failed":
      return t("There is no amount: {reason}.", {
        reason: (isEnglish() && commission.computationError?.message) || t("the computation failed"),
      });
  }
};

const Sale = ({
  attribution,
  formats,
  currency,
}: {
  readonly attribution: Attribution;
  readonly formats: Formats;
  readonly currency: string;
}) => (
  <>
    <h3>{t("The sale")}</h3>
    <dl class="facts">
      <Fact name={t("Date")}>
        <SoldOn sale={attribution} />
      </Fact>
      {attribution.externalReference !== undefined && (
        <Fact name={t("Reference")}>{attribution.externalReference}</Fact>
      )}
      <PropertyFacts sale={attribution} {...{ formats, currency }} />
    </dl>
    <p>
      <a href={linkTo(`sales/${attribution.id}`)}>{t("Everything about this sale")}</a>
    </p>
  </>
);

/** The evaluated nodes of the formula, as they were recorded. */
const StepTable = ({ trace }: { readonly trace: Trace }) => (
  <table>
    <thead>
      <tr>
        <th>{t("Node")}</th>
        <th>{t("Value")}</th>
      </tr>
    </thead>
    <tbody>
      {trace.map(({ path, type, value, detail }) => (
        <tr key={`${path} ${type}`}>
          <td>
            {type.replaceAll("_", " ")}
            {"name" in detail && ` ${detail.name}`}
          </td>
          <td>{value === null ? "–" : typeof value === "boolean" ? propertyWords(value) : String(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const ReasonsContent = ({ reasons }: { readonly reasons: Reasons }) => {
  const { commission, attribution, formula, explanation, sentences, formats } = reasons;
  const { currency } = commission;
  const { waitsForBuyer } = useWords();
  const version = explanation.formulaVersion ?? 1;
  const since = formula === undefined ? undefined : versionStarts(formula)[version - 1];
  return (
    <>
      <p class="big">
        <Amount amount={explanation.amount ?? 0} currency={currency} strong />
      </p>
      <p class="sentence">{sentences === null ? basisWords(reasons) : restateAmounts(sentences, currency)}</p>
      {explanation.trace !== null && (
        <details open={sentences === null}>
          <summary>{t("Every step, in the smallest unit of {currency}", { currency })}</summary>
          <StepTable trace={explanation.trace as unknown as Trace} />
        </details>
      )}
      <dl class="facts">
        <Fact name={t("Settled")}>
          <Amount amount={commission.settledAmount} currency={currency} />
        </Fact>
        <Fact name={t("In a settlement")}>
          <Amount amount={commission.pendingAmount} currency={currency} />
        </Fact>
        <Fact name={t("Due")}>
          <Amount amount={commission.dueAmount} currency={currency} />
        </Fact>
        {commission.waitingAmount !== undefined && (
          <Fact name={translated(waitsForBuyer)}>
            <Amount amount={commission.waitingAmount} currency={currency} />
          </Fact>
        )}
        {formula !== undefined && (
          <Fact name={formula.planId === undefined ? t("Formula") : t("Plan")}>
            {since === undefined
              ? t("{name}, version {version}", { name: formula.name, version })
              : sentenceOf("{name}, version {version}, in force since {day}", {
                  ...{ name: formula.name, version, day: <When at={since} /> },
                })}
          </Fact>
        )}
      </dl>
      <p class="note">{t("Amounts are net of tax.")}</p>
      {attribution !== undefined && <Sale {...{ attribution, formats, currency }} />}
      <h3>{t("What happened")}</h3>
      <Timeline events={commission.events} currency={currency} />
    </>
  );
};

/** The explanation of a commission. */
export const ReasonsOf = ({ commissionId }: { readonly commissionId: string }) => {
  const { client } = useSession();
  const seesSchemas = useSeesSchemas();
  const loaded = useLoad(commissionId, (signal) => readReasons(client, commissionId, seesSchemas, signal));
  return (
    <LoadResult loaded={loaded} what="Reading the explanation">
      {(reasons) => <ReasonsContent reasons={reasons} />}
    </LoadResult>
  );
};
