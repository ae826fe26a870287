/** The two sales of a replacement: each names the other, and what differs. */

import type { Attribution } from "../api/Records.ts";
import { linkTo } from "../data/Route.ts";
import { calendarDay } from "../format/Dates.ts";
import { valueWords, When } from "../parts/Basics.tsx";
import { sentenceOf, t } from "../words/Language.ts";
import type { Formats } from "./Formats.ts";
import type { SaleData } from "./SaleData.ts";

interface ReplacedProps extends SaleData {
  readonly formats: Formats;
  /** The currency of what the sale earns; null where it is not known. */
  readonly currency: string | null;
}

/** What differs between a sale and the one that replaced it, a line each. */
const differences = (
  before: Attribution,
  after: Attribution,
  { names, formats, currency }: ReplacedProps,
): ReadonlyArray<string> => {
  const shown = (name: string, { properties: { [name]: value } }: Attribution): string =>
    value === undefined ? t("nothing") : valueWords(value, formats.get(name)?.format, currency);
  const properties = [...new Set([before, after].flatMap((sale) => Object.keys(sale.properties)))];
  const pairs: ReadonlyArray<readonly [name: string, before: string, after: string]> = [
    [
      t("partner"),
      names.get(before.partnerId) ?? t("a partner"),
      names.get(after.partnerId) ?? t("a partner"),
    ],
    [t("date"), calendarDay(before.occurredOn), calendarDay(after.occurredOn)],
    ...properties.map(
      (name) => [name.replaceAll("_", " "), shown(name, before), shown(name, after)] as const,
    ),
  ];
  return pairs.flatMap(([name, from, to]) => (from === to ? [] : `${name}: ${from} → ${to}`));
};

/** Says which sale replaced a cancelled one, or which one a sale corrects. */
export const Replaced = (props: ReplacedProps) => {
  const { sale, replaces, replacedBy } = props;
  const cancelledAt = sale.events.findLast(({ event }) => event.type === "cancel_attribution")?.datetime;
  return (
    <>
      {sale.cancelReason !== undefined && (
        <p class="next">
          {replacedBy === undefined
            ? cancelledAt === undefined
              ? t("Cancelled")
              : sentenceOf("Cancelled on {day}", { day: <When at={cancelledAt} /> })
            : sentenceOf("Replaced by {sale}", {
                sale: <a href={linkTo(`sales/${replacedBy.id}`)}>{t("the corrected sale")}</a>,
              })}
          : {sale.cancelReason}
        </p>
      )}
      {replaces !== undefined && (
        <p class="next">
          {sentenceOf("Corrects {sale}", {
            sale: <a href={linkTo(`sales/${replaces.id}`)}>{t("an earlier recording of this sale")}</a>,
          })}
          : {replaces.cancelReason}
        </p>
      )}
      {[
        ...(replaces === undefined ? [] : differences(replaces, sale, props)),
        ...(replacedBy === undefined ? [] : differences(sale, replacedBy, props)),
      ].map((line) => (
        <p key={line} class="note">
          {line}
        </p>
      ))}
    </>
  );
};
