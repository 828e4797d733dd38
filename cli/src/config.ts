import { homedir } from 'node:os';
import { join } from 'node:path';

/** Settings from environment variables. */
export interface Environment {
  /** TAUTAN_URL: the service URL. */
  url: string | undefined;
  /** TAUTAN_PROFILE: the profile to use. */
  profile: string | undefined;
  /** TAUTAN_API_KEY: takes precedence over stored credentials. */
  apiKey: string | undefined;
  /** TAUTAN_WORKSPACE: id of the workspace to use. */
  workspace: string | undefined;
  /** Folder for credentials: TAUTAN_CONFIG_DIR, else `tautan` in XDG_CONFIG_HOME or ~/.config. */
  configDir: string;
  /** Whether NO_COLOR is set or TERM is `dumb`. */
  plain: boolean;
  /** COLUMNS: output width, even if the output is not a terminal. */
  columns: number | undefined;
  /** BROWSER: the program that opens URLs. */
  browser: string | undefined;
  /** Whether a graphical session is available for a browser. */
  graphical: boolean;
}

type Variables = Record<string, string | undefined>;

/** Reads the environment. Empty variables count as unset. */
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
