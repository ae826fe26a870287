/** The examples of the OpenAPI document: one sale, from the partner to the settlement. A test validates them. */
export * from "./Account.ts";
export * from "./Earning.ts";
export * from "./Ids.ts";
export * from "./PlanTrial.ts";
export * from "./Refused.ts";
export * from "./Settlement.ts";
