#!/usr/bin/env node
// This file is outside of dist, so that `npm install` can link the command before the first build.
import module from 'node:module';

// Node.js 22.8 and later cache compiled code, which makes the next start faster.
module.enableCompileCache?.();
await import('../dist/main.js');
