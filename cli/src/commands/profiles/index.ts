import { Argument } from 'commander';
import { command, type CommandGroup } from '../../command.js';
import type { Context } from '../../context.js';
import { profileName, profileUrl, type CredentialsFile, type Profile } from '../../credentials/file.js';
import { fail } from '../../errors.js';
import { table } from '../../output/table.js';
import { printable } from '../../output/text.js';
import { confirm, yes } from '../confirm.js';

interface Row {
  name: string;
  url: string;
  current: boolean;
  credential: 'user' | 'api_key' | null;
}

const credentialOf = ({ tokens, apiKey }: Profile): Row['credential'] => (apiKey ? 'api_key' : tokens ? 'user' : null);

const rowsOf = ({ profiles, current }: CredentialsFile): Row[] =>
  Object.entries(profiles).map(([url, profile]) => ({
    name: profileName(url, profile),
    url,
    current: url === current,
    credential: credentialOf(profile),
  }));

/** Texts of the SIGN-IN column. */
const signInTexts = { user: 'signed in', api_key: 'API key' } as const;

const listProfiles = command({
  name: 'list',
  summary: 'List the stored profiles',
  run: ({ store, terminal: { print, printJson, style, width }, json }) => {
    const rows = rowsOf(store.read());
    if (json) return printJson(rows);
    if (rows.length === 0)
      return print(`No profiles yet. Sign in with:\n\n  ${style.cyan('tautan login --url https://go.example.com')}`);
    print(
      table<Row>(
        rows,
        [
          { title: '', value: ({ current }) => (current ? '●' : ' '), paint: style.green },
          { title: 'NAME', value: ({ name }) => name, paint: style.cyan },
          { title: 'URL', value: ({ url }) => url },
          {
            title: 'SIGN-IN',
            value: ({ credential }) => (credential ? signInTexts[credential] : 'signed out'),
            omitPriority: 1,
          },
        ],
        style,
        width,
      ),
    );
  },
});

const profileArgument = () => new Argument('<profile>', 'name or URL');

/** Returns the URL of a profile. Throws `notFound` if there is none. */
function requireProfileUrl(file: CredentialsFile, wanted: string): string {
  const url = profileUrl(file, wanted);
  if (url !== undefined) return url;
  throw fail('notFound', `No profile found: ${wanted}.`, { hint: 'See: tautan profiles list' });
}

const useProfile = command({
  name: 'use',
  summary: 'Select the default profile',
  args: [profileArgument()],
  examples: ['profiles use work'],
  run: async ({ store, terminal, json, environment }, _options, wanted) => {
    const url = await store.change((file, save) => {
      const found = requireProfileUrl(file, wanted);
      file.current = found;
      save();
      return found;
    });
    if (json) return terminal.printJson({ url });
    terminal.print(`${terminal.style.green('✓')} Using ${url}`);
    const other = environment.url ? 'TAUTAN_URL' : environment.profile ? 'TAUTAN_PROFILE' : undefined;
    if (other) terminal.note(`${terminal.noteStyle.yellow('!')} ${other} is set and takes precedence.`);
  },
});

const removeProfile = command<{ yes?: boolean }>({
  name: 'remove',
  summary: 'Remove a stored profile and revoke its sign-in',
  args: [profileArgument()],
  options: [yes()],
  run: async (context, { yes: sure }, wanted) => {
    const { store, terminal, json } = context;
    await confirm(context, `Remove the profile ${printable(wanted)}?`, sure);
    const { url, profile } = await store.change((file, save) => {
      const found = requireProfileUrl(file, wanted);
      const removed = file.profiles[found]!;
      delete file.profiles[found];
      if (file.current === found) file.current = undefined;
      save();
      return { url: found, profile: removed };
    });
    if (profile.tokens) await revoke(context, url, profile.tokens);
    if (json) terminal.printJson({ url, removed: true });
    else terminal.print(`${terminal.style.green('✓')} Removed ${url}`);
  },
});

async function revoke(
  { terminal: { note, noteStyle } }: Context,
  url: string,
  tokens: NonNullable<Profile['tokens']>,
): Promise<void> {
  const { revokeTokens } = await import('../../identity/revoke.js');
  await revokeTokens(url, tokens).catch((error: Error) => {
    note(
      `${noteStyle.yellow('!')} The sign-in could not be revoked: ${error.message} The sign-in expires automatically.`,
    );
  });
}

export const profiles: CommandGroup = {
  name: 'profiles',
  summary: 'List, select and remove stored profiles',
  commands: [listProfiles, useProfile, removeProfile],
};
