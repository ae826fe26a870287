/** The journal of a month as a file for an accounting program. */
import { linkTo, type Route } from "../data/Route.ts";
import { monthStart, period, utcDay } from "../format/Dates.ts";
import { DownloadButton } from "./Download.tsx";
import { Select } from "./Filters.tsx";

/** The formats, and what their buttons say. */
const FORMATS = [
  ["spreadsheet", "Journal as CSV", "text/csv"],
  ["datev", "For DATEV", "text/csv"],
  ["quickbooks", "For QuickBooks", "text/csv"],
  ["xero", "For Xero", "text/csv"],
  ["hledger", "For hledger", "text/plain"],
  ["beancount", "For beancount", "text/plain"],
] as const;

const WITHOUT_DOCUMENTS = ["earned", "adjusted", "received", "settled_elsewhere", "written_off"] as const;

/** The documents as bills, and what belongs beside them: every entry but those of documents and their payments. */
const BILLS = [
  ["quickbooks_bills", "Bills for QuickBooks", {}],
  ["quickbooks", "Rest for QuickBooks", { kinds: WITHOUT_DOCUMENTS }],
  ["xero_bills", "Bills for Xero", {}],
  ["xero", "Rest for Xero", { kinds: WITHOUT_DOCUMENTS }],
] as const;

/** Months to choose from: this one, and those of two years before. */
const MONTHS = 25;

const months = (now: number): ReadonlyArray<string> =>
  Array.from({ length: MONTHS }, (_, back) => utcDay(monthStart(now, back).getTime()).slice(0, 7));

/** The period of a month; the present one has no end yet. */
const spanOf = (label: string, now: number) => {
  const from = new Date(`${label}-01T00:00:00Z`);
  const end = monthStart(from.getTime(), -1);
  return { from: from.toISOString(), ...(end.getTime() <= now ? { to: end.toISOString() } : {}) };
};

export const JournalFiles = ({
  route,
  currencies,
}: {
  readonly route: Route;
  /** Of the amounts that there are. */
  readonly currencies: ReadonlyArray<string>;
}) => {
  const now = Date.now();
  const known = months(now);
  const [present = "", last = present] = known;
  const label = known.find((one) => one === route.query.get("month")) ?? last;
  const currency = currencies.find((one) => one === route.query.get("currency")) ?? currencies[0] ?? "";
  return (
    <section class="panel only-on-screen" aria-label="Journal of a month">
      <h2>Journal of a month</h2>
      <div class="filters">
        <Select
          route={route}
          name="month"
          label="Month (UTC)"
          value={label}
          groups={[["Months", known.map((one) => [one, period(one)] as const)]]}
        />
        {currencies.length > 1 && (
          <Select
            route={route}
            name="currency"
            label="Currency"
            value={currency}
            groups={[["Currencies", currencies.map((one) => [one, one] as const)]]}
          />
        )}
      </div>
      <p class="row">
        {FORMATS.map(([format, words, accept]) => (
          <DownloadButton
            key={`${format} ${label} ${currency}`}
            load={({ journal }) => journal.read({ ...spanOf(label, now), currency, format }, { accept })}
          >
            {words}
          </DownloadButton>
        ))}
      </p>
      <p class="row">
        {BILLS.map(([format, words, input]) => (
          <DownloadButton
            key={`${format} ${label} ${currency}`}
            load={({ journal }) =>
              journal.read({ ...spanOf(label, now), currency, format, ...input }, { accept: "text/csv" })
            }
          >
            {words}
          </DownloadButton>
        ))}
      </p>
      <p class="note">
        What partners earn, are billed and are paid, as double entries.
        {label === present && " This month has not ended: the file ends now."} DATEV and Xero need{" "}
        <a href={linkTo("books/rules")}>posting rules</a> for every account, and their settings. Import either
        the journal, or the bills with the rest: then your program posts what is payable, and you pay the
        bills there.
      </p>
    </section>
  );
};
