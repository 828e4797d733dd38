import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { program } from './tautan.js';

/** An MCP client connected to `tautan mcp`. */
export interface McpTestClient {
  client: Client;
  /** Calls a tool and returns its result. */
  call(name: string, input?: object): Promise<CallToolResult>;
  /** Calls a tool and returns its JSON, parsed. If the tool reports an error, throws an Error with its text. */
  json<T>(name: string, input?: object): Promise<T>;
  close(): Promise<void>;
}

/** Starts `tautan mcp` for the service at `url` and connects the official client. */
export async function mcpClient(url: string, apiKey: string, args: string[] = []): Promise<McpTestClient> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = { TAUTAN_URL: url, TAUTAN_API_KEY: apiKey, TAUTAN_CONFIG_DIR: '/nonexistent' };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', ...args], env }));
  const call = async (name: string, input: object = {}): Promise<CallToolResult> =>
    (await client.callTool({ name, arguments: { ...input } })) as CallToolResult;
  return {
    client,
    call,
    json: async <T>(name: string, input?: object) => {
      const { content, isError } = await call(name, input);
      const [first] = content;
      const text = first?.type === 'text' ? first.text : '';
      if (isError) throw new Error(text);
      return JSON.parse(text) as T;
    },
    close: () => client.close(),
  };
}
