/** Test utilities for other packages: the import parser, the real command, and a client of its MCP server. */
export { parseRows } from '../import/read.js';
export { tautanAt, type Run, type Running, type Tautan, type TautanOptions } from './tautan.js';
export { mcpClient, type McpTestClient } from './mcp.js';
