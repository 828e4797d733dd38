export { AppendLog, type OpenOptions } from './append-log.js';
export { State, type Change } from './state.js';
