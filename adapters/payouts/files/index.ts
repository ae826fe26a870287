/** Payouts by files: initiated payments are collected in files, which a person sends to a bank; the bank's statements confirm them. */
import { Effect } from "effect";
import { PaymentProvider } from "quittance";
import * as BankFile from "../sepa/BankFile.ts";
import type { SepaFormat } from "../sepa/Format.ts";
import { DEFAULT_FORMAT, type FileSettings, type FormatName, settingsProblem } from "./FormatName.ts";
import { formatOf, formatWith } from "./Formats.ts";

/** In which formats files are written, and who pays. */
export interface FileOptions extends FileSettings {
  /** Those of new files, one or more: a payment goes into a file of the first that can pay it. */
  readonly formats: ReadonlyArray<FormatName>;
}

const providerOf = (name: string, { formats: names, ...settings }: FileOptions) => {
  const problem = names.length === 0 ? "formats must not be empty" : settingsProblem(names, settings);
  if (problem !== null) throw new Error(problem);
  const formats = names.map((format) => formatWith(format, settings));
  return PaymentProvider.provider({
    name,
    takes: formats.flatMap(({ takes }) => takes),
    send: () => Effect.void,
    status: () => Effect.succeed({ type: "pending" }),
    files: { formats, formatOf, read: BankFile.read },
  });
};

/** The provider that pays by files, and reads statements (camt.053, camt.054, MT940, MT942), pain.002 reports and NACHA return files. Throws when the options cannot be used. */
export const files = (options: FileOptions): PaymentProvider.PaymentProviderService =>
  providerOf("files", options);

/** What the bank takes. */
export interface SepaOptions {
  /** The version of pain.001 of new files; `pain.001.001.09` by default. */
  readonly format?: SepaFormat;
}

/** The provider that pays by SEPA credit transfer files in a version of pain.001. */
export const sepaWith = ({ format = DEFAULT_FORMAT }: SepaOptions): PaymentProvider.PaymentProviderService =>
  providerOf("sepa", { formats: [format] });

/** The provider that pays by SEPA credit transfer files in pain.001.001.09. */
export const sepa: PaymentProvider.PaymentProviderService = sepaWith({});
