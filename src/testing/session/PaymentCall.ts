/** Calls of the services for payments: what providers and banks report, and payment files. */
import { Effect } from "effect";
import type { PaymentReference } from "../../domain/Ids.ts";
import type { Command } from "../model/Command.ts";
import { PROVIDER } from "../model/settlements/PaymentFacts.ts";
import { statementBytes } from "./FileFormats.ts";
import type { Harness } from "./Harness.ts";
import { optionsOf, type ServiceCall } from "./ServiceCall.ts";

/** Reports a payment fact. */
const callReport = (
  { services: { payments } }: Harness,
  { fact, reference, eventId, bankReference, fee, received }: Extract<Command, { type: "report_payment" }>,
): ServiceCall => {
  // The reference was read from a settlement, or is a UUID that no settlement has.
  const paymentReference = reference as PaymentReference;
  return payments.recordPaymentEvent({
    provider: PROVIDER,
    eventId,
    fact:
      fact === "confirmed"
        ? {
            type: fact,
            paymentReference,
            ...(bankReference === undefined ? {} : { bankReference }),
            ...(fee === undefined ? {} : { fee }),
            ...(received === undefined ? {} : { received }),
          }
        : { type: fact, paymentReference, reason: "reported" },
  });
};

type PaymentCommand = Extract<
  Command,
  {
    type:
      | "report_payment"
      | "create_payment_file"
      | "hand_over_payment_file"
      | "discard_payment_file"
      | "read_statement";
  }
>;

/** True for what providers and banks report, and for commands on payment files. */
export const isPaymentCommand = (command: Command): command is PaymentCommand =>
  command.type === "report_payment" ||
  command.type === "read_statement" ||
  command.type.endsWith("_payment_file");

/** Reports a payment fact; creates, hands over or discards a payment file; or reads a statement. */
export const callPayments = (harness: Harness, command: PaymentCommand): ServiceCall => {
  if (command.type === "report_payment") return callReport(harness, command);
  const { paymentFiles, bankStatements } = harness.services;
  const { principal } = command;
  const options = optionsOf(command);
  switch (command.type) {
    case "create_payment_file":
      return paymentFiles.create(principal, command.input, options);
    case "hand_over_payment_file":
      return paymentFiles.handOver(principal, command.id, options);
    case "discard_payment_file":
      return paymentFiles.discard(principal, command.id, { reason: command.reason }, options);
    case "read_statement": {
      const file = { fileName: "statement", bytes: statementBytes(command.statement) };
      return Effect.map(
        bankStatements.upload(principal, file, options),
        ({ replayed, unmatched, ...counts }) => ({
          ...(replayed === undefined ? {} : { replayed }),
          body: { ...counts, unmatched: unmatched.map(({ reason }) => reason) },
        }),
      );
    }
  }
};
