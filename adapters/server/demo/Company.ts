/**
 * The company of the demo: a maker of outdoor equipment, its partners, and its four plans. Every name is invented. Names have no-break
 * spaces where a line is not to end.
 */

export const SEED = 20_260_401;

export const PROFILE = {
  legal_name: "Nordhaven Outdoor GmbH",
  address: { street: "Am Sandtorkai 48", city: "Hamburg", region: "", postal_code: "20457", country: "DE" },
  vat_number: "DE287654321",
  invoice_prefix: "NH",
};

/** The company's webhook endpoint. It is disabled, so that the example sends nothing. */
export const ENDPOINT = {
  url: "https://ledger.nordhaven.example/quittance",
  types: ["mark_as_paid", "confirm_payment", "write_off_settlement"],
  description: "Posts payments to the ledger",
};

/** How the company settles: a week for returns, no small payments, two people for large ones, a person for what partners owe. */
export const POLICY = {
  hold_days: 7,
  minimum: { EUR: 7_500, GBP: 7_500, SEK: 50_000 },
  cadence: { type: "monthly", day: 1, time_zone: "Europe/Berlin" },
  four_eyes_above: { EUR: 1_000_000, GBP: 1_000_000, SEK: 10_000_000 },
  negative: "review",
};

const property = (name: string) => ({ type: "property", name });
const number = (value: number) => ({ type: "literal", value: { type: "number", value } });
const percent = (value: number) => ({ type: "literal", value: { type: "percent", value } });
const multiply = (...operands: ReadonlyArray<unknown>) => ({ type: "multiply", operands });

export const ORDER = {
  name: "Order",
  properties: [
    { name: "order_value", type: "number", required: true, format: "money_major" },
    { name: "category", type: "string", required: false, default: "equipment" },
    { name: "first_order", type: "boolean", required: false, default: false },
  ],
};

/** The groups of partners; each has a plan of its own. */
export type Group = "affiliate" | "reseller" | "ambassador" | "agent";

export interface PlanTerms {
  readonly group: Group;
  readonly name: string;
  readonly description: string;
  readonly currency: string;
  readonly expression: unknown;
  /** The usual value of an order, in units of the currency. */
  readonly order: number;
  /** Orders a month of a partner of usual size. */
  readonly orders: number;
}

export const PLANS: ReadonlyArray<PlanTerms> = [
  {
    group: "affiliate",
    name: "Affiliates: 8\u00a0%, first orders 12\u00a0%",
    description:
      "8 % of the order value before tax, 12 % of a customer's first order. Gift cards earn nothing.",
    currency: "EUR",
    order: 110,
    orders: 4,
    expression: {
      type: "lookup",
      key: property("category"),
      entries: [{ key: { type: "string", value: "gift_card" }, value: number(0) }],
      default: multiply(
        property("order_value"),
        { type: "case", branches: [{ when: property("first_order"), then: percent(12) }], else: percent(8) },
        number(100),
      ),
    },
  },
  {
    group: "reseller",
    name: "Resellers: tiers by the order",
    description: "5 % of the first 1,000 euros of an order, 7.5 % up to 5,000, 10 % above.",
    currency: "EUR",
    order: 2_300,
    orders: 4,
    expression: multiply(
      {
        type: "graduated",
        amount: property("order_value"),
        tiers: [
          { up_to: { type: "number", value: 1_000 }, rate: percent(5) },
          { up_to: { type: "number", value: 5_000 }, rate: percent(7.5) },
          { rate: percent(10) },
        ],
      },
      number(100),
    ),
  },
  {
    group: "ambassador",
    name: "Ambassadors: 60\u00a0kronor and 4\u00a0%",
    description: "60 kronor for each order, and 4 % of its value.",
    currency: "SEK",
    order: 1_150,
    orders: 3,
    expression: {
      type: "add",
      operands: [multiply(property("order_value"), percent(4), number(100)), number(6_000)],
    },
  },
  {
    group: "agent",
    name: "Agents: 4\u00a0%, at least £5, at most £400",
    description: "4 % of the order value, between 5 and 400 pounds.",
    currency: "GBP",
    order: 3_800,
    orders: 3,
    expression: {
      type: "min",
      operands: [
        { type: "max", operands: [multiply(property("order_value"), percent(4), number(100)), number(500)] },
        number(40_000),
      ],
    },
  },
];

