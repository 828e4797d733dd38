export { pidOf, readQuickstart, type Quickstart, type RunningService } from './quickstart.js';
export { LocalStack } from './stack.js';
export { readSettings, type Settings } from './settings.js';
