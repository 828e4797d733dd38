import { Option } from 'commander';
import { apiClient } from '../api/client.js';
import { openBrowser } from '../browser.js';
import { command } from '../command.js';
import { isLoopbackHost, type Context } from '../context.js';
import { keyCredential, storedCredential } from '../credentials/credential.js';
import { profileUrl, type CredentialsFile, type Profile, type Tokens } from '../credentials/file.js';
import { fail } from '../errors.js';
import type { DeviceCode } from '../identity/device-login.js';
import { readSecret } from '../prompt.js';
import { readSession, showSession } from './session.js';

interface Options {
  apiKey?: string;
  browser: boolean;
}

export const login = command<Options>({
  name: 'login',
  summary: 'Sign in with the browser or an API key',
  options: [
    new Option('--no-browser', 'print the URL without opening a browser'),
    new Option('--api-key <->', 'sign in with an API key from standard input'),
  ],
  examples: ['login --url https://go.example.com --profile work', 'login --api-key - < key.txt'],
  run: async (context, { apiKey, browser }) => {
    warnOfPlainHttp(context);
    // Before the sign-in, reject a name that belongs to another profile.
    nameIn(context.store.read(), context);
    const profile = apiKey === undefined ? await signIn(context, browser) : await keyProfile(context, apiKey);
    const replaced = await context.store.change((file, save) => {
      const name = nameIn(file, context);
      const tokens = file.profiles[context.url]?.tokens;
      file.profiles[context.url] = { ...(name !== undefined && { name }), ...profile };
      file.current = context.url;
      save();
      return tokens;
    });
    if (replaced) await revokeReplaced(context.url, replaced);
    const credential = storedCredential(context.store, context.url);
    showSession(context, await readSession(apiClient({ url: context.url, credential })), 'Signed in');
    const { note, noteStyle } = context.terminal;
    if (context.environment.apiKey) note(`${noteStyle.yellow('!')} TAUTAN_API_KEY is set and takes precedence.`);
  },
});

/** Returns the name that the profile of the service gets or keeps. Throws if another profile has this name. */
function nameIn(file: CredentialsFile, { url, profileName, environment }: Context): string | undefined {
  const name = profileName ?? file.profiles[url]?.name ?? environment.profile;
  const taken = name === undefined ? undefined : profileUrl(file, name);
  if (taken !== undefined && taken !== url)
    throw fail('usage', `The profile ${name} belongs to ${taken}.`, { hint: 'Choose another name with --profile.' });
  return name;
}

/** Reads the key from standard input only: command-line arguments are visible to other users. `given` must be `-`. */
async function keyProfile({ url }: Context, given: string): Promise<Profile> {
  if (given !== '-')
    throw fail('usage', 'An API key must not be passed on the command line.', {
      hint: 'Pass the key on standard input: tautan login --api-key - < key.txt',
    });
  const apiKey = await readSecret('API key');
  // Verify the key before storing it.
  await readSession(apiClient({ url, credential: keyCredential(apiKey) }));
  return { apiKey };
}

async function signIn(context: Context, browser: boolean): Promise<Profile> {
  const [{ identityConfiguration }, { deviceLogin }] = await Promise.all([
    import('../identity/configuration.js'),
    import('../identity/device-login.js'),
  ]);
  const configuration = await identityConfiguration(context.url);
  return { tokens: await deviceLogin(context.url, configuration, (code) => showCode(context, code, browser)) };
}

/** Revokes the earlier sign-in that was replaced. If the revocation fails, that sign-in ends when its tokens expire. */
async function revokeReplaced(url: string, tokens: Tokens): Promise<void> {
  const { revokeTokens } = await import('../identity/revoke.js');
  await revokeTokens(url, tokens).catch(() => undefined);
}

function showCode(
  { terminal, environment }: Context,
  { code, address, completeAddress }: DeviceCode,
  browser: boolean,
): void {
  const { noteStyle: style, note } = terminal;
  note(`Your code is  ${style.bold(code)}\n`);
  note(`Open ${style.cyan(completeAddress)}`);
  if (completeAddress !== address) note(style.dim(`or enter the code at ${address}`));
  note('\nWaiting for approval …');
  if (browser) void openBrowser(completeAddress, environment);
}

function warnOfPlainHttp({ url, terminal: { note, noteStyle } }: Context): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || isLoopbackHost(hostname)) return;
  note(
    `${noteStyle.yellow('!')} The connection to ${hostname} is not encrypted (http). Others on the network can read your credentials.`,
  );
}
