/** Messages of refused requests that several operations return. */
export const PAGE = "per_page: must be 1 to 100";
export const MOMENT = "must be an RFC 3339 date-time with an offset or Z";
export const REASON = "reason: must not be empty";
export const COMMISSIONS = "commission_ids: must have 1 to 10000 ids";
