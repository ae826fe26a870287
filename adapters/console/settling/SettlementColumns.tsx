/** Columns that several lists of settlements have. */
import { linkTo } from "../data/Route.ts";
import { amountKey } from "../data/Sort.ts";
import { Amount, Clip } from "../parts/Basics.tsx";
import type { Column } from "../parts/Table.tsx";
import type { SettlementRow } from "./SettlementRows.ts";

const nameOf = ({ settlement, partner }: SettlementRow): string => partner?.name ?? settlement.partnerId;

/** The partner, with the link to the settlement. */
export const partnerColumn: Column<SettlementRow> = {
  name: "Partner",
  show: (row) => (
    <a href={linkTo(`settlements/${row.settlement.id}`)}>
      <Clip>{nameOf(row)}</Clip>
    </a>
  ),
  sort: nameOf,
  text: nameOf,
};

/** What is to be paid: the net amount while no document states the tax. */
export const payableColumn: Column<SettlementRow> = {
  name: "To pay, with tax",
  isNumber: true,
  show: ({ settlement: { payableAmount, total, currency } }) => (
    <Amount amount={payableAmount ?? total} currency={currency} />
  ),
  sort: ({ settlement: { payableAmount, total, currency } }) => amountKey(payableAmount ?? total, currency),
};
