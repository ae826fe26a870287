import type { Attribution } from "../api/Records.ts";
import { propertyWords, When } from "../parts/Basics.tsx";

/** What the buyer has paid of a sale, of how much, and since when. */
export const BuyerPaid = ({ receipt }: { readonly receipt: NonNullable<Attribution["receipt"]> }) => (
  <>
    {propertyWords(receipt.received)} of {propertyWords(receipt.of)}, as of <When at={receipt.receivedAt} />
  </>
);
