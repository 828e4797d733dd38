/** Runs the real command, for tests of every package. */
export { tautanAt, type Run, type Running, type Tautan, type TautanOptions } from './tautan.js';
