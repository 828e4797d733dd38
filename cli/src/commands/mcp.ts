import { Option } from 'commander';
import { command } from '../command.js';

export const mcp = command<{ write?: boolean }>({
  name: 'mcp',
  summary: 'Serve links, QR codes and statistics to AI assistants (Model Context Protocol over stdio)',
  options: [new Option('--write', 'also offer tools that create and change links and QR codes')],
  examples: ['mcp', 'mcp --write --workspace ws_01jd3x8q4v5w6y7z8a9b0c1d2e'],
  run: async (context, { write = false }) => {
    // Create the client before the protocol starts, so that a missing sign-in is reported as in other commands.
    const api = context.api();
    const { serveMcp } = await import('../mcp/server.js');
    await serveMcp(api, { write });
  },
});
