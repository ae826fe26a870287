/** The fee of a payment and what arrived, as a form states them. */
import { FormProblem } from "../api/Refusal.ts";
import { unitsOf } from "../format/Money.ts";
import { text } from "../parts/Forms.tsx";

/** What was stated of the fee and of what arrived, each an amount with its currency. */
export const paidAmounts = (fields: FormData) =>
  Object.fromEntries(
    ["fee", "received"].flatMap((name) => {
      const typed = text(fields, name).toUpperCase();
      if (typed === "") return [];
      const [, amount = "", currency = ""] = /^(.*?)\s*([A-Z]{3})$/.exec(typed) ?? [];
      const units = unitsOf(amount, currency);
      if (units === null)
        throw new FormProblem(`"${typed}" is no amount with its currency: write it like 1.50 EUR.`);
      return [[name, { amount: units, currency }]];
    }),
  );
