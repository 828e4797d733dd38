import type { Log } from '@tautan/kit';
import type * as Library from 'oidc-provider';

/** Loads oidc-provider. Warnings that it prints while it loads go to the log instead, at level debug. */
export async function loadLibrary(log: Log): Promise<typeof Library> {
  const warn: unknown = Reflect.get(globalThis.console, 'warn');
  Reflect.set(globalThis.console, 'warn', (text: unknown) => log.debug(String(text)));
  try {
    return await import('oidc-provider');
  } finally {
    Reflect.set(globalThis.console, 'warn', warn);
  }
}
