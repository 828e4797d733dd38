export { AppendLog, type OpenOptions } from './append-log.js';
export { readCheckedJson, writeCheckedJson } from './checked-json.js';
export { keepCopy } from './copy-aside.js';
export { createFolder } from './create-folder.js';
export { acquireProcessLock, lockFolder, type Release } from './process-lock.js';
export { DamagedLogError, type Loss, type Range } from './damage.js';
export { readLog } from './read-log.js';
export { State, type Change, type StateOptions } from './state.js';
