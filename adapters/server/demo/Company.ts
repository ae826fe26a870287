/** The company of the demo: a maker of outdoor equipment, its partners, and its four plans. Every name is invented. */

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

/** How the company settles: a week for returns, no small payments, two people for large ones. */
export const POLICY = {
  hold_days: 7,
  minimum: { EUR: 15_000, GBP: 15_000, SEK: 150_000 },
  cadence: { type: "monthly", day: 1, time_zone: "Europe/Berlin" },
  four_eyes_above: { EUR: 1_000_000, GBP: 1_000_000, SEK: 10_000_000 },
  negative: "carry_forward",
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
    name: "Affiliates: 8 %, first orders 12 %",
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
    name: "Ambassadors: 60 kronor and 4 %",
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
    name: "Agents: 4 %, at least £5, at most £400",
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
    ["Alpenverein Nord e. V.", "DE"],
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

const BANKS: Readonly<Record<Country, readonly [iban: string, bic: string]>> = {
  DE: ["DE89370400440532013000", "COBADEFF"],
  AT: ["AT611904300234573201", "BKAUATWW"],
  FR: ["FR1420041010050500013M02606", "PSSTFRPP"],
  NL: ["NL91ABNA0417164300", "ABNANL2A"],
  SE: ["SE4550000000058398257466", "ESSESESS"],
  GB: ["GB29NWBK60161331926819", "NWBKGB2L"],
};

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
}

/** Two characters exchanged, so that a payout problem can be seen. */
const misspellIban = (iban: string): string => `${iban.slice(0, 4)}${iban[5]}${iban[4]}${iban.slice(6)}`;

const selfBillingBody = (name: string, country: Country, index: number) => {
  const { city, postal_code, street } = ADDRESSES[country];
  const [iban, bic] = BANKS[country];
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

/** The forty partners: two of three are self-billed. */
export const PARTNERS: ReadonlyArray<DemoPartner> = Object.entries(NAMES).flatMap(([group, names]) =>
  names.map(([name, country], index) => ({
    group: group as Group,
    name,
    body: {
      name,
      ...(index % 3 === 2 ? { billing_mode: "partner_billing" } : selfBillingBody(name, country, index)),
    },
    size: [1.6, 1.1, 0.9, 0.7, 1.3, 0.5][index % 6] ?? 1,
  })),
);
