import { homedir } from 'node:os';
import { join } from 'node:path';

/** What the environment says; the only place that reads it. */
export interface Environment {
  /** TAUTAN_URL: the service's address. */
  url: string | undefined;
  /** TAUTAN_PROFILE: the profile to use. */
  profile: string | undefined;
  /** TAUTAN_API_KEY: used instead of what `tautan login` stored. */
  apiKey: string | undefined;
  /** TAUTAN_WORKSPACE: id of the workspace to work in. */
  workspace: string | undefined;
  /** Where credentials are kept: TAUTAN_CONFIG_DIR, else `tautan` in XDG_CONFIG_HOME or ~/.config. */
  configDir: string;
  /** NO_COLOR is set, or the terminal is a dumb one. */
  plain: boolean;
  /** COLUMNS: width to write for; also where the output is no terminal. */
  columns: number | undefined;
  /** BROWSER: the program that opens addresses. */
  browser: string | undefined;
  /** Whether there is a screen to open a browser on. */
  graphical: boolean;
}

type Variables = Record<string, string | undefined>;

/** Reads the environment; an empty variable counts as one that is not set. */
export function readEnvironment(env: Variables = process.env): Environment {
  const set = (name: string) => env[name] || undefined;
  const columns = Number(set('COLUMNS'));
  return {
    url: set('TAUTAN_URL'),
    profile: set('TAUTAN_PROFILE'),
    apiKey: set('TAUTAN_API_KEY')?.trim(),
    workspace: set('TAUTAN_WORKSPACE'),
    configDir: set('TAUTAN_CONFIG_DIR') ?? join(set('XDG_CONFIG_HOME') ?? join(homedir(), '.config'), 'tautan'),
    plain: set('NO_COLOR') !== undefined || env['TERM'] === 'dumb',
    columns: Number.isInteger(columns) && columns > 0 ? columns : undefined,
    browser: set('BROWSER'),
    graphical: process.platform !== 'linux' || Boolean(set('DISPLAY') ?? set('WAYLAND_DISPLAY')),
  };
}