const ADDRESSES = {
  DE: { city: "Berlin", postal_code: "10115", street: "Invalidenstraße" },
  AT: { city: "Innsbruck", postal_code: "6020", street: "Maria-Theresien-Straße" },
  FR: { city: "Annecy", postal_code: "74000", street: "Rue Sommeiller" },
  NL: { city: "Utrecht", postal_code: "3511", street: "Oudegracht" },
  SE: { city: "Göteborg", postal_code: "411 04", street: "Östra Hamngatan" },
  GB: { city: "Sheffield", postal_code: "S1 2JE", street: "Fargate" },
} as const;

type Country = keyof typeof ADDRESSES;

const NAMES: Readonly<Record<Group, ReadonlyArray<readonly [name: string, country: Country]>>> = {
  affiliate: [
    ["Bergpfad Magazin", "DE"],
    ["Gipfelglück Blog", "AT"],
    ["Trekking-Tests.de", "DE"],
    ["Sentiers & Sommets", "FR"],
    ["Wandelvrij", "NL"],
    ["Hüttenabend Podcast", "AT"],
    ["Outdoor Sparfuchs", "DE"],
    ["Kletterkinder", "DE"],
    ["Bivouac Libre", "FR"],
    ["Polderpad", "NL"],
    ["Zeltplatzfinder", "DE"],
    ["Alpenverein Nord e.\u00a0V.", "DE"],
    ["La Trace Blanche", "FR"],
    ["Kampvuur Club", "NL"],
    ["Leichtgepäck", "DE"],
    ["Schneeschuh Forum", "AT"],
    ["Refuge Gourmand", "FR"],
    ["Flussufer Paddler", "DE"],
  ],
  reseller: [
    ["Sporthaus Reinhold", "DE"],
    ["Bergsport Tirol", "AT"],
    ["Montagne Service", "FR"],
    ["De Buitenwinkel", "NL"],
    ["Nordwand Ausrüstung", "DE"],
    ["Cordée Alpine", "FR"],
    ["Zelt & Rucksack Kontor", "DE"],
    ["Kompas Outdoor", "NL"],
    ["Alpinladen Graz", "AT"],
    ["Camping Lindner", "DE"],
  ],
  ambassador: [
    ["Astrid Fjällgren", "SE"],
    ["Elias Norrby", "SE"],
    ["Vandra med Maja", "SE"],
    ["Team Kebnekaise", "SE"],
    ["Ida Skogsstig", "SE"],
    ["Långfärd Väst", "SE"],
    ["Oskar Isberg", "SE"],
  ],
  agent: [
    ["Peak & Dale Agencies", "GB"],
    ["Harriet Moorland", "GB"],
    ["Cairn Sales Partners", "GB"],
    ["Fellside Trading", "GB"],
    ["Rowan & Pike", "GB"],
  ],
};

/** A bank of each country: what its account numbers begin with after the check digits, the digits that follow, and its BIC. */
const BANKS: Readonly<Record<Country, readonly [bank: string, digits: number, bic: string]>> = {
  DE: ["37040044", 10, "COBADEFF"],
  AT: ["19043", 11, "BKAUATWW"],
  FR: ["2004101005", 13, "PSSTFRPP"],
  NL: ["ABNA", 10, "ABNANL2A"],
  SE: ["500", 17, "ESSESESS"],
  GB: ["NWBK601613", 8, "NWBKGB2L"],
};

