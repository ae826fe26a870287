/** The columns that every table of a partner's settlements has. */
import type { Settlement } from "../api/Records.ts";
import { linkTo } from "../data/Route.ts";
import { Amount, StateBadge, When } from "../parts/Basics.tsx";
import type { Column } from "../parts/Table.tsx";

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
};

export const net: Column<Settlement> = {
  name: "Net",
  isNumber: true,
  show: ({ total, currency }) => <Amount amount={total} currency={currency} />,
};
