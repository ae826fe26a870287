/** The two sales of a replacement: each names the other, and what differs. */

import type { Attribution } from "../api/Records.ts";
import { linkTo } from "../data/Route.ts";
import { calendarDay } from "../format/Dates.ts";
import { propertyWords } from "../parts/Basics.tsx";
import { sentenceOf, t } from "../words/Language.ts";
import type { SaleData } from "./SaleData.ts";

const shown = (value: unknown): string => (value === undefined ? t("nothing") : propertyWords(value));

/** What differs between a sale and the one that replaced it, a line each. */
const differences = (
  before: Attribution,
  after: Attribution,
  names: SaleData["names"],
): ReadonlyArray<string> => {
  const properties = [...new Set([before, after].flatMap((sale) => Object.keys(sale.properties)))];
  const pairs: ReadonlyArray<readonly [name: string, before: string, after: string]> = [
    [
      t("partner"),
      names.get(before.partnerId) ?? t("a partner"),
      names.get(after.partnerId) ?? t("a partner"),
    ],
    [t("date"), calendarDay(before.occurredOn), calendarDay(after.occurredOn)],
    ...properties.map(
      (name) =>
        [name.replaceAll("_", " "), shown(before.properties[name]), shown(after.properties[name])] as const,
    ),
  ];
  return pairs.flatMap(([name, from, to]) => (from === to ? [] : `${name}: ${from} → ${to}`));
};

/** Says which sale replaced a cancelled one, or which one a sale corrects. */
export const Replaced = ({ sale, replaces, replacedBy, names }: SaleData) => (
  <>
    {sale.cancelReason !== undefined && (
      <p class="next">
        {replacedBy === undefined
          ? t("Cancelled")
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
      ...(replaces === undefined ? [] : differences(replaces, sale, names)),
      ...(replacedBy === undefined ? [] : differences(sale, replacedBy, names)),
    ].map((line) => (
      <p key={line} class="note">
        {line}
      </p>
    ))}
  </>
);
