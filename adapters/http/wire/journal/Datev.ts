/** A journal as a DATEV file: EXTF, version 700 of the header, category 21 (`Buchungsstapel`), version 13 of its format. */
import { Currency, JournalFile, type Journals, Timestamp } from "quittance";
import { Rational } from "quittance/formula";
import { withoutFormulas } from "../Csv.ts";
import { dayOf, type Form, partsOf } from "./Form.ts";
import { inWindows1252, windows1252 } from "./Windows1252.ts";

const pairs = (first: string, second: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `"${first} ${index + 1};"${second} ${index + 1}`).join(";");

/** The 125 columns in their order; a quotation mark stands before those of text, which are quoted also where they are empty. */
const COLUMNS = [
  'Umsatz (ohne Soll/Haben-Kz);"Soll/Haben-Kennzeichen;"WKZ Umsatz;Kurs;Basis-Umsatz;"WKZ Basis-Umsatz;Konto',
  'Gegenkonto (ohne BU-Schlüssel);"BU-Schlüssel;Belegdatum;"Belegfeld 1;"Belegfeld 2;Skonto;"Buchungstext',
  'Postensperre;"Diverse Adressnummer;Geschäftspartnerbank;Sachverhalt;Zinssperre;"Beleglink',
  pairs("Beleginfo - Art", "Beleginfo - Inhalt", 8),
  '"KOST1 - Kostenstelle;"KOST2 - Kostenstelle;Kost-Menge;"EU-Land u. UStID (Bestimmung)',
  'EU-Steuersatz (Bestimmung);"Abw. Versteuerungsart;Sachverhalt L+L;Funktionsergänzung L+L',
  "BU 49 Hauptfunktionstyp;BU 49 Hauptfunktionsnummer;BU 49 Funktionsergänzung",
  pairs("Zusatzinformation - Art", "Zusatzinformation- Inhalt", 20),
  'Stück;Gewicht;Zahlweise;"Forderungsart;Veranlagungsjahr;Zugeordnete Fälligkeit;Skontotyp;"Auftragsnummer',
  '"Buchungstyp;USt-Schlüssel (Anzahlungen);"EU-Land (Anzahlungen);Sachverhalt L+L (Anzahlungen)',
  'EU-Steuersatz (Anzahlungen);Erlöskonto (Anzahlungen);"Herkunft-Kz;"Buchungs GUID;KOST-Datum',
  '"SEPA-Mandatsreferenz;Skontosperre;"Gesellschaftername;Beteiligtennummer;"Identifikationsnummer',
  '"Zeichnernummer;Postensperre bis;"Bezeichnung SoBil-Sachverhalt;Kennzeichen SoBil-Buchung;Festschreibung',
  'Leistungsdatum;Datum Zuord. Steuerperiode;Fälligkeit;"Generalumkehr (GU);Steuersatz;"Land',
  '"Abrechnungsreferenz;BVV-Position;"EU-Land u. UStID (Ursprung);EU-Steuersatz (Ursprung);Abw. Skontokonto',
]
  .join(";")
  .split(";")
  .map((column) => ({ name: column.replace('"', ""), isText: column.startsWith('"') }));

const line = (cells: ReadonlyArray<string | number>): string => `${cells.join(";")}\r\n`;

/** Text of at most so many characters, quoted; in it nothing begins a formula. */
const quoted = (text: string, maximum: number): string => {
  const plain = inWindows1252(text.replaceAll(/[\s\p{C}]+/gu, " ").trim());
  return `"${withoutFormulas(plain).slice(0, maximum).replaceAll('"', '""')}"`;
};

/** The number of a document in the characters that the field of the key of open items allows. */
const documentNumber = (text: string): string =>
  text
    .replaceAll(/[^\w$%/-]+/g, "-")
    .slice(0, 36)
    .replaceAll(/^-+|-+$/g, "");

