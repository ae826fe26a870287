/**
 * Quittance: credits business events to partners, computes what each earns, and carries the money through settlement.
 * One namespace per module: pure records and rules, the ports a host supplies, and the services that join them.
 */
export * as ApiKey from "./domain/ApiKey.ts";
export * as Attribution from "./domain/Attribution.ts";
export * as AttributionSchema from "./domain/AttributionSchema.ts";
export * as BillingProfile from "./domain/BillingProfile.ts";
export * as Calendar from "./domain/Calendar.ts";
export * as Commission from "./domain/Commission.ts";
export * as Country from "./domain/Country.ts";
export * as Currency from "./domain/Currency.ts";
export * as Document from "./domain/Document.ts";
export * as Event from "./domain/Event.ts";
export * as Formula from "./domain/Formula.ts";
export * as Ids from "./domain/Ids.ts";
export * as Ledger from "./domain/Ledger.ts";
export * as Limits from "./domain/Limits.ts";
export * as Money from "./domain/Money.ts";
export * as Partner from "./domain/Partner.ts";
export * as Principal from "./domain/Principal.ts";
export * as Properties from "./domain/Properties.ts";
export * as Recomputation from "./domain/Recomputation.ts";
export * as Refusal from "./domain/Refusal.ts";
export * as Settlement from "./domain/Settlement.ts";
export * as SettlementMachine from "./domain/SettlementMachine.ts";
export * as Text from "./domain/Text.ts";
export * as Timestamp from "./domain/Timestamp.ts";
export * as Directory from "./ports/Directory.ts";
export * as Documents from "./ports/Documents.ts";
export * as IdSource from "./ports/IdSource.ts";
export * as Outbox from "./ports/Outbox.ts";
export * as Storage from "./ports/Storage.ts";
export * as TokenVerifier from "./ports/TokenVerifier.ts";
