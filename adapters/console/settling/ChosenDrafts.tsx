/** The drafts that are chosen in a list: their sums, and what can be done to all of them at once. */
import { useState } from "preact/hooks";
import type { Client, Query } from "../api/Client.ts";
import { useMay, useSession } from "../api/Session.ts";
import { count, countWords } from "../format/Money.ts";
import { Failure } from "../parts/Basics.tsx";
import { announce } from "../parts/Focus.ts";
import { Later } from "../parts/Later.tsx";
import type { Selection } from "../parts/Table.tsx";
import { MANY_ACTIONS, type ManyAction } from "./ManyActions.ts";
import { type SettlementRow, totalWords } from "./SettlementRows.ts";

/** The most drafts that are chosen at once. */
const CHOSEN_MAX = 1_000;

/** Chosen drafts by id. They stay chosen on other pages of the list and under other filters. */
export type Chosen = ReadonlyMap<string, SettlementRow>;

export interface ChosenDrafts {
  readonly chosen: Chosen;
  readonly selection: Selection<SettlementRow>;
  readonly choose: (rows: ReadonlyArray<SettlementRow>, isChosen: boolean) => void;
  readonly clear: () => void;
}

/** The choice of drafts; null when the key may do nothing to drafts. */
export const useChosenDrafts = (): ChosenDrafts | null => {
  const may = useMay();
  const [chosen, setChosen] = useState<Chosen>(new Map());
  if (!MANY_ACTIONS.some(({ scope }) => may(scope))) return null;
  const choose: ChosenDrafts["choose"] = (rows, isChosen) =>
    setChosen((before) => {
      const after = new Map(before);
      for (const row of rows) {
        if (!isChosen) after.delete(row.settlement.id);
        else if (after.size < CHOSEN_MAX) after.set(row.settlement.id, row);
      }
      return after;
    });
  return {
    chosen,
    choose,
    clear: () => setChosen(new Map()),
    selection: {
      isChosen: ({ settlement }) => chosen.has(settlement.id),
      label: ({ settlement, partner }) =>
        settlement.status.type === "draft" ? `The draft for ${partner?.name ?? settlement.partnerId}` : null,
      choose,
    },
  };
};

/** The number and sums of the chosen drafts, with the buttons for all of them. */
export const ChosenBar = ({
  drafts: { chosen, choose, clear },
  filters,
  total,
  read,
}: {
  readonly drafts: ChosenDrafts;
  readonly filters: Query;
  /** The number of settlements that match the filters; null where not all of them are drafts. */
  readonly total: number | null;
  readonly read: (
    client: Client,
    filters: Query,
    signal: AbortSignal,
    limit: number,
  ) => AsyncIterable<ReadonlyArray<SettlementRow>>;
}) => {
  const may = useMay();
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
      for await (const some of read(client, filters, new AbortController().signal, CHOSEN_MAX))
        choose(some, true);
      announce(`${countWords(most, "draft")} chosen.`);
    } catch (problem) {
      setFailure(problem);
    }
    setReading(false);
  };
  if (rows.length === 0) return null;
  return (
    <>
      <section class="chosen" aria-label="Chosen drafts">
        <p>
          <strong>{count(rows.length)} chosen</strong> <span>{totalWords(rows)} net</span>
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
          {MANY_ACTIONS.filter(({ scope }) => may(scope)).map((possible) => (
            <button
              key={possible.id}
              type="button"
              class={possible.id === "approve" ? "primary" : "danger-quiet"}
              onClick={() => setAction(possible)}
            >
              {possible.words} {countWords(rows.length, "draft")}
            </button>
          ))}
        </div>
        {failure !== null && <Failure failure={failure} retry={chooseAll} />}
      </section>
      {action !== null && (
        <Later what="the drafts" load={() => import("./ManyDrafts.tsx")}>
          {({ ManyDrafts }) => (
            <ManyDrafts
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
        </Later>
      )}
    </>
  );
};
