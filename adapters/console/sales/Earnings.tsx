/** What a sale earns: for each of its credits the partner, the part and the commissions. */

import type { Client } from "../api/Client.ts";
import type { Attribution, Commission } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { ALONE, creditWords } from "../format/Credits.ts";
import { Badge, Clip, Empty, LoadResult } from "../parts/Basics.tsx";
import { CommissionDue, CommissionState } from "../parts/CommissionTable.tsx";
import { type Formulas, PlanName, readFormulas } from "../parts/PlanName.tsx";
import { type Column, Table } from "../parts/Table.tsx";
import { WhyAmount } from "../parts/Why.tsx";
import { t, translated } from "../words/Language.ts";
import { useWords } from "../words/Reader.ts";
import { type Formats, readRecordedFormats } from "./Formats.ts";
import type { SaleData } from "./SaleData.ts";

/** Commissions of one sale that are shown. */
const SHOWN_MAX = 1_000;

export interface Earnings {
  readonly commissions: ReadonlyArray<Commission>;
  readonly formulas: Formulas;
  /** What is known of the properties of the sale. */
  readonly formats: Formats;
}

/** The commissions of attributions, `limit` and the rest of its page at most. */
export const readCommissions = (
  client: Client,
  attributions: ReadonlyArray<Attribution>,
  limit: number,
  signal: AbortSignal,
): Promise<ReadonlyArray<Commission>> =>
  client.every("commissions", { attributionIds: attributions.map(({ id }) => id) }, limit, signal);

const readEarnings = async (
  client: Client,
  { credits, declared }: SaleData,
  signal: AbortSignal,
): Promise<Earnings> => {
  const commissions = await readCommissions(client, credits, SHOWN_MAX, signal);
  const [formulas, formats] = await Promise.all([
    readFormulas(client, commissions, signal),
    declared ?? readRecordedFormats(client, commissions, signal),
  ]);
  return { commissions, formulas, formats };
};

/** The commissions of all credits of a sale. */
export const useEarnings = (data: SaleData): Loaded<Earnings> => {
  const { client } = useSession();
  const { sale, credits, receipt } = data;
  const state = `${credits.map(({ id, status }) => id + status)}/${JSON.stringify(receipt ?? null)}`;
  return useLoad(`earnings/${sale.id}/${state}`, (signal) => readEarnings(client, data, signal));
};

/** A credit with one of its commissions; null where it has none. */
interface Row {
  readonly credit: Attribution;
  readonly commission: Commission | null;
}

/** A partner and its part of the sale. */
const Part = ({
  credit,
  name,
  isSold,
}: {
  readonly credit: Attribution;
  readonly name: string | undefined;
  /** True if the sale itself is not cancelled. */
  readonly isSold: boolean;
}) => {
  const { principal } = useSession();
  return (
    <>
      {principal.kind === "partner" ? (
        <Clip>{name ?? t("You")}</Clip>
      ) : (
        <a href={linkTo(`partners/${credit.partnerId}`)}>
          <Clip>{name ?? "A partner"}</Clip>
        </a>
      )}
      <span class="under">{creditWords(credit.credit ?? ALONE)}</span>
      {isSold && credit.status === "cancelled" && <Badge family="stopped">{t("Taken back")}</Badge>}
    </>
  );
};

const columnsOf = (
  { sale, credits, names }: SaleData,
  formulas: Formulas,
  none: string,
): ReadonlyArray<Column<Row>> => [
  ...(sale.originId === undefined && credits.length < 2
    ? []
    : [
        {
          name: "Partner",
          show: ({ credit }: Row) => (
            <Part credit={credit} name={names.get(credit.partnerId)} isSold={sale.status === "confirmed"} />
          ),
        },
      ]),
  {
    name: "Plan",
    show: ({ commission }) =>
      commission === null ? (
        translated(none)
      ) : (
        <PlanName id={commission.commissionFormulaId} formulas={formulas} />
      ),
  },
  {
    name: "State",
    show: ({ commission }) => (commission === null ? "–" : <CommissionState commission={commission} />),
  },
  {
    name: "Worth",
    isNumber: true,
    show: ({ commission }) =>
      commission === null ? (
        "–"
      ) : (
        <WhyAmount
          commissionId={commission.id}
          amount={commission.computedAmount ?? 0}
          currency={commission.currency}
        />
      ),
  },
  {
    name: "Due",
    isNumber: true,
    show: ({ commission }) => (commission === null ? "–" : <CommissionDue commission={commission} />),
  },
];

export const EarningsTable = ({
  data,
  loaded,
}: {
  readonly data: SaleData;
  readonly loaded: Loaded<Earnings>;
}) => {
  const { noCommissions } = useWords();
  return (
    <LoadResult loaded={loaded} lines={4} what="Reading commissions">
      {({ commissions, formulas }) => {
        const rows = data.credits.flatMap((credit): ReadonlyArray<Row> => {
          const own = commissions.filter(({ attributionId }) => attributionId === credit.id);
          return own.length === 0
            ? [{ credit, commission: null }]
            : own.map((commission) => ({ credit, commission }));
        });
        return commissions.length === 0 && rows.length === 1 ? (
          <Empty title={noCommissions} />
        ) : (
          <Table
            caption="Who earns what from this sale"
            rows={rows}
            rowKey={({ credit, commission }) => commission?.id ?? credit.id}
            columns={columnsOf(data, formulas, noCommissions)}
          />
        );
      }}
    </LoadResult>
  );
};
