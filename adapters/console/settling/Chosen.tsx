/** The settlements that are chosen in a list: their sums, and what can be done to all of them at once. */
import { useState } from "preact/hooks";
import type { Query } from "../api/Client.ts";
import { useMay, useSession } from "../api/Session.ts";
import { count, countWords } from "../format/Money.ts";
import { Failure } from "../parts/Basics.tsx";
import { announce } from "../parts/Focus.ts";
import type { Selection } from "../parts/Table.tsx";
import { Many } from "./Many.tsx";
import type { ManyAction, ManyActions } from "./ManyActions.ts";
import { type SettlementRow, settlementPages, totalWords } from "./SettlementRows.ts";

/** The most settlements that are chosen at once. */
const CHOSEN_MAX = 1_000;

/** Chosen settlements by id. They stay chosen on other pages of the list and under other filters. */
export type Chosen = ReadonlyMap<string, SettlementRow>;

export interface ChosenSettlements {
  /** Those that the key may do. */
  readonly actions: ReadonlyArray<ManyAction>;
  readonly chosen: Chosen;
  readonly selection: Selection<SettlementRow>;
  readonly choose: (rows: ReadonlyArray<SettlementRow>, isChosen: boolean) => void;
  readonly clear: () => void;
}

/** The choice of settlements; null when the key may do nothing to them. */
export const useChosen = ({ actions, applies }: ManyActions): ChosenSettlements | null => {
  const may = useMay();
  const [chosen, setChosen] = useState<Chosen>(new Map());
  if (!actions.some(({ scope }) => may(scope))) return null;
  const choose: ChosenSettlements["choose"] = (rows, isChosen) =>
    setChosen((before) => {
      const after = new Map(before);
      for (const row of rows) {
        if (!isChosen) after.delete(row.settlement.id);
        else if (after.size < CHOSEN_MAX && applies(row)) after.set(row.settlement.id, row);
      }
      return after;
    });
  return {
    actions: actions.filter(({ scope }) => may(scope)),
    chosen,
    choose,
    clear: () => setChosen(new Map()),
    selection: {
      isChosen: ({ settlement }) => chosen.has(settlement.id),
      label: (row) =>
        applies(row) ? `The settlement of ${row.partner?.name ?? row.settlement.partnerId}` : null,
      choose,
    },
  };
};

/** The number and sums of the chosen settlements, with the buttons for all of them. */
export const ChosenBar = ({
  settlements: { actions, chosen, choose, clear },
  filters,
  total,
}: {
  readonly settlements: ChosenSettlements;
  readonly filters: Query;
  /** The number of settlements that match the filters; null where some of them cannot be chosen. */
  readonly total: number | null;
}) => {
  const { client } = useSession();
  const [action, setAction] = useState<ManyAction | null>(null);
  const [isReading, setReading] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const rows = [...chosen.values()];
  const most = total === null ? 0 : Math.min(total, CHOSEN_MAX);
  const chooseAll = async (): Promise<void> => {
    setFailure(null);
    setReading(true);
    try {
      for await (const some of settlementPages(client, filters, new AbortController().signal, CHOSEN_MAX))
        choose(some, true);
      announce(`${countWords(most, "settlement")} chosen.`);
    } catch (problem) {
      setFailure(problem);
    }
    setReading(false);
  };
  const [main] = actions;
  if (rows.length === 0 || main === undefined) return null;
  return (
    <>
      <section class="chosen-bar" aria-label="Chosen settlements">
        <p>
          <strong>{count(rows.length)} chosen</strong>{" "}
          <span>
            {totalWords(rows, main)} {main.kind}
          </span>
        </p>
        <div class="row">
          {rows.length < most && (
            <button type="button" class="link" aria-disabled={isReading} onClick={chooseAll}>
              {isReading ? "Reading…" : `Choose all ${count(most)}`}
            </button>
          )}
          <button type="button" class="link" onClick={clear}>
            Choose none
          </button>
          {actions.map((possible) => (
            <button
              key={possible.words}
              type="button"
              class={possible.danger ? "danger-quiet" : "primary"}
              onClick={() => setAction(possible)}
            >
              {possible.words} {countWords(rows.length, possible.noun)}
            </button>
          ))}
        </div>
        {failure !== null && <Failure failure={failure} retry={chooseAll} />}
      </section>
      {action !== null && (
        <Many
          action={action}
          rows={rows}
          close={(done) => {
            setAction(null);
            choose(
              done.flatMap((id) => chosen.get(id) ?? []),
              false,
            );
          }}
        />
      )}
    </>
  );
};
