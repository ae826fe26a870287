/** Finds partners by name, orders and documents by their numbers, plans, pages, and any record by its id. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { Client } from "../api/Client.ts";
import type { Scope } from "../api/Records.ts";
import { useMay, useSession } from "../api/Session.ts";
import { useLoad, useSettled } from "../data/Load.ts";
import { go, linkTo } from "../data/Route.ts";
import { calendarDay } from "../format/Dates.ts";
import { money } from "../format/Money.ts";
import { saleState } from "../sales/SaleData.ts";
import { withPartners } from "../settling/SettlementRows.ts";
import { TEAM } from "../words/TeamWords.ts";
import { Clip, Field, LoadResult } from "./Basics.tsx";
import { Dialog } from "./Dialog.tsx";
import type { NavigationItem } from "./Frame.tsx";

/** Records of each kind that are shown at most. */
const FOUND = 6;

/** The pause in milliseconds after the last letter. */
const PAUSE_MILLISECONDS = 150;

const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

interface Hit {
  readonly link: string;
  readonly words: string;
  /** The kind of the record, and what tells it from others. */
  readonly detail: string;
}

interface Source {
  readonly scope: Scope;
  readonly find: (client: Client, text: string, signal: AbortSignal) => Promise<ReadonlyArray<Hit>>;
}

const isId = (text: string): boolean => UUID.test(text);

const partners: Source = {
  scope: "partners:read",
  find: async (client, text, signal) => {
    const query = isId(text) ? { ids: [text] } : { name: text };
    const { items } = await client.list("partners", { ...query, perPage: FOUND }, signal);
    return items.map(({ id, name, externalReference }) => ({
      link: linkTo(`partners/${id}`),
      words: name,
      detail: externalReference === undefined ? "Partner" : `Partner ${externalReference}`,
    }));
  },
};

const sales: Source = {
  scope: "attributions:read",
  find: async (client, text, signal) => {
    const query = isId(text) ? { ids: [text] } : { externalReferences: [text] };
    const { items } = await client.list("attributions", { ...query, order: "desc", perPage: FOUND }, signal);
    return items.map((sale) => ({
      link: linkTo(`sales/${sale.id}`),
      words: sale.externalReference ?? sale.id,
      detail: `Sale of ${calendarDay(sale.occurredOn)}, ${saleState(sale).toLowerCase()}`,
    }));
  },
};

const settlements: Source = {
  scope: "settlements:read",
  find: async (client, text, signal) => {
    const query = isId(text) ? { ids: [text] } : { documentNumbers: [text] };
    const { items } = await client.list("settlements", { ...query, order: "desc", perPage: FOUND }, signal);
    const rows = await withPartners(client, items, signal);
    return rows.map(({ settlement, partner }) => ({
      link: linkTo(`settlements/${settlement.id}`),
      words: `${partner?.name ?? "A partner"}, ${money(settlement.total, settlement.currency)} net`,
      detail: [
        `Settlement, ${TEAM.stateOf(settlement).words.toLowerCase()}`,
        settlement.reportNumber,
        settlement.invoiceNumber,
        settlement.creditNoteNumber,
      ]
        .filter((part) => part !== null)
        .join(", "),
    }));
  },
};

const plans: Source = {
  scope: "formulas:read",
  find: async (client, text, signal) => {
    const query = isId(text) ? { ids: [text] } : { name: text };
    const { items } = await client.list("commissionPlans", { ...query, perPage: FOUND }, signal);
    return items.map(({ id, name }) => ({ link: linkTo(`plans/${id}`), words: name, detail: "Plan" }));
  },
};

const SOURCES = [partners, sales, settlements, plans];

const Hits = ({ text, pages }: { readonly text: string; readonly pages: ReadonlyArray<NavigationItem> }) => {
  const { client } = useSession();
  const may = useMay();
  const loaded = useLoad(
    `find/${text}`,
    async (signal): Promise<ReadonlyArray<Hit>> => {
      const searched = text === "" ? [] : SOURCES.filter(({ scope }) => may(scope));
      const found = await Promise.all(searched.map(({ find }) => find(client, text, signal)));
      const named = pages.filter(({ words }) => words.toLowerCase().includes(text.toLowerCase()));
      return [
        ...found.flat(),
        ...named.map(({ path, words }) => ({ link: linkTo(path), words, detail: "Page" })),
      ];
    },
    true,
  );
  return (
    <LoadResult loaded={loaded} lines={3} what="Searching">
      {(hits) => (
        <>
          <p class="note" role="status">
            {hits.length === 0
              ? "Nothing is found. Type numbers of orders and documents in full."
              : `${hits.length} found`}
          </p>
          <ul class={`hits${loaded.isLoading ? " stale" : ""}`} data-of={text}>
            {hits.map(({ link, words, detail }) => (
              <li key={link}>
                <a href={link}>
                  <Clip>{words}</Clip>
                  <span class="under">{detail}</span>
                </a>
              </li>
            ))}
          </ul>
        </>
      )}
    </LoadResult>
  );
};

/** Moves the focus among the input and the results. */
const move = (form: HTMLElement, by: number): void => {
  const stops = [...form.querySelectorAll<HTMLElement>("input, .hits a")];
  const at = stops.indexOf(document.activeElement as HTMLElement);
  stops[Math.max(0, Math.min(stops.length - 1, at + by))]?.focus();
};

/** The dialog of the search: an input, and links to what is found. */
export const FindDialog = ({
  pages,
  close,
}: {
  readonly pages: ReadonlyArray<NavigationItem>;
  readonly close: () => void;
}) => {
  const [text, setText] = useState("");
  const settledText = useSettled(text.trim(), PAUSE_MILLISECONDS);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    addEventListener("hashchange", close);
    return () => removeEventListener("hashchange", close);
  }, [close]);
  /** The first result is opened as soon as the text is searched for. */
  const submit = (event: Event): void => {
    event.preventDefault();
    const first = form.current?.querySelector<HTMLAnchorElement>(".hits:not(.stale) a");
    if (first === null || first === undefined || settledText !== text.trim()) return;
    go(first.getAttribute("href") ?? "");
  };
  return (
    <Dialog title="Find" close={close}>
      <form
        ref={form}
        onSubmit={submit}
        onKeyDown={(event) => {
          // Else it would only clear the input.
          if (event.key === "Escape") {
            event.preventDefault();
            close();
          }
          const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (by === undefined || form.current === null) return;
          event.preventDefault();
          move(form.current, by);
        }}
      >
        <Field label="Partner, order, invoice, plan or page">
          <input
            type="search"
            value={text}
            autocomplete="off"
            onInput={(event) => setText(event.currentTarget.value)}
          />
        </Field>
        <Hits text={settledText} pages={pages} />
      </form>
    </Dialog>
  );
};
