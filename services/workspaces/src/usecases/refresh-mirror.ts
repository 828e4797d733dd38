import { faultCode } from '@tautan/kit';
import type { Background } from '../background.js';

/** Longest time that a reader waits for the provider, milliseconds: with it, the answer is there within a second. */
const WAIT_MS = 750;

/**
 * Brings the mirror up to date, as far as that is done in time; it goes on in the background otherwise. Readers who come
 * meanwhile wait for the same. Whatever fails is logged there and leaves the mirror as it is. Rejects only with what is
 * wrong with the credential itself.
 */
export async function refreshMirror(background: Background, name: string, work: () => Promise<void>): Promise<void> {
  let failure: unknown;
  background.run(name, () =>
    work().catch((error: unknown) => {
      failure = error;
      throw error;
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, WAIT_MS)));
  await Promise.race([background.finished(name), late]);
  clearTimeout(timer);
  const code = faultCode(failure);
  if (code === 'UNAUTHENTICATED' || code === 'TOKEN_EXPIRED') throw failure;
}
