/** Test utilities for other packages: the real command and its import parser. */
export { parseRows } from '../import/read.js';
export { tautanAt, type Run, type Running, type Tautan, type TautanOptions } from './tautan.js';
export { mcpClient, type McpTestClient } from './mcp.js';
