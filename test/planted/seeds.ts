/** The seeds of the random runs that find planted bugs. */

/** The seed of every bug without one of its own. */
export const COMMON_SEED = 7;

/**
 * Seeds that find some bugs sooner than the common seed; they only save time. `findSeeds.ts` looks for them, as it has to
 * after a change of what random runs do.
 */
export const SOONER: ReadonlyMap<string, number> = new Map([
  ["a line is the whole amount instead of what is due", 1],
  ["a write-off releases the lines", 2],
  ["an explanation uses the latest version of the formula", 1],
  ["a second revocation stores a change", 1],
  ["a payment in flight can be disputed", 21],
  ["a key can have scopes that its creator lacks", 2],
  ["write-offs of both signs are one sum", 37],
  ["created_to includes its moment", 10],
  ["a settlement accepts a commission whose computation failed", 20],
  ["a settlement accepts commissions of several currencies", 2],
  ["a replaced invoice keeps the date of the first", 11],
  ["the status filter of attributions is ignored", 13],
  ["a simulation ignores workspace grants", 11],
  ["a payment fact of an earlier attempt is applied to the current one", 12],
  ["an equal expression with an earlier date is ignored", 4],
  ["an approval ignores that e-invoices are required", 70],
  ["a settlement does not say why it has no e-invoice", 70],
  ["a standard rate of 0 is no problem of an e-invoice", 70],
  ["a reconciled payment is returned", 27],
  ["an upload can replace a document that the service issued", 22],
  ["paid_at can be any moment before the approval", 6],
  ["a refund is sent as a payout", 28],
  ["a write-off during a payment requests the credit note at once", 11],
  ["a payment order has another currency", 4],
  ["a payment order has another bank account", 4],
  ["an external reference is replayed for another partner", 3],
  ["the results of a batch are sorted by refusal", 2],
  ["a billing profile keeps fields that are absent from the new one", 4],
  ["a revoked key still verifies", 8],
  ["a key verifies with any secret", 39],
  ["a formula copies every term of its plan except the description", 8],
  ["absent fields of a partner's policy do not have the workspace's values", 21],
  ["a cancellation does not require the number of commissions", 8],
]);
