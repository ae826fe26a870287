/** Payouts: SEPA files, a payment service of the operator's own, and a simulated bank for trying out. */
export { type PaymentServiceOptions, paymentService } from "./http/PaymentService.ts";
export { paymentServiceProblem } from "./http/PaymentServiceProblem.ts";
export {
  FORMATS as SEPA_FORMATS,
  type Format as SepaFormat,
  isFormat as isSepaFormat,
} from "./sepa/Format.ts";
export { type Options as SepaOptions, sepa, sepaWith } from "./sepa/index.ts";
export {
  type Options as SimulatedOptions,
  OUTCOMES,
  type Outcome,
  outcomeByName,
  simulated,
} from "./simulated/Simulated.ts";
