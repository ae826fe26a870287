/**
 * A reader of ACH files, written from the published layout of their records and independent of the writer: it cuts records by
 * positions, and adds every count, hash and total again.
 */

/** Fields by their first and last position, from 1, as the layout numbers them. */
const LAYOUTS = {
  "1": {
    priority: [2, 3],
    destination: [4, 13],
    origin: [14, 23],
    date: [24, 29],
    time: [30, 33],
    modifier: [34, 34],
    recordSize: [35, 37],
    blockingFactor: [38, 39],
    formatCode: [40, 40],
    destinationName: [41, 63],
    originName: [64, 86],
    reference: [87, 94],
  },
  "5": {
    serviceClass: [2, 4],
    companyName: [5, 20],
    discretionary: [21, 40],
    companyId: [41, 50],
    entryClass: [51, 53],
    description: [54, 63],
    descriptiveDate: [64, 69],
    effectiveDate: [70, 75],
    settlementDate: [76, 78],
    status: [79, 79],
    bank: [80, 87],
    batchNumber: [88, 94],
  },
  "6": {
    transactionCode: [2, 3],
    receivingBank: [4, 11],
    checkDigit: [12, 12],
    account: [13, 29],
    amount: [30, 39],
    id: [40, 54],
    name: [55, 76],
    discretionary: [77, 78],
    addendaIndicator: [79, 79],
    trace: [80, 94],
  },
  "7": { typeCode: [2, 3], information: [4, 83], sequence: [84, 87], entry: [88, 94] },
  "8": {
    serviceClass: [2, 4],
    count: [5, 10],
    hash: [11, 20],
    debit: [21, 32],
    credit: [33, 44],
    companyId: [45, 54],
    authentication: [55, 73],
    reserved: [74, 79],
    bank: [80, 87],
    batchNumber: [88, 94],
  },
  "9": {
    batches: [2, 7],
    blocks: [8, 13],
    count: [14, 21],
    hash: [22, 31],
    debit: [32, 43],
    credit: [44, 55],
    reserved: [56, 94],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [number, number]>>>>;

type Layouts = typeof LAYOUTS;
type Fields<Type extends keyof Layouts> = { readonly [Name in keyof Layouts[Type]]: string };

/** Fields with digits alone. */
const NUMERIC = new Set(
  "date time count hash debit credit batches blocks batchNumber bank receivingBank checkDigit amount trace sequence entry effectiveDate transactionCode serviceClass".split(
    " ",
  ),
);

/** An entry, with what its addenda say. */
export interface AchEntry extends Fields<"6"> {
  readonly addenda: ReadonlyArray<string>;
}

/** What a file has, and every reason why it is none. */
export interface AchFile {
  readonly header: Fields<"1"> | null;
  readonly batches: ReadonlyArray<{
    readonly header: Fields<"5">;
    readonly entries: ReadonlyArray<AchEntry>;
  }>;
  readonly problems: ReadonlyArray<string>;
}

const WEIGHTS = [3, 7, 1, 3, 7, 1, 3, 7];

/** The check digit of eight digits of a routing number. */
const checkDigit = (routing: string): number => {
  const sum = WEIGHTS.reduce((total, weight, place) => total + weight * Number(routing[place]), 0);
  return (10 - (sum % 10)) % 10;
};

const cut = <Type extends keyof Layouts>(line: string, type: Type): Fields<Type> =>
  Object.fromEntries(
    Object.entries(LAYOUTS[type]).map(([name, [first, last]]) => [name, line.slice(first - 1, last)]),
  ) as Fields<Type>;

/** What control records state. */
interface Sums {
  readonly count: bigint;
  readonly hash: bigint;
  readonly credit: bigint;
}

const sumsOf = (entries: ReadonlyArray<AchEntry>): Sums => ({
  count: entries.reduce((sum, { addenda }) => sum + 1n + BigInt(addenda.length), 0n),
  // The ten digits at the right.
  hash: entries.reduce((sum, { receivingBank }) => sum + BigInt(receivingBank), 0n) % 10n ** 10n,
  credit: entries.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
});

/** Reads a file. */
export const readAch = (text: string): AchFile => {
  const problems: Array<string> = [];
  const demand = (isTrue: boolean, problem: string): void => void (isTrue || problems.push(problem));
  const lines = text.replace(/\n$/, "").split("\n");
  demand(/^[\n\x20-\x7e]*$/.test(text), "has other characters than ASCII");
  for (const [index, line] of lines.entries())
    demand(line.length === 94, `line ${index + 1} has ${line.length} characters`);
  demand(lines.length % 10 === 0, `has ${lines.length} records, and its last block is not full`);
  const end = lines.findIndex((line) => line.startsWith("9"));
  if (end < 0 || problems.length > 0)
    return { header: null, batches: [], problems: [...problems, "has no end"] };
  demand(
    lines.slice(end + 1).every((line) => line === "9".repeat(94)),
    "has other filling than nines",
  );
  let header: Fields<"1"> | null = null;
  const batches: Array<{ header: Fields<"5">; entries: Array<AchEntry & { addenda: Array<string> }> }> = [];
  let expected = "1";
  let trace = 0n;
  for (const [index, line] of lines.slice(0, end + 1).entries()) {
    const type = line[0] as keyof Layouts;
    demand(
      expected.includes(type),
      `record ${index + 1} is of type ${type}, and one of ${expected} is expected`,
    );
    if (!(type in LAYOUTS)) continue;
    for (const [name, value] of Object.entries<string>(cut(line, type)))
      if (NUMERIC.has(name)) demand(/^\d+$/.test(value), `${name} of record ${index + 1} is ${value}`);
    if (problems.length > 0) break;
    const batch = batches.at(-1);
    const entry = batch?.entries.at(-1);
    if (type === "1") {
      header = cut(line, type);
      const { priority, recordSize, blockingFactor, formatCode, destination } = header;
      demand(`${priority}${recordSize}${blockingFactor}${formatCode}` === "01094101", "the header is wrong");
      demand(
        /^ \d{9}$/.test(destination) && checkDigit(destination.slice(1)) === Number(destination[9]),
        `the destination is ${destination}`,
      );
      demand(/[A-Z0-9]/.test(header.modifier), "the file has no modifier");
      expected = "5";
    } else if (type === "5") {
      const opened = cut(line, type);
      demand(opened.serviceClass === "220" && opened.status === "1", "a batch is not one of credits");
      demand(["PPD", "CCD"].includes(opened.entryClass), `a batch is of class ${opened.entryClass}`);
      demand(
        opened.settlementDate === "   ",
        "a batch states the date of settlement, which the operator does",
      );
      demand(opened.companyName.trim() !== "" && opened.companyId.trim() !== "", "a batch has no company");
      demand(
        Number(opened.batchNumber) === batches.length + 1,
        `a batch has the number ${opened.batchNumber}`,
      );
      batches.push({ header: opened, entries: [] });
      expected = "6";
    } else if (type === "6" && batch !== undefined) {
      const found = cut(line, type);
      demand(["22", "32"].includes(found.transactionCode), `the code ${found.transactionCode} is no credit`);
      demand(
        checkDigit(found.receivingBank) === Number(found.checkDigit),
        `${found.receivingBank} is no bank`,
      );
      demand(/^\S+ *$/.test(found.account) && found.name.trim() !== "", "an entry has no account or no name");
      demand(BigInt(found.amount) > 0n, "an entry has no amount");
      demand(found.trace.startsWith(batch.header.bank), `the trace ${found.trace} is of another bank`);
      demand(BigInt(found.trace) > trace, `the trace ${found.trace} does not rise`);
      trace = BigInt(found.trace);
      batch.entries.push({ ...found, addenda: [] });
      expected = found.addendaIndicator === "1" ? "7" : "68";
    } else if (type === "7" && entry !== undefined) {
      const found = cut(line, type);
      demand(found.typeCode === "05", `addenda are of type ${found.typeCode}`);
      demand(found.entry === entry.trace.slice(-7), "addenda are of another entry");
      demand(
        Number(found.sequence) === entry.addenda.length + 1,
        `addenda have the number ${found.sequence}`,
      );
      entry.addenda.push(found.information.trimEnd());
      expected = "68";
    } else if (type === "8" && batch !== undefined) {
      const stated = cut(line, type);
      const sums = sumsOf(batch.entries);
      demand(BigInt(stated.count) === sums.count, `a batch counts ${stated.count} of ${sums.count} records`);
      demand(BigInt(stated.hash) === sums.hash, `a batch has the hash ${stated.hash}, not ${sums.hash}`);
      demand(
        BigInt(stated.credit) === sums.credit,
        `a batch has the sum ${stated.credit}, not ${sums.credit}`,
      );
      demand(BigInt(stated.debit) === 0n, "a batch has debits");
      const { companyId, bank, batchNumber } = batch.header;
      demand(
        stated.companyId === companyId && stated.bank === bank && stated.batchNumber === batchNumber,
        "a batch ends as another one",
      );
      expected = "59";
    } else if (type === "9") {
      const stated = cut(line, type);
      const sums = sumsOf(batches.flatMap(({ entries }) => entries));
      demand(Number(stated.batches) === batches.length, `the file counts ${stated.batches} batches`);
      demand(Number(stated.blocks) === lines.length / 10, `the file counts ${stated.blocks} blocks`);
      demand(BigInt(stated.count) === sums.count, `the file counts ${stated.count} of ${sums.count} records`);
      demand(BigInt(stated.hash) === sums.hash, `the file has the hash ${stated.hash}, not ${sums.hash}`);
      demand(
        BigInt(stated.credit) === sums.credit,
        `the file has the sum ${stated.credit}, not ${sums.credit}`,
      );
      demand(BigInt(stated.debit) === 0n, "the file has debits");
    }
  }
  return { header, batches, problems };
};
