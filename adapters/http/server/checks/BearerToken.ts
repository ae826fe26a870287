/** The pattern of a bearer credential (RFC 6750): one that does not match it is refused before it is compared. */
export const BEARER_TOKEN = "[A-Za-z0-9\\-._~+/]+=*";
