import type { Api } from '../api/client.js';
import type { Session } from '../api/records.js';
import type { Context } from '../context.js';
import { details, printableOrNull } from '../output/details.js';
import { printable } from '../output/text.js';

/** Returns the session: the signed-in user or the API key, and the workspace. */
export async function readSession(api: Api): Promise<Session> {
  return api.get('/auth/session');
}

/**
 * Prints the session below a line that consists of `action` and the user or API key. The action "Signed in" results in
 * "Signed in as …" or "Signed in with the API key …".
 */
export function showSession({ terminal, json, url }: Context, session: Session, action: string): void {
  if (json) return terminal.printJson(session);
  const { style, print } = terminal;
  const { user, workspace, credential } = session;
  const who = user
    ? `as ${style.bold(printable(user.name || user.email))}`
    : `with the API key ${style.bold(printable(credential?.label ?? ''))}`;
  const facts: [string, string | null][] = [
    ['Email', printableOrNull(user?.email)],
    ['Workspace', workspace ? printable(workspace.name || workspace.id) : 'none yet'],
    ['Role', printableOrNull(workspace?.role)],
    ['Service', url],
  ];
  print(`${style.green('✓')} ${action} ${who}\n${details(facts, style).replace(/^/gm, '  ')}`);
}
