import { command } from '../command.js';
import { readSession, showSession } from './session.js';

export const whoami = command({
  name: 'whoami',
  summary: 'Show the signed-in user and the workspace',
  run: async (context) => showSession(context, await readSession(context.api()), 'Signed in'),
});
