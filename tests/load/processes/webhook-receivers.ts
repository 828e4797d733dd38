import { createServer } from 'node:http';

// Webhook receivers, one per path. `/hang/…` never responds; every other path responds with 204 immediately. The
// process answers each IPC message with `delays` and `hanging`.

/** The delays from event to arrival, in milliseconds, of the answered deliveries since the last IPC message. */
let delays: number[] = [];
/** Number of requests to `/hang/…` since the start. */
let hanging = 0;
const createdAt = /"createdAt":"([^"]+)"/;

const server = createServer((request, response) => {
  const at = Date.now();
  if (request.url!.startsWith('/hang')) {
    hanging += 1;
    return;
  }
  let body = '';
  request.setEncoding('utf8');
  request.on('data', (chunk: string) => (body += chunk));
  request.on('end', () => {
    delays.push(at - Date.parse(createdAt.exec(body)![1]!));
    response.writeHead(204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', 4_096, () => {
  process.send?.({ ports: { http: (server.address() as { port: number }).port } });
});
process.on('message', () => {
  process.send?.({ delays, hanging });
  delays = [];
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
