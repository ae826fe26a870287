/** True if a request is valid, for the bounds that generated commands exceed. */
import type { Facts } from "../../../domain/Document.ts";
import type { Update as PartnerUpdate, SelfBillingData } from "../../../domain/Partner.ts";
import type { Properties } from "../../../domain/Properties.ts";

/** Text that may not be blank, of at most so many characters. */
export const isText = (text: string, most: number): boolean => text.trim() !== "" && [...text].length <= most;

/** A name of any record. */
export const isName = (name: string): boolean => isText(name, 255);

/** A description; null is none. */
export const isDescription = (text: string | null): boolean => text === null || [...text].length <= 2_000;

/** A reason. */
export const isReason = (reason: string): boolean => isText(reason, 1_000);

/** A prefix of document numbers: runs of letters and digits with one of four separators between them. */
export const isNumberPrefix = (text: string): boolean =>
  text.length <= 20 && text.split(/[-/._]/).every((run) => /^[A-Za-z0-9]+$/.test(run));

/** True if every property value is within the bounds of all schemas. */
export const arePropertyValues = (properties: Properties): boolean =>
  Object.values(properties).every((value) =>
    typeof value === "number"
      ? Math.abs(value) <= 1e15
      : typeof value === "boolean" || [...value].length <= 4_096,
  );

const isSelfBillingData = ({ taxConfig }: SelfBillingData): boolean =>
  (taxConfig.treatment === "standard") === (taxConfig.rateBps !== null);

/** True if billing mode and data of one request are consistent; data alone depends on the partner's mode. */
export const isBilling = ({ billingMode, selfBillingData }: PartnerUpdate): boolean =>
  (selfBillingData == null || isSelfBillingData(selfBillingData)) &&
  (billingMode === "self_billing"
    ? selfBillingData != null
    : billingMode === "partner_billing"
      ? selfBillingData == null
      : true);

const isDate = (text: string): boolean =>
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text) &&
  !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
  new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);

/** True if the facts of an upload are valid for its kind. */
export const areFacts = (kind: string, { number, date, dueDate, taxAmount }: Facts): boolean =>
  (number === undefined || isText(number, 64)) &&
  (kind !== "report" || (date === undefined && dueDate === undefined && taxAmount === undefined)) &&
  (date === undefined || isDate(date)) &&
  (dueDate === undefined || isDate(dueDate)) &&
  (date === undefined || dueDate === undefined || date <= dueDate) &&
  (taxAmount === undefined || (Number.isSafeInteger(taxAmount) && taxAmount >= 0));

/** True if a window starts before its end. */
export const isWindow = (start: number, end: number | null): boolean => end === null || start < end;
