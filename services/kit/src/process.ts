/** The exports for processes that do not validate their settings. Unlike the main module, they do not load Zod. */
export { TRANSACTION_LIFETIME_LIMIT_SECONDS } from './config/transaction-lifetime.js';
export { runProcess, type Running } from './lifecycle/run.js';
export { createLog } from './telemetry/log.js';
