/** Drafts a settlement of everything that is due to a partner in one currency: a preview first, then the draft. */
import { useState } from "preact/hooks";
import type { CreateSettlement as Draft } from "quittance/client";
import type { Client } from "../api/Client.ts";
import type { Partner } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { useLoad } from "../data/Load.ts";
import { go, linkTo } from "../data/Route.ts";
import { count, countWords, money } from "../format/Money.ts";
import { LoadResult } from "./Basics.tsx";
import { Confirm, Dialog } from "./Dialog.tsx";

/** The most lines that one settlement may have. */
const LINES_MAX = 10_000;

interface Prepared {
  readonly draft: Draft;
  readonly total: number;
  /** Commissions that have no amount and are left out. */
  readonly left: number;
}

const prepare = async (
  client: Client,
  { partner, currency }: { readonly partner: Partner; readonly currency: string },
  progress: (read: number) => void,
  signal: AbortSignal,
): Promise<Prepared> => {
  const ids: Array<string> = [];
  let left = 0;
  const query = {
    partnerIds: [partner.id],
    settlementStatus: "unsettled",
    due: "nonzero",
    currencies: [currency],
  };
  for await (const { items } of client.walk("commissions", query, LINES_MAX, signal)) {
    for (const { id, computationError } of items) {
      if (computationError === null) ids.push(id);
      else left += 1;
    }
    progress(ids.length);
  }
  const draft = {
    customerId: partner.customerId,
    workspaceId: partner.workspaceId,
    partnerId: partner.id,
    commissionIds: ids.slice(0, LINES_MAX),
  };
  const { total } = await client.preview(draft, signal);
  return { draft, total, left };
};

const consequences = ({ draft, total, left }: Prepared, currency: string): ReadonlyArray<string> => [
  `${countWords(draft.commissionIds.length, "commission")} with ${money(total, currency)} net go into a draft. They are in no other settlement until it ends.`,
  ...(left > 0 ? [`${countWords(left, "commission")} without an amount stay out.`] : []),
  ...(total < 0
    ? ["The partner owes this amount. After the approval you decide whether to ask for it."]
    : []),
  "No money moves and no document is created before the approval. A draft can be cancelled.",
];

export const DraftDialog = ({
  partner,
  currency,
  close,
}: {
  readonly partner: Partner;
  readonly currency: string;
  readonly close: () => void;
}) => {
  const { client } = useSession();
  const [read, setRead] = useState(0);
  const loaded = useLoad(`${partner.id}/${currency}`, (signal) =>
    prepare(client, { partner, currency }, setRead, signal),
  );
  const title = `Draft a settlement for ${partner.name}`;
  const { value } = loaded;
  if (value === null)
    return (
      <Dialog title={title} close={close}>
        <LoadResult loaded={loaded} what={`Reading what is due: ${count(read)} commissions`}>
          {() => null}
        </LoadResult>
      </Dialog>
    );
  return (
    <Confirm
      title={title}
      action="Create the draft"
      consequence={consequences(value, currency)}
      close={close}
      run={(commands) => commands.settlements.create(value.draft)}
      done={({ id }) => go(linkTo(`settlements/${id}`))}
    />
  );
};
