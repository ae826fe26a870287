/** The columns that every table of a partner's settlements has. */
import type { Settlement } from "../api/Records.ts";
import { linkTo } from "../data/Route.ts";
import { amountKey } from "../data/Sort.ts";
import { Amount, StateBadge, When } from "../parts/Basics.tsx";
import type { Column } from "../parts/Table.tsx";
import { PAYEE } from "../words/PayeeWords.ts";

export const drafted: Column<Settlement> = {
  name: "Date",
  show: ({ id, createdAt }) => (
    <a href={linkTo(`settlements/${id}`)}>
      <When at={createdAt} />
    </a>
  ),
};

export const state: Column<Settlement> = {
  name: "State",
  show: (settlement) => <StateBadge settlement={settlement} />,
  sort: (settlement) => PAYEE.stateOf(settlement).words,
};

export const net: Column<Settlement> = {
  name: "Net",
  isNumber: true,
  show: ({ total, currency }) => <Amount amount={total} currency={currency} />,
  sort: ({ total, currency }) => amountKey(total, currency),
};
