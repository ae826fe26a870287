/** One sale: its properties, who earns what from it, and its cancellation or replacement. */

import type { FunctionComponent } from "preact";
import type { Attribution } from "../api/Records.ts";
import { useSession } from "../api/Session.ts";
import { type Loaded, useLoad } from "../data/Load.ts";
import { linkTo } from "../data/Route.ts";
import { calendarDay, moment } from "../format/Dates.ts";
import { Badge, Clip, Fact, Heading, Id, LoadResult, ReadAt, SoldOn, When } from "../parts/Basics.tsx";
import { BuyerPaid } from "../sales/BuyerPaid.tsx";
import { type Earnings, EarningsTable, useEarnings } from "../sales/Earnings.tsx";
import { currencyOf, type Formats, useSeesSchemas } from "../sales/Formats.ts";
import { PropertyFacts } from "../sales/PropertyFacts.tsx";
import { Replaced } from "../sales/Replaced.tsx";
import { readSale, type SaleData, saleState } from "../sales/SaleData.ts";
import { t } from "../words/Language.ts";

/** What the buttons of a sale need. */
export interface SaleSubject {
  readonly data: SaleData;
  /** Null until it is read. */
  readonly earnings: Earnings | null;
  readonly done: () => void;
}

/** The order number, which the origin of a part has; undefined where the sale has none. */
const referenceOf = ({ sale, credits }: Pick<SaleData, "sale" | "credits">): string | undefined =>
  sale.externalReference ?? credits[0]?.externalReference;

const Title = ({ data }: { readonly data: SaleData }) => {
  const { sale } = data;
  const reference = referenceOf(data);
  return (
    <>
      {reference === undefined ? (
        <>
          {t("Sale")} <Id id={sale.id} />
        </>
      ) : (
        <Clip>{t("Sale {reference}", { reference })}</Clip>
      )}{" "}
      <Badge family={sale.status === "confirmed" ? "done" : "stopped"}>{t(saleState(sale))}</Badge>
    </>
  );
};

/**
 * When the sale was made and recorded: the time of day stands with the day that the sale counts for, unless the reader's clock shows
 * another day; and one moment is not said twice.
 */
const Dates = ({ sale }: { readonly sale: Attribution }) => {
  const [occurred, recorded] = [moment(sale.occurredAt), moment(sale.createdAt)];
  const day = calendarDay(sale.occurredOn);
  const isSameDay = occurred.startsWith(day);
  return (
    <>
      <Fact name={t("Date of the sale")}>
        <SoldOn sale={sale} />
        {isSameDay && occurred.slice(day.length)}
      </Fact>
      {!isSameDay && (
        <Fact name={t("Occurred")}>
          <When at={sale.occurredAt} exact />
        </Fact>
      )}
      {recorded !== occurred && (
        <Fact name={t("Recorded")}>
          <When at={sale.createdAt} exact />
        </Fact>
      )}
    </>
  );
};

const Facts = ({
  data: { sale, credits, receipt, names },
  formats,
  currency,
  isOwn,
}: {
  readonly data: SaleData;
  readonly formats: Formats;
  /** The currency of what the sale earns; null where it is not known. */
  readonly currency: string | null;
  /** True for the partner, who need not be told who it is. */
  readonly isOwn: boolean;
}) => (
  <dl class="facts">
    {!isOwn && (
      <Fact name="Partner">
        <a href={linkTo(`partners/${sale.partnerId}`)}>
          <Clip>{names.get(sale.partnerId) ?? ""}</Clip>
        </a>
      </Fact>
    )}
    <Dates sale={sale} />
    {receipt !== undefined && (
      <Fact name={t("The buyer has paid")}>
        <BuyerPaid receipt={receipt} />
      </Fact>
    )}
    <PropertyFacts {...{ sale, formats, currency }} />
    {referenceOf({ sale, credits }) !== undefined && (
      <Fact name={t("Id")}>
        <Id id={sale.id} />
      </Fact>
    )}
    {credits.map(
      ({ id }) =>
        id === sale.originId && (
          <Fact key={id} name={t("A part of the sale")}>
            <a href={linkTo(`sales/${id}`)}>
              <Id id={id} />
            </a>
          </Fact>
        ),
    )}
  </dl>
);

/** The list that the reader comes from. */
const Above = () =>
  useSession().principal.kind === "partner" ? (
    <a href={linkTo("commissions")}>{t("My commissions")}</a>
  ) : (
    <a href={linkTo("sales")}>Sales</a>
  );

const SaleContent = ({
  data,
  loaded,
  actions: Actions,
}: {
  readonly data: SaleData;
  readonly loaded: Loaded<SaleData>;
  readonly actions?: FunctionComponent<SaleSubject>;
}) => {
  const { principal } = useSession();
  const earnings = useEarnings(data);
  const currency = currencyOf(earnings.value?.commissions ?? []);
  const formats: Formats = earnings.value?.formats ?? data.declared ?? new Map();
  const isOwn = principal.kind === "partner";
  const { credits } = data;
  return (
    <>
      <Heading above={<Above />} title={<Title data={data} />}>
        <ReadAt loaded={loaded} />
      </Heading>
      <section class="panel lead">
        <Replaced {...data} {...{ formats, currency }} />
        <Facts {...{ data, formats, currency, isOwn }} />
        {Actions !== undefined && <Actions data={data} earnings={earnings.value} done={loaded.reload} />}
      </section>
      <section class="panel">
        <h2>{credits.length > 1 ? t("Who earns from it") : t("What it earns")}</h2>
        <EarningsTable data={data} loaded={earnings} />
      </section>
    </>
  );
};

export const Sale = ({
  id,
  actions,
}: {
  readonly id: string;
  /** The buttons of the team. */
  readonly actions?: FunctionComponent<SaleSubject>;
}) => {
  const { client, signOut } = useSession();
  const seesSchemas = useSeesSchemas();
  const loaded = useLoad(`sale/${id}`, (signal) => readSale(client, id, seesSchemas, signal));
  return (
    <LoadResult loaded={loaded} what="Reading the sale" signOut={signOut} above={<Above />}>
      {(data) => <SaleContent {...{ data, loaded }} {...(actions === undefined ? {} : { actions })} />}
    </LoadResult>
  );
};
