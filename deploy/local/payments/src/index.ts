export { startPayments, type PaymentsOptions, type RunningPayments } from './start.js';
