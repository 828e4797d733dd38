import { createLog } from '../telemetry/log.js';
import { Bus } from './connection.js';
import { consume } from './consume.js';

/** A process that receives messages of a subject (arguments: broker, subject) and never finishes one. It reports its first message to its parent. */
const [, , url = '', subject = ''] = process.argv;
const log = createLog('fixture', 'silent');
const bus = new Bus({ url: url, name: 'fixture', log });
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
