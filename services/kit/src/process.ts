/** Exports for processes that read no settings. They do not load the schema library. */
export { TRANSACTION_LIFETIME_LIMIT_SECONDS } from './config/transaction-lifetime.js';
export { runProcess, type Running } from './lifecycle/run.js';
export { createLog } from './telemetry/log.js';