const row = (values: Readonly<Record<string, string | undefined>>): string =>
  line(COLUMNS.map(({ name, isText }) => values[name] ?? (isText ? '""' : "")));

const compact = (day: string): string => day.replaceAll("-", "");

const header = (head: Journals.JournalHead): string => {
  const { datev, currency, createdAt } = head;
  if (datev === null) throw new Error("a DATEV file has no client");
  const { first, last } = JournalFile.daysOf(head);
  const year = JournalFile.fiscalYearOf(datev, first);
  return line([
    ...['"EXTF"', 700, 21, '"Buchungsstapel"', 13],
    ...[Timestamp.format(createdAt).replaceAll(/\D/g, "").padEnd(17, "0"), "", '"QT"', '""', '""'],
    ...[datev.consultant, datev.client, compact(year.first), datev.accountLength],
    ...[compact(first), compact(last), `"Journal ${first}"`, '""', 1, 0],
    // Not locked: the accountant locks what is right.
    ...[0, `"${currency}"`, "", '""', "", "", '""', "", "", '""', '""'],
  ]);
};

/** Ten digits before the comma. */
const UNITS_MAX = 10_000_000_000n;

/** Parts of an amount that each fit into the field. */
const partsThatFit = (amount: bigint, currency: Currency.Currency): ReadonlyArray<bigint> => {
  const maximum = UNITS_MAX * 10n ** BigInt(Currency.decimals(currency)) - 1n;
  const parts: Array<bigint> = [];
  for (let left = Rational.absolute(amount); left > 0n; left -= maximum)
    parts.push(left < maximum ? left : maximum);
  return parts;
};

const shown = (amount: bigint, currency: Currency.Currency): string => {
  const [units = "", decimals = ""] = Currency.formatAmount(amount, currency).split(".");
  return `${units},${decimals.padEnd(2, "0")}`;
};

const rowsOf = (entry: Journals.JournalEntry): string => {
  const { currency, document, reference, partnerName, partnerId, commissionId, settlementId } = entry;
  const { date, month } = partsOf(dayOf(entry));
  const about =
    commissionId === null ? ["Settlement", settlementId ?? ""] : (["Commission", commissionId] as const);
  const stated = {
    "WKZ Umsatz": `"${currency}"`,
    Belegdatum: `${date}${month}`,
    "Belegfeld 1": `"${documentNumber(document ?? reference ?? "")}"`,
    "Zusatzinformation - Art 1": '"Partner"',
    "Zusatzinformation- Inhalt 1": quoted(partnerName, 210),
    "Zusatzinformation - Art 2": '"Partner-ID"',
    "Zusatzinformation- Inhalt 2": `"${partnerId}"`,
    "Zusatzinformation - Art 3": `"${about[0]}"`,
    "Zusatzinformation- Inhalt 3": `"${about[1]}"`,
    Festschreibung: "0",
  };
  return JournalFile.pairsOf(entry.lines)
    .flatMap(({ posting, contra, amount }) => {
      const costCentre = posting.costCentre ?? contra.costCentre;
      return partsThatFit(amount, currency).map((part) =>
        row({
          ...stated,
          "Umsatz (ohne Soll/Haben-Kz)": shown(part, currency),
          "Soll/Haben-Kennzeichen": amount < 0n ? '"H"' : '"S"',
          Konto: posting.number,
          "Gegenkonto (ohne BU-Schlüssel)": contra.number,
          Buchungstext: quoted(posting.text ?? contra.text ?? entry.text, 60),
          "KOST1 - Kostenstelle": costCentre === undefined ? undefined : quoted(costCentre, 36),
        }),
      );
    })
    .join("");
};

export const datevForm: Form = {
  mediaType: "text/csv; charset=windows-1252; header=present",
  fileName: (name) => `EXTF_${name}.csv`,
  before: (head) => `${header(head)}${line(COLUMNS.map(({ name }) => name))}`,
  entry:
    () =>
    ({ entry }) =>
      rowsOf(entry),
  encode: windows1252,
};
