/** Builders of rows and events for tests. Every row is the fold of its events, so that a fixture is always consistent. */
export * from "./build/Basics.ts";
export * from "./build/EarningRecords.ts";
export * from "./build/LinkRecords.ts";
export * from "./build/OperationalRecords.ts";
export * from "./build/RecreditRecords.ts";
export * from "./build/SettlementRecords.ts";
export * from "./build/TrialRecords.ts";
