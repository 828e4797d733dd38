import { faultCode, withTimeout } from '@tautan/kit';
import type { Background } from '../../background.js';

/** Maximum time in ms that a read waits for the provider, so that responses stay under one second. */
const WAIT_MS = 750;

/**
 * Refreshes the mirror of the identity provider's records. Returns after 750 ms at most; the refresh continues in the
 * background. Concurrent readers share one refresh. Failures are logged and leave the mirror unchanged. Rejects only if
 * the provider refuses the credential, and only for the reader whose `work` runs: the others' credentials were not
 * used.
 */
export async function refreshMirror(background: Background, name: string, work: () => Promise<void>): Promise<void> {
  let failure: unknown;
  background.run(name, () =>
    work().catch((error: unknown) => {
      failure = error;
      throw error;
    }),
  );
  await withTimeout(background.finished(name), WAIT_MS, () => undefined);
  const code = faultCode(failure);
  if (code === 'UNAUTHENTICATED' || code === 'TOKEN_EXPIRED') throw failure;
}
