/** The logs of the records that decide who may do what, and where money goes: each entry names who has acted. */
import type { CustomerId } from "../../../domain/Ids.ts";
import type { Partner } from "../../../domain/Partner.ts";
import type { Principal } from "../../../domain/Principal.ts";
import { personOf } from "../prediction/Rights.ts";
import { appendEntry, type LogEntry } from "../world/Log.ts";
import type { World } from "../world/World.ts";

/** The principal as the events name it. */
export const actorOf = (principal: Principal) => ({
  actor: { principal_id: principal.principalId, person: personOf(principal) },
});

/** The world with one more entry in the log of a record. */
export const logControl = (
  world: World,
  customerId: CustomerId,
  record: string,
  type: string,
  fields: LogEntry["fields"],
): World => {
  const isLog = (controlLog: World["controlLogs"][number]) =>
    controlLog.customerId === customerId && controlLog.record === record;
  const log = appendEntry(world.controlLogs.find(isLog)?.log ?? [], world.now, type, fields);
  return {
    ...world,
    controlLogs: [
      ...world.controlLogs.filter((controlLog) => !isLog(controlLog)),
      { customerId, record, log },
    ],
  };
};

const DATA = [
  ["legal_name", "legalName"],
  ["address", "address"],
  ["vat_number", "vatNumber"],
  ["vat_number_type", "vatNumberType"],
  ["registration_number", "registrationNumber"],
  ["payment_terms_days", "paymentTermsDays"],
  ["bank_account", "bankAccount"],
  ["tax_config", "taxConfig"],
  ["electronic_address", "electronicAddress"],
  ["legal_note", "legalNote"],
  ["contact", "contact"],
] as const;

/** The names of the fields in which a partner differs. */
export const changedFields = (before: Partner, after: Partner): ReadonlyArray<string> => [
  ...Object.entries(after)
    .filter(
      ([name, value]) =>
        name !== "selfBillingData" && JSON.stringify(value) !== JSON.stringify(before[name as keyof Partner]),
    )
    .map(([name]) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)),
  ...DATA.flatMap(([name, field]) =>
    JSON.stringify(before.selfBillingData?.[field]) === JSON.stringify(after.selfBillingData?.[field])
      ? []
      : [`self_billing_data.${name}`],
  ),
];
