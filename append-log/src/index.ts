export { AppendLog, type OpenOptions } from './append-log.js';
