/** What tests of every package use: the real command, and the reader of its imports. */
export { parseRows } from '../import/read.js';
export { tautanAt, type Run, type Running, type Tautan, type TautanOptions } from './tautan.js';
export { mcpClient, type McpTestClient } from './mcp.js';
