// A process for the tests of runProcess; the first argument selects the scenario.
import { runProcess, type Running } from './run.js';
import { inSpan } from '../telemetry/telemetry.js';
import { sleep } from '../async/time.js';

const [behavior] = process.argv.slice(2);
// Keeps the process running until it drains, like the server of a service.
const server = setInterval(() => {}, 1_000);
await runProcess(
  'fixture',
  () => {
    if (behavior === 'throw') throw new Error('PORT: must be set');
    if (behavior === 'busy') {
      process.stdout.write('starting\n');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    }
    return start();
  },
  500,
);

async function start(): Promise<Running> {
  await inSpan('start', { kind: 'server' }, async () => {});
  if (behavior === 'fail') throw new Error('Port 80 on 127.0.0.1 is already in use.');
  if (behavior === 'reject-later') setTimeout(() => void Promise.reject(new Error('nobody caught this')), 20);
  if (behavior === 'throw-later') {
    setTimeout(() => {
      throw new Error('nobody caught this');
    }, 20);
  }
  return {
    ports: { http: 1234 },
    ...(behavior === 'slow' && { drainMs: 20_000 }),
    stop: () => {
      process.stdout.write('draining\n');
      clearInterval(server);
      if (behavior === 'broken') return Promise.reject(new Error('nothing can be flushed'));
      if (behavior === 'slow') return sleep(700);
      return behavior === 'hang' ? new Promise<void>(() => {}) : inSpan('drain', { kind: 'server' }, async () => {});
    },
  };
}
