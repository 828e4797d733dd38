import { startIdentity } from '../start.js';
import { options } from './running.js';

// Runs a provider in a separate process, which tests kill. Usage: node serve.fixture.js <port> <folder>
const [port, dataDir] = process.argv.slice(2);
await startIdentity(options(Number(port), dataDir!));
process.stdout.write('ready\n');
