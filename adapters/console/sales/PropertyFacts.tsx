/** The properties of a sale as facts, with those that it does not state where a default counts in their place. */

import type { Attribution } from "../api/Records.ts";
import { Fact, propertyName, valueWords } from "../parts/Basics.tsx";
import { t } from "../words/Language.ts";
import { type Formats, propertiesOf } from "./Formats.ts";

export const PropertyFacts = ({
  sale,
  formats,
  currency,
}: {
  readonly sale: Pick<Attribution, "properties">;
  readonly formats: Formats;
  /** The currency of what the sale earns; null where it is not known. */
  readonly currency: string | null;
}) => (
  <>
    {propertiesOf(sale, formats).map(({ name, value, format, isDefault }) => {
      const words = valueWords(value, format, currency);
      return (
        <Fact key={name} name={propertyName(name)}>
          {isDefault ? (
            <span class="note">{t("not stated, counts as {value}", { value: words })}</span>
          ) : (
            words
          )}
        </Fact>
      );
    })}
  </>
);
