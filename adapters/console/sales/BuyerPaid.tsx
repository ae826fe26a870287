import type { Attribution } from "../api/Records.ts";
import { propertyWords, When } from "../parts/Basics.tsx";
import { sentenceOf } from "../words/Language.ts";

/** What the buyer has paid of a sale, of how much, and since when. */
export const BuyerPaid = ({ receipt }: { readonly receipt: NonNullable<Attribution["receipt"]> }) => (
  <>
    {sentenceOf("{received} of {of}, as of {day}", {
      received: propertyWords(receipt.received),
      of: propertyWords(receipt.of),
      day: <When at={receipt.receivedAt} />,
    })}
  </>
);
