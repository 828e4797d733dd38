import { startInterval, type Log } from '@tautan/kit';
import type { IdentityProvider } from './identity-provider.js';

const CHECK_EVERY_MS = 5_000;

/**
 * Checks at the start, and every five seconds until a check succeeds, that the identity provider is usable, so that a
 * wrong URL is reported before a user signs in. API keys work without the provider.
 */
export function checkProvider(
  provider: IdentityProvider,
  { identityUrl, log, everyMs = CHECK_EVERY_MS }: { identityUrl: string; log: Log; everyMs?: number },
): { usable(): boolean; stop(): Promise<void> } {
  // The URL may contain a password.
  const { origin, pathname } = new URL(identityUrl);
  const url = origin + pathname;
  let usable = false;
  let reported: string | undefined;
  const check = async (): Promise<void> => {
    if (usable) return;
    const problem = await provider.problem();
    usable = problem === undefined;
    if (usable && reported !== undefined) log.warn({ url }, 'the identity provider is usable now');
    if (problem === reported) return;
    reported = problem;
    if (!usable)
      log.error({ url, reason: problem }, 'IDENTITY_URL: the identity provider is not usable; users cannot sign in');
  };
  void check();
  const checks = startInterval(check, { name: 'identity provider', everyMs, ready: () => true, log });
  return { usable: () => usable, stop: () => checks.stop() };
}
