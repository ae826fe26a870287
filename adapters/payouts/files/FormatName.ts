/** The names of the formats of payment files. A module of its own, because every command of the command line loads it. */

/** Every format that can be written. */
export const FORMAT_NAMES = [
  "pain.001.001.03",
  "pain.001.001.09",
  "pain.001.001.09.ch.03",
  "pain.001.001.09.gb",
  "nacha",
  "wise-csv",
] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** That of files which do not state theirs, and of new ones unless stated. */
export const DEFAULT_FORMAT = "pain.001.001.09" satisfies FormatName;

/** True for the name of a format that can be written. */
export const isFormatName = (name: unknown): name is FormatName =>
  FORMAT_NAMES.some((format) => format === name);

/** The company that pays by NACHA files, as its bank knows it. */
export interface NachaOriginator {
  /** The company id that the bank has assigned: 1 to 10 letters, digits and spaces. */
  readonly companyId: string;
  /** The routing number of the bank. */
  readonly bank: string;
}

/** What the formats state of who pays. */
export interface FileSettings {
  /** For `nacha`. */
  readonly nacha?: NachaOriginator;
  /** For `wise-csv`: the currency of the balance that pays; by default that of the payments. */
  readonly wiseCurrency?: string;
}

/** Why formats cannot be used with settings, or null. */
export const settingsProblem = (
  formats: ReadonlyArray<FormatName>,
  { nacha }: FileSettings,
): string | null =>
  formats.includes("nacha") && nacha === undefined
    ? "nacha needs the company id and the routing number of the bank"
    : null;
