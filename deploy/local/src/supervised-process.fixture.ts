// A child process for tests. Its argument is `calm` (exits on SIGTERM), `fail` (prints an error and exits), `silent`
// (exits with code 3 and prints nothing), `stubborn` (ignores SIGTERM), `abort` (crashes) or `out of memory` (crashes
// with the message of V8).
import { fail } from '@tautan/kit';
import { answerPings } from './liveness-check.js';
import { serveCalls } from './process-calls.js';

const [behavior] = process.argv.slice(2);

if (behavior === 'fail') {
  process.stderr.write('fixture: Port 1 on localhost is already in use.\n');
  process.exit(1);
}
if (behavior === 'silent') process.exit(3);
if (behavior === 'out of memory')
  process.stderr.write('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n');
if (behavior === 'abort' || behavior === 'out of memory') process.kill(process.pid, 'SIGABRT');
answerPings();
serveCalls({
  double: async (input: number) => 2 * input,
  refuse: async () => {
    throw fail('NOT_FOUND', 'No such thing.');
  },
  crash: async () => process.exit(1),
});
process.stdout.write('{"msg":"started"}\n');
process.send?.({ started: 'fixture', ports: { http: 1 } });
process.on('disconnect', () => process.exit(0));
if (behavior === 'stubborn') process.on('SIGTERM', () => {});
else process.on('SIGTERM', () => process.exit(0));
