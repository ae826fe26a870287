import { Limits } from "quittance";
import { expect, it } from "vitest";

it("amounts are limited to what JSON clients read exactly", () => {
  expect(Limits.MAX_AMOUNT).toBe(9_007_199_254_740_991);
});

it("everything that a caller can make long or many has a limit", () => {
  expect(Limits).toMatchObject({
    NAME_MAX: 255,
    DESCRIPTION_MAX: 2_000,
    REASON_MAX: 1_000,
    EXTERNAL_REFERENCE_MAX: 255,
    SCHEMA_PROPERTIES_MAX: 100,
    PROPERTY_NAME_MAX: 128,
    PROPERTY_STRING_MAX: 4_096,
    SETTLEMENT_LINES_MAX: 10_000,
    BATCH_MAX: 1_000,
    SAMPLES_MAX: 100,
    ASSIGNED_MAX: 1_000,
    ROLL_OUT_INLINE_MAX: 100,
    FILTER_VALUES_MAX: 100,
    PER_PAGE_MAX: 100,
    PER_PAGE_DEFAULT: 10,
    BUCKETS_MAX: 1_000,
    UPLOAD_BYTES_MAX: 10_485_760,
    UPLOADS_MAX: 20,
    UPLOADS_BYTES_MAX: 52_428_800,
    FILE_NAME_MAX: 100,
    IDEMPOTENCY_KEY_MAX: 255,
    COMMAND_ATTEMPTS_MAX: 8,
    ORDERED_ATTEMPTS_MAX: 64,
    PAID_BEFORE_APPROVAL_MAX: 86_400_000,
    PAID_AHEAD_MAX: 300_000,
  });
});
