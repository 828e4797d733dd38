#!/usr/bin/env node
// Lies outside dist, so that npm finds and links the command on a tree that is not built yet.
import module from 'node:module';

// Node.js 22.8 and later cache compiled code, which makes the next start faster.
module.enableCompileCache?.();
await import('../dist/main.js');
