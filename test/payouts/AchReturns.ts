/** Writes the file with which a bank returns entries of an ACH file, from the published layout and independent of the reader. */
import { type AchEntry, readAch } from "./AchReader.ts";

/** What a bank says of an entry. */
export interface Answer {
  readonly entry: AchEntry;
  readonly code: string;
  /** The addenda information of a return; the corrected data of a notification of change. */
  readonly added?: string;
}

/** What a bank may write otherwise. */
export interface Style {
  /** YYMMDD; by default the day that the file to the bank stated. */
  readonly effectiveDate?: string;
  /** Instead of the amount of the entry, in cents. */
  readonly amount?: number;
  readonly lineEnd?: string;
  /** YYMMDD: when the bank made the file. */
  readonly created?: string;
}

const digits = (value: number | bigint, length: number): string => String(value).padStart(length, "0");

const isChange = ({ code }: Answer): boolean => code.startsWith("C");

const CODES: Readonly<Record<string, string>> = { "22": "21", "32": "31" };

/** The return file of answers to entries of a file. */
export const returnFile = (sent: string, answers: ReadonlyArray<Answer>, style: Style = {}): string => {
  const { header, batches } = readAch(sent);
  const batch = batches[0]?.header;
  if (header === null || batch === undefined) throw new Error("the file has no batch");
  const bank = header.destination.slice(1, 9);
  const amountOf = (answer: Answer): number =>
    isChange(answer) ? 0 : (style.amount ?? Number(answer.entry.amount));
  const totalsOf = (own: ReadonlyArray<Answer>, countDigits: number): string => {
    const hash = (BigInt(bank) * BigInt(own.length)) % 10n ** 10n;
    const credit = own.reduce((sum, answer) => sum + amountOf(answer), 0);
    return `${digits(own.length * 2, countDigits)}${digits(hash, 10)}${digits(0, 12)}${digits(credit, 12)}`;
  };
  const groups = [
    { entryClass: batch.entryClass, own: answers.filter((answer) => !isChange(answer)) },
    { entryClass: "COR", own: answers.filter(isChange) },
  ].filter(({ own }) => own.length > 0);
  let trace = 0;
  const body = groups.flatMap(({ entryClass, own }, index) => {
    const end = `${bank}${digits(index + 1, 7)}`;
    const day = style.effectiveDate ?? batch.effectiveDate;
    return [
      `5220${batch.companyName}${batch.discretionary}${batch.companyId}${entryClass}${batch.description}${batch.descriptiveDate}${day}0061${end}`,
      ...own.flatMap((answer) => {
        const { entry, code, added = "" } = answer;
        const own = `${entry.receivingBank}${digits(++trace, 7)}`;
        return [
          `6${CODES[entry.transactionCode]}${bank}${header.destination.slice(9)}${entry.account}${digits(amountOf(answer), 10)}${entry.id}${entry.name}  1${own}`,
          isChange(answer)
            ? `798${code}${entry.trace}      ${entry.receivingBank}${added.padEnd(29)}${" ".repeat(15)}${own}`
            : `799${code}${entry.trace}      ${entry.receivingBank}${added.padEnd(44)}${own}`,
        ];
      }),
      `8220${totalsOf(own, 6)}${batch.companyId}${" ".repeat(25)}${end}`,
    ];
  });
  const count = body.length + 2;
  const blocks = Math.ceil(count / 10);
  const records = [
    `101${header.origin.padStart(10)}${header.destination}${style.created ?? "260107"}0815A094101${header.originName}${"FIRST BANK".padEnd(23)}${" ".repeat(8)}`,
    ...body,
    `9${digits(groups.length, 6)}${digits(blocks, 6)}${totalsOf(answers, 8)}${" ".repeat(39)}`,
    ...Array.from({ length: blocks * 10 - count }, () => "9".repeat(94)),
  ];
  const lineEnd = style.lineEnd ?? "\n";
  return records.map((record) => record + lineEnd).join("");
};
