import { newId, type Principal } from '@tautan/kit';
import { rpcClient } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto/rpc';
import Koa from 'koa';

// The baseline of the gateway benchmark: a bare Koa app that makes the same gRPC call as the gateway.
const links = rpcClient(rpcServices.links, { address: process.env['LINKS_ADDRESS']! });
const principal = JSON.parse(process.env['PRINCIPAL']!) as Principal;

const app = new Koa();
app.use(async (ctx) => {
  const idOrSlug = ctx.path.split('/').at(-1)!;
  ctx.body = { data: await links.call('GetLink', { idOrSlug }, { requestId: newId('req'), principal }) };
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send?.({ ports: { http: (server.address() as { port: number }).port } });
});
process.on('disconnect', () => process.exit(0));
process.on('SIGTERM', () => process.exit(0));
