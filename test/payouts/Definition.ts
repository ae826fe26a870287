/**
 * The definitions of pain.001.001.03 and pain.001.001.09, as far as the credit transfers of each format go: the elements of each type
 * in their order, and what their texts are. Files are read by a parser that the writer does not use.
 */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import type { FormatName } from "quittance/payouts";

/** A format of pain.001. */
export type PainFormat = Extract<FormatName, `pain.${string}`>;

/** The form of a text, or the name of a type of elements. */
type Content = RegExp | string;

/** An element: `!` after its name if it is required, `+` if it may occur again. */
type Sequence = ReadonlyArray<readonly [name: string, content: Content]>;

/** A type of elements; of a choice, exactly one is there. */
interface Type {
  readonly elements: Sequence;
  readonly isChoice?: true;
}

/** The types by their names, also those that are texts in one version and elements in the other. */
type Definition = Readonly<Record<string, Type | RegExp>>;

/** Texts have the characters that SEPA banks exchange, and neither begin nor end with a slash, nor have two of them. */
const text = (maximum: number): RegExp =>
  new RegExp(`^(?!/)(?!.*//)(?!.*/$)(?=.*\\S)[A-Za-z0-9/\\-?:().,'+ ]{1,${maximum}}$`);

const DATE = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)?$/;
const COUNT = /^\d{1,15}$/;
const SUM = /^(?=(\D*\d){1,18}\D*$)\d+\.\d{2}$/;
const IBAN = /^[A-Z]{2}\d{2}[a-zA-Z0-9]{1,30}$/;

const sequence = (...elements: Sequence): Type => ({ elements });
const choice = (...elements: Sequence): Type => ({ elements, isChoice: true });

const PAYMENT_INSTRUCTION: Sequence = [
  ["PmtInfId!", text(35)],
  ["PmtMtd!", /^TRF$/],
  ["BtchBookg", /^(true|false)$/],
  ["NbOfTxs", COUNT],
  ["CtrlSum", SUM],
  ["PmtTpInf", "PaymentType"],
  ["ReqdExctnDt!", "ExecutionDate"],
  ["Dbtr!", "Party"],
  ["DbtrAcct!", "Account"],
  ["DbtrAgt!", "Agent"],
  ["ChrgBr", /^SLEV$/],
  ["CdtTrfTxInf!+", "Transaction"],
];

/** What both versions have; names of types without their numbers, which differ. */
const SHARED: Definition = {
  Document: sequence(["CstmrCdtTrfInitn!", "Initiation"]),
  Initiation: sequence(["GrpHdr!", "GroupHeader"], ["PmtInf!+", "PaymentInstruction"]),
  GroupHeader: sequence(
    ["MsgId!", text(35)],
    ["CreDtTm!", DATE_TIME],
    ["NbOfTxs!", COUNT],
    ["CtrlSum", SUM],
    ["InitgPty!", "Party"],
  ),
  PaymentInstruction: sequence(...PAYMENT_INSTRUCTION),
  PaymentType: sequence(["SvcLvl!", "ServiceLevel"]),
  ServiceLevel: choice(["Cd", /^SEPA$/]),
  Transaction: sequence(
    ["PmtId!", "PaymentIdentification"],
    ["Amt!", "Amount"],
    ["CdtrAgt", "Agent"],
    ["Cdtr!", "Party"],
    ["CdtrAcct!", "Account"],
    ["RmtInf", "Remittance"],
  ),
  PaymentIdentification: sequence(["InstrId", text(35)], ["EndToEndId!", text(35)]),
  Amount: choice(["InstdAmt", /^\d{1,9}\.\d{2}$/]),
  Party: sequence(["Nm!", text(70)], ["PstlAdr", "Address"]),
  Account: sequence(["Id!", "AccountIdentification"]),
  AccountIdentification: choice(["IBAN", IBAN]),
  Agent: sequence(["FinInstnId!", "Institution"]),
  OtherIdentification: sequence(["Id!", /^NOTPROVIDED$/]),
  Remittance: choice(["Ustrd", text(140)]),
};

