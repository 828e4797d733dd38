import { startIdentity } from '../start.js';
import { options } from './running.js';

// A provider in a separate process, to be killed. Usage: node serve.fixture.js <port> <folder>
const [port, dataDir] = process.argv.slice(2);
await startIdentity(options(Number(port), dataDir!));
process.stdout.write('ready\n');
