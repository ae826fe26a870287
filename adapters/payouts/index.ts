/** Payouts: files for a bank, a payment service of the operator's own, and a simulated bank for trying out. */
export {
  type FileSettings,
  FORMAT_NAMES,
  type FormatName,
  isFormatName,
  type NachaOriginator,
  settingsProblem,
} from "./files/FormatName.ts";
export { type FileOptions, files, type SepaOptions, sepa, sepaWith } from "./files/index.ts";
export { type PaymentServiceOptions, paymentService } from "./http/PaymentService.ts";
export { paymentServiceProblem } from "./http/PaymentServiceProblem.ts";
export { isSepaFormat, SEPA_FORMATS, type SepaFormat } from "./sepa/Format.ts";
export {
  type Options as SimulatedOptions,
  OUTCOMES,
  type Outcome,
  outcomeByName,
  simulated,
} from "./simulated/Simulated.ts";
