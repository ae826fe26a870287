/** The model of e-invoices: which rules the document of a settlement breaks, for the data that generated commands have. */

import type { Settlement } from "../world/Settlements.ts";
import { decidingAmount } from "../world/Taxes.ts";
import type { Profile, World } from "../world/World.ts";

const hasCountry = (vatNumber: string): boolean => /^[A-Z]{2}/.test(vatNumber);

interface Party {
  readonly vatNumber: string;
  readonly vatNumberType?: "vat" | "tax";
  readonly electronicAddress?: string;
}

/** The rules that a party breaks; `missing` is the one that demands its electronic address. */
const partyRules = (
  { vatNumber, vatNumberType, electronicAddress }: Party,
  missing: string,
  isOutside: boolean,
): ReadonlyArray<string> => [
  ...(hasCountry(vatNumber) || vatNumberType === "tax" || isOutside ? [] : ["BR-CO-09"]),
  ...(electronicAddress === undefined
    ? hasCountry(vatNumber) && vatNumberType !== "tax"
      ? []
      : [missing]
    : /^[0-9]{4}:[0-9A-Z]+$/.test(electronicAddress)
      ? []
      : ["PEPPOL-EN16931-CL008"]),
];

/** The terms of tax that the lines of a document have. */
const termsOf = (world: World, { id, lines, parts, selfBillingData }: Settlement) => {
  const own = selfBillingData?.taxConfig;
  const isWhole = lines.every((line) =>
    parts.some((part) => part.attributionId === line.attributionId && part.formulaId === line.formulaId),
  );
  // A line of amount 0 has the terms of the approval.
  return [
    ...(isWhole ? [] : [own]),
    ...parts.map(({ origin }) => {
      const billed =
        origin === id ? undefined : world.settlements.find((settlement) => settlement.id === origin);
      return billed?.billingMode === "self_billing" ? billed.selfBillingData?.taxConfig : own;
    }),
  ];
};

/** The standard rates of a document, each with what its lines and their tax come to. */
const ratesOf = (world: World, settlement: Settlement) => {
  const found = new Map<number, { base: bigint; tax: bigint }>();
  const sumsFor = (terms: ReturnType<typeof termsOf>[number]) => {
    if (terms?.treatment !== "standard") return undefined;
    const rate = terms.rateBps ?? 0;
    const sums = found.get(rate) ?? { base: 0n, tax: 0n };
    found.set(rate, sums);
    return sums;
  };
  for (const terms of termsOf(world, settlement)) sumsFor(terms);
  for (const { terms, base, tax } of settlement.shares) {
    const sums = sumsFor(terms);
    if (sums !== undefined) [sums.base, sums.tax] = [sums.base + base, sums.tax + tax];
  }
  return found;
};

/** True if tax, in hundredths, is a whole unit or more from its rate. */
const isFar = (base: bigint, tax: bigint, rate: number): boolean => {
  const exact = (Math.abs(Number(base)) * rate) / 10_000;
  return Math.abs(Math.abs(Number(tax)) - Math.round(exact)) >= 100;
};

/** True if a settlement corrects a document that has no number. */
const correctsUnnumbered = (world: World, { id, parts }: Settlement): boolean =>
  parts.some(({ origin }) => {
    const billed =
      origin === id ? undefined : world.settlements.find((settlement) => settlement.id === origin);
    if (billed === undefined) return false;
    const document = decidingAmount(billed) < 0 ? billed.linked.credit_note : billed.linked.invoice;
    return document !== null && document.number === null;
  });

/** The rules that the document of a settlement breaks, sorted; `cancels`: it is the counterpart of another one. */
export const brokenRules = (
  world: World,
  profile: Profile,
  settlement: Settlement,
  cancels: boolean,
): ReadonlyArray<string> => {
  const { selfBillingData } = settlement;
  if (selfBillingData === null) return [];
  const rates = [...ratesOf(world, settlement)];
  const treatments = new Set(
    termsOf(world, settlement).flatMap((terms) => (terms === undefined ? [] : terms.treatment)),
  );
  const isOutside = treatments.has("outside_scope");
  return [
    ...new Set([
      ...partyRules(selfBillingData, "PEPPOL-EN16931-R020", isOutside),
      ...partyRules(profile, "PEPPOL-EN16931-R010", isOutside),
      ...(isOutside && treatments.size > 1 ? ["BR-O-11"] : []),
      ...(!isOutside && treatments.has("reverse_charge") && profile.vatNumberType === "tax"
        ? ["BR-AE-02"]
        : []),
      ...rates.flatMap(([rate, { base, tax }]) =>
        rate === 0 ? ["BR-S-05"] : isFar(base, tax, rate) ? ["BR-CO-17"] : [],
      ),
      ...(!cancels && correctsUnnumbered(world, settlement) ? ["BR-55"] : []),
    ]),
  ].toSorted();
};

/** The billing profile of a settlement's customer. */
export const profileOf = (world: World, { customerId }: Settlement): Profile | undefined =>
  world.profiles.find((profile) => profile.customerId === customerId);

/** True if an approval is refused when the settlement cannot have an e-invoice. */
const isRequired = ({ eInvoice, electronicAddress }: Profile): boolean =>
  eInvoice === undefined ? /^[0-9]{4}:/.test(electronicAddress ?? "") : eInvoice === "required";

/** True if an approval of the settlement, with its billing data and tax, is refused for its e-invoice. */
export const lacksEInvoice = (world: World, settlement: Settlement): boolean => {
  const profile = profileOf(world, settlement);
  return (
    world.policy.documents === "auto" &&
    settlement.billingMode === "self_billing" &&
    settlement.shares.length > 0 &&
    profile !== undefined &&
    isRequired(profile) &&
    brokenRules(world, profile, settlement, false).length > 0
  );
};