/** The number that a text is once its letters are numbers from 10 on, modulo 97. */
const modulo97 = (text: string): number =>
  [...text].reduce((rest, character) => Number(`${rest}${Number.parseInt(character, 36)}`) % 97, 0);

/** An account at the bank of a country, with the check digits that its number needs. */
const ibanOf = (country: Country, account: number): string => {
  const [bank, digits] = BANKS[country];
  const number = `${bank}${String(account).padStart(digits, "0").slice(-digits)}`;
  return `${country}${String(98 - modulo97(`${number}${country}00`)).padStart(2, "0")}${number}`;
};

/** Of each country, what its VAT numbers begin with, and its rate in hundredths of a percent. */
const VAT: Readonly<Record<Country, readonly [prefix: string, rate: number]>> = {
  DE: ["DE1234567", 1_900],
  AT: ["ATU123456", 2_000],
  FR: ["FR401234567", 2_000],
  NL: ["NL0012345", 2_100],
  SE: ["SE5561234", 2_500],
  GB: ["GB1234567", 2_000],
};

/** One partner of the company. */
interface DemoPartner {
  readonly group: Group;
  readonly name: string;
  /** The body that creates it, without the workspace. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Its size as a multiple of the usual one. */
  readonly size: number;
  /** Who writes its invoices. */
  readonly billingMode: "self_billing" | "partner_billing";
  /** The tax on invoices that it writes: none across borders. */
  readonly invoiceTaxBps: number;
}

/** The partner that sells no longer, and of which an order is returned after it was paid. */
export const FORMER = "Camping Lindner";

/** Two characters exchanged, so that a payout problem can be seen. */
const misspellIban = (iban: string): string => `${iban.slice(0, 4)}${iban[5]}${iban[4]}${iban.slice(6)}`;

const selfBillingBody = (name: string, country: Country, index: number, account: number) => {
  const { city, postal_code, street } = ADDRESSES[country];
  const [, , bic] = BANKS[country];
  const iban = ibanOf(country, account);
  const [prefix, rate_bps] = VAT[country];
  const isHome = country === "DE";
  return {
    billing_mode: "self_billing",
    self_billing_data: {
      legal_name: name,
      address: { street: `${street} ${index + 3}`, city, region: "", postal_code, country },
      vat_number: `${prefix}${String(10 + index)}`,
      payment_terms_days: index % 3 === 0 ? 30 : 14,
      bank_account: { beneficiary_name: name, iban: index === 9 ? misspellIban(iban) : iban, bic },
      tax_config: isHome
        ? { treatment: "standard", label: "USt", rate_bps }
        : { treatment: "reverse_charge", label: "Reverse charge" },
    },
  };
};

/** The sizes of partners, one after the other. */
const SIZES = [1.6, 1.1, 0.9, 0.7, 1.3, 0.5];

/** Resellers and agents have a number in the books of the company. */
const numberOf = (group: Group, account: number) =>
  group === "reseller" || group === "agent" ? { external_reference: `K-${70_000 + (account % 1_000)}` } : {};

/** The forty partners: two of three are self-billed. */
export const PARTNERS: ReadonlyArray<DemoPartner> = Object.entries(NAMES).flatMap(([key, names], place) =>
  names.map(([name, country], index) => {
    const group = key as Group;
    const size = SIZES[index % SIZES.length] ?? 1;
    const billingMode = index % 3 === 2 ? "partner_billing" : "self_billing";
    const account = 532_013_000 + 100 * place + 7 * index;
    return {
      ...{ group, name, size, billingMode },
      invoiceTaxBps: country === "DE" ? VAT.DE[1] : 0,
      body: {
        name,
        ...numberOf(group, account),
        ...(size > 1.2 ? { tags: ["key account"] } : {}),
        ...(billingMode === "partner_billing"
          ? { billing_mode: billingMode }
          : selfBillingBody(name, country, index, account)),
      },
    };
  }),
);
