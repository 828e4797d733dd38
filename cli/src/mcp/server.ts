import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Api } from '../api/client.js';
import { isCliError } from '../errors.js';
import { version } from '../version.js';
import { readTools } from './read-tools.js';
import type { Tool, ToolResult } from './tool.js';
import { writeTools } from './write-tools.js';

/**
 * Serves the tools over stdio until the input ends. Resolves as soon as the server is ready, without waiting for the
 * end of the input. Write tools are available only if `write` is set.
 */
export async function serveMcp(api: Api, { write }: { write: boolean }): Promise<void> {
  const server = new McpServer({ name: 'tautan', version });
  for (const tool of readTools) register(server, api, tool, true);
  if (write) for (const tool of writeTools) register(server, api, tool, false);
  await server.connect(new StdioServerTransport());
}

function register(server: McpServer, api: Api, tool: Tool, readOnlyHint: boolean): void {
  const { name, title, description, input: inputSchema, run } = tool;
  const annotations = { title, readOnlyHint, destructiveHint: false, openWorldHint: false };
  server.registerTool(
    name,
    { title, description, inputSchema, annotations },
    async (input: Record<string, unknown>) => {
      try {
        return contentOf(await run(api, input));
      } catch (error) {
        return failureOf(error);
      }
    },
  );
}

function contentOf(result: ToolResult): CallToolResult {
  if ('image' in result)
    return { content: [{ type: 'image', data: result.image.toString('base64'), mimeType: result.mimeType }] };
  return { content: [{ type: 'text', text: JSON.stringify(result) }], structuredContent: { ...result } };
}

/** Returns an error that the model can act on: code, field and hint. */
function failureOf(error: unknown): CallToolResult {
  const { message, code, field, hint, failure } = isCliError(error)
    ? error
    : { message: String(error), code: undefined, field: undefined, hint: undefined, failure: 'refused' };
  const text = JSON.stringify({ error: { code: code ?? failure, message, field, hint } });
  return { content: [{ type: 'text', text }], isError: true };
}
