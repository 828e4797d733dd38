import { get } from 'node:http';
import { aKey, aPerson, aWorkspace } from './people.js';
import { quickstartIn, type Stack } from './stack.js';

/** The properties that suites need to use the shared stack. */
export type SharedStack = Pick<Stack, 'baseUrl' | 'apiKey' | 'dataDir' | 'pid' | 'databasePrefix'>;

/**
 * Returns the stack that the suites of a Jest run share. The stack is started on first use. Each call creates a
 * workspace. The API key, id and owner of this workspace replace those of the demo workspace in the returned stack.
 * Stopping the returned stack does nothing.
 */
export async function shareStack(): Promise<Stack> {
  const facts = await requestStack();
  const shared: Stack = {
    ...facts,
    broker: undefined,
    output: () => '',
    quickstart: () => quickstartIn(facts.dataDir),
    stop: () => Promise.resolve(0),
  };
  const owner = await aPerson(shared);
  const { id: workspaceId } = await aWorkspace(owner);
  const { key: apiKey } = await aKey(owner, workspaceId);
  const { email, password } = owner;
  const quickstart = async () => ({ ...(await shared.quickstart()), apiKey, workspaceId, person: { email, password } });
  return { ...shared, apiKey, quickstart };
}

/** Requests the stack from the Jest parent process, which starts it (`shared-stack-setup.ts`). */
function requestStack(): Promise<SharedStack> {
  return new Promise((resolve, reject) => {
    // Use a new connection, because the server could be closing that of an earlier request.
    const call = get({ socketPath: process.env['TEST_STACK_SOCKET'], agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('error', reject).on('end', () => {
        if (response.statusCode === 200) resolve(JSON.parse(text) as SharedStack);
        else reject(new Error(text));
      });
    });
    call.on('error', reject);
  });
}
