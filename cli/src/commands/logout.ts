import { command } from '../command.js';
import type { Context } from '../context.js';
import { forgetCredential, type Tokens } from '../credentials/file.js';

export const logout = command({
  name: 'logout',
  summary: 'Sign out and keep the service URL for the next login',
  run: async (context) => {
    const { terminal, store, url, json } = context;
    const wasSignedIn = await store.change(async (file, save) => {
      const { tokens, apiKey } = file.profiles[url] ?? {};
      if (!tokens && !apiKey) return false;
      // Forget the credential under the lock, so that no refresh restores it, and before the revocation, during which
      // this process may be killed.
      forgetCredential(file, url);
      save();
      if (tokens) await revoke(context, url, tokens);
      return true;
    });
    if (json) return terminal.printJson({ url, signedOut: wasSignedIn });
    terminal.print(
      wasSignedIn ? `${terminal.style.green('✓')} Signed out of ${url}` : `You were not signed in to ${url}.`,
    );
  },
});

async function revoke({ terminal: { note, noteStyle } }: Context, url: string, tokens: Tokens): Promise<void> {
  const { revokeTokens } = await import('../identity/revoke.js');
  try {
    await revokeTokens(url, tokens);
  } catch (error) {
    const reason = (error as Error).message;
    note(
      `${noteStyle.yellow('!')} The sign-in could not be revoked at the identity provider: ${reason} The sign-in expires automatically.`,
    );
  }
}
