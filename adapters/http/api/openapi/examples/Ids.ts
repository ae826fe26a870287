/** The ids and moments of the examples, and what every list and creation returns. */
import type { JsonObject } from "../Json.ts";

export const CUSTOMER = "0190a6e0-0000-7000-8000-00000000000c";
export const WORKSPACE = "0190a6e0-0000-7000-8000-00000000000e";
export const PARTNER = "0190a6e1-5b1e-7c33-9d0e-2f8a61b7d401";
export const SCHEMA = "0190a6e1-7f02-7a10-8c55-90be3d6f1a02";
export const FORMULA = "0190a6e1-9c4d-7be2-a0f7-51c2e8d4b703";
export const PLAN = "0190a6e1-8e90-7d11-b3a4-62f1d0c7e909";
export const ATTRIBUTION = "0190a6e2-03aa-7d94-b6c1-7e0f2a9c5d04";
export const REPLACING = "0190a6e2-4b10-7c02-9f3d-18e6b4a7d204";
export const COMMISSION = "0190a6e2-03ab-7f00-8e1a-c4d95b20e605";
export const SETTLEMENT = "0190a6e2-88f1-7412-9b3d-06a7f1c8e206";
export const KEY = "0190a6e0-4d2c-7e88-a1b9-3f5c7d90e107";
export const ATTACHMENT = "0190a6e2-88f1-7412-9b3d-06a7f1c8e210";
export const PAYMENT = "0190a6e3-1d70-7a4b-8f26-b9e0c3d5a708";
export const ENDPOINT = "0190a6e0-6b1f-7d3a-9c40-1e8f5a2b7c11";
export const ACCEPTANCE = "0190a6e1-8e90-8d11-b3a4-62f1d0c7e90a";
export const UPLINE = "0190a6e1-5b1e-7c33-9d0e-2f8a61b7d40d";
export const PARTNER_LINK = "0190a6e1-6c20-7d11-b3a4-62f1d0c7e90e";
export const PAYOUT_ACCOUNT = "0190a6e1-6c20-7d11-b3a4-62f1d0c7e90f";
export const RUN = "0190a6e2-7c11-7be0-a4d2-5e9f3b1a7c0b";
export const TRIAL = "0190a6e2-7c11-7be0-a4d2-5e9f3b1a7c0c";
export const RECREDIT = "0190a6e2-7c11-7be0-a4d2-5e9f3b1a7c0d";
export const PAYMENT_FILE = "0190a6e2-88f1-7412-9b3d-06a7f1c8e20f";

export const EARLIER = "2026-01-05T08:00:00.000Z";
export const SALE = "2026-01-10T09:00:00.000Z";
export const LATER = "2026-01-20T10:00:00.000Z";
export const MONTH_END = "2026-02-01T00:00:00.000Z";

export const paged = { total: 1, page: 1, per_page: 10 };
export const created = (id: string): JsonObject => ({ id });
