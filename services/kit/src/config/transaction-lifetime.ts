/**
 * Value of MongoDB's `transactionLifetimeLimitSeconds` for this product. A killed process leaves its open transaction
 * behind. Until this limit (60 s by default), the documents that the transaction wrote stay locked. Transactions of the
 * product retry for 2.5 s (state and events) or 5 s (statistics) at most, so 6 s aborts only transactions whose callers
 * have given up. Operators set the same value on their servers: see `deploy/decisions/0013-transaction-lifetime.md`.
 */
export const TRANSACTION_LIFETIME_LIMIT_SECONDS = 6;
