/** The panel that explains an amount. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Trace } from "quittance/formula";
import type { Client } from "../api/Client.ts";
import type { Attribution, Commission, Explanation, Formula } from "../api/Records.ts";
import { Absent } from "../api/Refusal.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { difference, money } from "../format/Money.ts";
import { versionStarts } from "../format/Versions.ts";
import { useWords } from "../words/Reader.ts";
import { Amount, Fact, LoadResult, propertyWords, SoldOn, When } from "./Basics.tsx";
import { Dialog } from "./Dialog.tsx";
import { Timeline } from "./Timeline.tsx";

/** Opens the panel for a commission. */
export const WhyContext = createContext<(commissionId: string) => void>(() => {});

/** An amount that opens its explanation. */
export const WhyAmount = ({
  commissionId,
  amount,
  currency,
  isDifference = false,
}: {
  readonly commissionId: string;
  readonly amount: number | bigint;
  readonly currency: string;
  /** True if the sign is always shown. */
  readonly isDifference?: boolean;
}) => {
  const open = useContext(WhyContext);
  return (
    <button type="button" class="why" onClick={() => open(commissionId)}>
      {isDifference ? (
        <span class="amount">{difference(amount, currency)}</span>
      ) : (
        <Amount amount={amount} currency={currency} />
      )}
      <span class="visually-hidden"> why?</span>
    </button>
  );
};

interface Reasons {
  readonly commission: Commission;
  readonly attribution: Attribution | undefined;
  readonly formula: Formula | undefined;
  readonly explanation: Explanation;
  /** The explanation in sentences, where the server has it. */
  readonly sentences: string | null;
}

const readReasons = async (client: Client, id: string, signal: AbortSignal): Promise<Reasons> => {
  const [{ items }, explanation, sentences] = await Promise.all([
    client.list("commissions", { ids: [id] }, signal),
    client.remote.commissions.explain(id, { signal }),
    client.sentences(id, signal),
  ]);
  const commission = items[0];
  if (commission === undefined) throw new Absent("The commission is not there, or you may not see it.");
  const [attributions, formulas] = await Promise.all([
    client
      .byIds("attributions", [commission.attributionId], signal)
      .catch(() => new Map<string, Attribution>()),
    client
      .byIds("commissionFormulas", [commission.commissionFormulaId], signal)
      .catch(() => new Map<string, Formula>()),
  ]);
  return {
    commission,
    attribution: attributions.get(commission.attributionId),
    formula: formulas.get(commission.commissionFormulaId),
    explanation,
    sentences,
  };
};

/** The rule that decides the amount, in a sentence. */
const basisWords = ({ explanation, attribution, commission }: Reasons): string => {
  switch (explanation.basis) {
    case "evaluated":
      return explanation.amount === null
        ? "There is no amount yet."
        : `The sale earns ${money(explanation.amount, commission.currency)} under the formula.`;
    case "attribution_cancelled":
      return `The sale was cancelled${attribution?.cancelReason ? ` (${attribution.cancelReason})` : ""}, so it earns nothing.`;
    case "formula_cancelled":
      return "The formula was cancelled as a mistake, so it pays nothing.";
    case "outside_window":
      return "The sale lies outside the time in which the formula applies, so it earns nothing.";
    case "failed":
      return `There is no amount: ${commission.computationError?.message ?? "the computation failed"}.`;
  }
};

const Sale = ({ attribution }: { readonly attribution: Attribution }) => (
  <>
    <h3>The sale</h3>
    <dl class="facts">
      <Fact name="Date">
        <SoldOn sale={attribution} />
      </Fact>
      {attribution.externalReference !== undefined && (
        <Fact name="Reference">{attribution.externalReference}</Fact>
      )}
      {Object.entries(attribution.properties).map(([name, value]) => (
        <Fact key={name} name={name.replaceAll("_", " ")}>
          {propertyWords(value)}
        </Fact>
      ))}
    </dl>
    <p>
      <a href={linkTo(`sales/${attribution.id}`)}>Everything about this sale</a>
    </p>
  </>
);

/** The evaluated nodes of the formula, as they were recorded. */
const StepTable = ({ trace }: { readonly trace: Trace }) => (
  <table>
    <thead>
      <tr>
        <th>Node</th>
        <th>Value</th>
      </tr>
    </thead>
    <tbody>
      {trace.map(({ path, type, value, detail }) => (
        <tr key={`${path} ${type}`}>
          <td>
            {type.replaceAll("_", " ")}
            {"name" in detail && ` ${detail.name}`}
          </td>
          <td>{value === null ? "–" : String(value)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

const ReasonsContent = ({ reasons }: { readonly reasons: Reasons }) => {
  const { commission, attribution, formula, explanation, sentences } = reasons;
  const { currency } = commission;
  const { waitsForBuyer } = useWords();
  const version = explanation.formulaVersion ?? 1;
  const since = formula === undefined ? undefined : versionStarts(formula)[version - 1];
  return (
    <>
      <p class="big">
        <Amount amount={explanation.amount ?? 0} currency={currency} strong />
      </p>
      <p class="sentence">{sentences ?? basisWords(reasons)}</p>
      {explanation.trace !== null && (
        <details open={sentences === null}>
          <summary>Every step, in the smallest unit of {currency}</summary>
          <StepTable trace={explanation.trace as unknown as Trace} />
        </details>
      )}
      <dl class="facts">
        <Fact name="Settled">
          <Amount amount={commission.settledAmount} currency={currency} />
        </Fact>
        <Fact name="In a settlement">
          <Amount amount={commission.pendingAmount} currency={currency} />
        </Fact>
        <Fact name="Due">
          <Amount amount={commission.dueAmount} currency={currency} />
        </Fact>
        {commission.waitingAmount !== undefined && (
          <Fact name={waitsForBuyer}>
            <Amount amount={commission.waitingAmount} currency={currency} />
          </Fact>
        )}
        {formula !== undefined && (
          <Fact name="Formula">
            {formula.name}, version {version}
            {since !== undefined && (
              <>
                , in force since <When at={since} />
              </>
            )}
          </Fact>
        )}
      </dl>
      <p class="note">Amounts are net of tax.</p>
      {attribution !== undefined && <Sale attribution={attribution} />}
      <h3>What happened</h3>
      <Timeline events={commission.events} currency={currency} />
    </>
  );
};

/** The panel. */
export const WhyPanel = ({
  commissionId,
  close,
}: {
  readonly commissionId: string;
  readonly close: () => void;
}) => {
  const { client } = useSession();
  const loaded = useLoad(commissionId, (signal) => readReasons(client, commissionId, signal));
  return (
    <Dialog title="Why this amount" side close={close}>
      <LoadResult loaded={loaded} what="Reading the explanation">
        {(reasons) => <ReasonsContent reasons={reasons} />}
      </LoadResult>
    </Dialog>
  );
};
