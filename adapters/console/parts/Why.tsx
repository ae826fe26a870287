/** Amounts that open their explanation. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import { difference } from "../format/Money.ts";
import { t } from "../words/Language.ts";
import { Amount } from "./Basics.tsx";

/** Opens the panel for a commission. */
export const WhyContext = createContext<(commissionId: string) => void>(() => {});

/** An amount that opens its explanation. */
export const WhyAmount = ({
  commissionId,
  amount,
  currency,
  isDifference = false,
}: {
  readonly commissionId: string;
  readonly amount: number | bigint;
  readonly currency: string;
  /** True if the sign is always shown. */
  readonly isDifference?: boolean;
}) => {
  const open = useContext(WhyContext);
  return (
    <button type="button" class="why" onClick={() => open(commissionId)}>
      {isDifference ? (
        <span class="amount">{difference(amount, currency)}</span>
      ) : (
        <Amount amount={amount} currency={currency} />
      )}
      <span class="visually-hidden"> {t("why?")}</span>
    </button>
  );
};
