import { startPayments } from '../start.js';
import { options } from './running.js';

// Runs a sandbox in a separate process, which tests kill: `node serve.fixture.js <port> <folder> <webhook>`.
const [port, dataDir, webhookUrl] = process.argv.slice(2);
await startPayments(options(Number(port), dataDir!, webhookUrl!));
process.stdout.write('ready\n');