const BICFI = /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/;

const NEW: Definition = {
  ...SHARED,
  ExecutionDate: choice(["Dt", DATE]),
  Institution: choice(["BICFI", BICFI], ["Othr", "OtherIdentification"]),
  Address: sequence(
    ["StrtNm", text(70)],
    ["BldgNb", text(16)],
    ["BldgNm", text(35)],
    ["Flr", text(70)],
    ["PstBx", text(16)],
    ["Room", text(70)],
    ["PstCd", text(16)],
    ["TwnNm", text(35)],
    ["TwnLctnNm", text(35)],
    ["DstrctNm", text(35)],
    ["CtrySubDvsn", text(35)],
    ["Ctry", /^[A-Z]{2}$/],
  ),
};

const DEFINITIONS: Readonly<Record<PainFormat, Definition>> = {
  "pain.001.001.03": {
    ...SHARED,
    ExecutionDate: DATE,
    Institution: choice(
      ["BIC", /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9]([A-Z0-9]{3})?$/],
      ["Othr", "OtherIdentification"],
    ),
    Address: sequence(
      ["StrtNm", text(70)],
      ["BldgNb", text(16)],
      ["PstCd", text(16)],
      ["TwnNm", text(35)],
      ["CtrySubDvsn", text(35)],
      ["Ctry", /^[A-Z]{2}$/],
    ),
  },
  "pain.001.001.09": NEW,
  "pain.001.001.09.ch.03": {
    ...NEW,
    ServiceLevel: choice(["Cd", /^SEPA$/]),
    Institution: choice(["BICFI", BICFI], ["ClrSysMmbId", "ClearingMember"]),
    ClearingCode: choice(["Cd", /^CHBCC$/]),
    ClearingMember: sequence(["ClrSysId!", "ClearingCode"], ["MmbId!", /^\d{5}$/]),
  },
  "pain.001.001.09.gb": {
    ...NEW,
    ServiceLevel: choice(["Cd", /^URNS$/]),
    PaymentInstruction: sequence(
      ...PAYMENT_INSTRUCTION.map(
        ([name, content]) => [name, name === "ChrgBr" ? /^SHAR$/ : content] as const,
      ),
    ),
    Institution: choice(["BICFI", BICFI], ["ClrSysMmbId", "ClearingMember"]),
    ClearingCode: choice(["Cd", /^GBDSC$/]),
    ClearingMember: sequence(["ClrSysId!", "ClearingCode"], ["MmbId!", /^\d{6}$/]),
    AccountIdentification: choice(["IBAN", IBAN], ["Othr", "OtherAccount"]),
    OtherAccount: sequence(["Id!", /^\d{8}$/], ["SchmeNm", "Scheme"]),
    Scheme: choice(["Cd", /^BBAN$/]),
  },
};

/** An element as the parser returns it with its order kept. */
interface Node {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  /** Its elements, or its text. */
  readonly content: ReadonlyArray<Node> | string;
}

type Parsed = Readonly<Record<string, unknown>>;

const nodeOf = (parsed: Parsed): Node => {
  const name = Object.keys(parsed).find((key) => key !== ":@") ?? "";
  const children = parsed[name] as ReadonlyArray<Parsed>;
  const isText = children.every((child) => "#text" in child);
  return {
    name,
    attributes: (parsed[":@"] ?? {}) as Node["attributes"],
    content: isText ? children.map((child) => String(child["#text"])).join("") : children.map(nodeOf),
  };
};

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  ignoreDeclaration: true,
  parseTagValue: false,
  trimValues: false,
});

/** Checks a document against one version. */
class Check {
  readonly problems: Array<string> = [];
  readonly #format: PainFormat;

  constructor(format: PainFormat) {
    this.#format = format;
  }

