import { command } from '../command.js';
import { readSession, showSession } from './session.js';

export const whoami = command({
  name: 'whoami',
  summary: 'Show who is signed in, and to which workspace',
  run: async (context) => showSession(context, await readSession(context.api()), 'Signed in'),
});
