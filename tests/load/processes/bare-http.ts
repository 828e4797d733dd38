import { createServer } from 'node:http';

/**
 * The baseline of redirects: a bare node:http server that always sends the same response headers. The environment
 * variable HEAD is a JSON array of the header fields (name, value, name, value …), without those that Node.js adds.
 */
const fields = JSON.parse(process.env['HEAD']!) as string[];
const server = createServer((_request, response) => {
  response.writeHead(302, fields);
  response.end();
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ ports: { http: (server.address() as { port: number }).port } });
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