  element(node: Node, content: Content, path: string): void {
    const type = typeof content === "string" ? DEFINITIONS[this.#format][content] : content;
    if (type === undefined) throw new Error(`${content} is no type of ${this.#format}`);
    const attributes = Object.keys(node.attributes).join(" ");
    const expected = node.name === "InstdAmt" ? "@_Ccy" : node.name === "Document" ? "@_xmlns" : "";
    if (attributes !== expected) this.problems.push(`${path} has the attributes "${attributes}"`);
    if (!(type instanceof RegExp)) this.#elements(node, type, path);
    else if (typeof node.content !== "string") this.problems.push(`${path} has elements`);
    else if (!type.test(node.content)) this.problems.push(`${path} must not be "${node.content}"`);
  }

  #elements({ content }: Node, type: Type, path: string): void {
    if (typeof content === "string") {
      this.problems.push(`${path} has no elements`);
      return;
    }
    let next = 0;
    for (const [stated, of] of type.elements) {
      const [, element = "", flags = ""] = /^(\w+)([!+]*)$/.exec(stated) ?? [];
      const first = next;
      for (; content[next]?.name === element; next++) {
        const node = content[next];
        if (node !== undefined) this.element(node, of, `${path}/${element}`);
      }
      if (next === first && flags.includes("!")) this.problems.push(`${path} has no ${element} at its place`);
      if (next > first + 1 && !flags.includes("+"))
        this.problems.push(`${path} has more than one ${element}`);
    }
    const left = content[next];
    if (left !== undefined) this.problems.push(`${path} must not have ${left.name} there`);
    if (type.isChoice && content.length !== 1) this.problems.push(`${path} must have one of its elements`);
  }
}

const at = ({ content }: Node, ...path: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [name, ...rest] = path;
  if (name === undefined) return typeof content === "string" ? [content] : [];
  return typeof content === "string"
    ? []
    : content.filter((node) => node.name === name).flatMap((node) => at(node, ...rest));
};

const cents = (amount: string): bigint => BigInt(amount.replace(".", ""));

/** Where the count or the sum of an element is not that of the amounts below it. */
const totalProblems = (node: Node, amounts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const sum = amounts.reduce((total, amount) => total + cents(amount), 0n);
  const counts = at(node, "NbOfTxs").filter((count) => count !== String(amounts.length));
  const sums = at(node, "CtrlSum").filter((stated) => cents(stated) !== sum);
  return [
    ...counts.map((count) => `${node.name} counts ${count} of ${amounts.length} payments`),
    ...sums.map((stated) => `${node.name} has the sum ${stated}`),
  ];
};

const AMOUNT = ["CdtTrfTxInf", "Amt", "InstdAmt"];

const contentProblems = (document: Node): ReadonlyArray<string> => {
  const initiation = typeof document.content === "string" ? undefined : document.content[0];
  const parts = initiation === undefined || typeof initiation.content === "string" ? [] : initiation.content;
  const batches = parts.filter(({ name }) => name === "PmtInf");
  const ids = batches.flatMap((batch) => at(batch, "CdtTrfTxInf", "PmtId", "EndToEndId"));
  return [
    ...batches.flatMap((batch) => totalProblems(batch, at(batch, ...AMOUNT))),
    ...parts
      .filter(({ name }) => name === "GrpHdr")
      .flatMap((header) =>
        totalProblems(
          header,
          batches.flatMap((batch) => at(batch, ...AMOUNT)),
        ),
      ),
    ...(new Set(ids).size < ids.length ? ["an end-to-end id occurs twice"] : []),
  ];
};

/** Why a text is no message of a format; none if it is one. */
export const problemsOf = (content: string, format: PainFormat): ReadonlyArray<string> => {
  if (XMLValidator.validate(content) !== true) return ["is not well formed"];
  const roots = (parser.parse(content) as ReadonlyArray<Parsed>).filter((parsed) => !("#text" in parsed));
  const [document] = roots.map(nodeOf);
  if (document === undefined || document.name !== "Document") return ["has no Document"];
  const namespace = document.attributes["@_xmlns"];
  if (namespace !== `urn:iso:std:iso:20022:tech:xsd:${format.slice(0, 15)}`)
    return [`is in the namespace ${namespace}`];
  const check = new Check(format);
  check.element(document, "Document", "Document");
  return check.problems.length > 0 ? check.problems : contentProblems(document);
};
