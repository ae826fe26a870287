/** Every format of payment files, by its name. */
import type { PaymentProvider } from "quittance";
import { DEFAULT_FORMAT, type FileSettings, type FormatName, isFormatName } from "./FormatName.ts";
import { nachaFormat } from "./Nacha.ts";
import { sepaFormat, swissFormat, ukFormat } from "./Pain.ts";
import { wiseFormat } from "./Wise.ts";

/** Each format, for new files of a payer with these settings. */
const FORMATS: {
  readonly [Name in FormatName]: (settings: FileSettings) => PaymentProvider.FileFormat;
} = {
  "pain.001.001.03": () => sepaFormat("pain.001.001.03"),
  "pain.001.001.09": () => sepaFormat("pain.001.001.09"),
  "pain.001.001.09.ch.03": () => swissFormat,
  "pain.001.001.09.gb": () => ukFormat,
  nacha: ({ nacha }) => nachaFormat(nacha ?? null),
  "wise-csv": ({ wiseCurrency }) => wiseFormat(wiseCurrency ?? null),
};

/** A format, for new files of a payer. */
export const formatWith = (name: FormatName, settings: FileSettings): PaymentProvider.FileFormat =>
  FORMATS[name](settings);

/** The format of a file, which has what it states of the payer; files before formats were recorded are in the default. */
export const formatOf = (name: string = DEFAULT_FORMAT): PaymentProvider.FileFormat | null =>
  isFormatName(name) ? formatWith(name, {}) : null;
