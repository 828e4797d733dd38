import { rpcClient } from '@tautan/kit/rpc';
import { rpcServices } from '@tautan/proto';
import { fork } from 'node:child_process';
const env = { ...process.env, ROLES: 'api', MONGODB_URI: 'mongodb://127.0.0.1:27951', NATS_URL: 'nats://127.0.0.1:42951', MONGODB_DATABASE: 'drive' + Date.now(), BASE_URL: 'http://go.test', RPC_PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: process.env.LL ?? 'info', BIND_HOST: '127.0.0.1' };
const child = fork('./dist/main.js', [], { env, execArgv: process.env.PROF ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof'] : [], stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
const { addresses } = await new Promise((r) => child.once('message', r));
for (;;) { const r = await fetch('http://127.0.0.1:' + addresses.admin + '/readyz'); if (r.ok) break; await new Promise(r => setTimeout(r, 100)); }
const c = rpcClient(rpcServices.links, { address: '127.0.0.1:' + addresses.grpc });
const principal = { workspaceId: 'ws_a', kind: 'api_key', id: 'key_a', name: 'k', role: 'admin', ip: null, userAgent: null, requestId: 'r1' };
const run = async (n, width) => { let i = 0; const times = []; const t0 = performance.now(); await Promise.all(Array.from({ length: width }, async () => { while (i < n) { i++; const t = performance.now(); await c.call('CreateLink', { url: 'https://example.com/' + i }, { requestId: 'r', principal }); times.push(performance.now() - t); } })); times.sort((a, b) => a - b); console.log(width, 'wide', (n / (performance.now() - t0) * 1000).toFixed(0), '/s p50', times[n >> 1].toFixed(1), 'p99', times[Math.floor(n * .99)].toFixed(1)); };
await run(300, 16); await run(3000, 16); await run(500, 1);
let n = 0; const t = performance.now(); for (let k = 0; k < 10; k++) n += (await c.call('ImportLinks', { links: Array.from({ length: 1000 }, (_, i) => ({ link: { url: 'https://example.com/i' + i } })) }, { requestId: 'r', principal, timeoutMs: 30000 })).created; console.log(n, 'imported ms', performance.now() - t);
const rss = async () => Number(/^tautan_process_resident_memory_bytes\S* (\S+)/m.exec(await (await fetch('http://127.0.0.1:' + addresses.admin + '/metrics')).text())[1]) / 1e6;
if (process.env.EXPORT) { for (let k = 0; k < 87; k++) n += (await c.call('ImportLinks', { links: Array.from({ length: 1000 }, (_, i) => ({ link: { url: 'https://example.com/i' + i } })) }, { requestId: 'r', principal, timeoutMs: 30000 })).created; console.log('before', await rss()); let max = 0, m = 0; const te = performance.now(); for await (const ch of c.stream('ExportLinks', {}, { requestId: 'r', principal, timeoutMs: 60000 })) { m += ch.links.length; if (m % 5000 === 0) max = Math.max(max, await rss()); } console.log('exported', m, 'ms', performance.now() - te, 'max rss', max); }
c.close(); child.kill('SIGTERM'); await new Promise((r) => child.once('exit', r));
