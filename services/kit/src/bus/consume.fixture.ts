// A process that consumes a subject (arguments: broker URL, subject). It reports the first message to its parent
// process and never finishes handling it.
import { createLog } from '../telemetry/log.js';
import { Bus } from './connection.js';
import { consume } from './consume.js';

const [, , url = '', subject = ''] = process.argv;
const log = createLog('fixture', 'silent');
const bus = new Bus({ url, name: 'fixture', log });
consume(
  bus,
  {
    stream: 'EVENTS',
    durable: subject.replaceAll('.', '-'),
    subject,
    maxInFlight: 32,
    handle: () => {
      process.send?.('received');
      return new Promise(() => {});
    },
    onDeadLetter: async () => {},
    log,
  },
  () => false,
);
