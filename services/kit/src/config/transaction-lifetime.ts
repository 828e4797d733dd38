/**
 * Value of MongoDB's `transactionLifetimeLimitSeconds` for this product. MongoDB's own default is 60 s. A killed
 * process leaves its open transaction behind. Until this limit, the documents that the transaction wrote stay locked.
 * A transaction that writes state and events is retried for at most 2.5 s, and one that applies clicks to statistics
 * for at most 5 s. When the limit of 6 s aborts such a transaction, its caller has already given up. Closing a day of
 * statistics is retried for 10 s, and rebuilding one for 30 s, but the limit applies to each attempt separately.
 * Operators set the same value on their servers: see `deploy/decisions/0013-transaction-lifetime.md`.
 */
export const TRANSACTION_LIFETIME_LIMIT_SECONDS = 6;
