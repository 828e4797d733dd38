import { z } from 'zod';
import { mongoSettings, natsSettings, processSettings, readConfig, rpcSettings } from '@tautan/kit';

/** Every setting of this service. */
export const configSchema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_workspaces'),
  ...natsSettings,
  ...rpcSettings,
});

export type Config = z.infer<typeof configSchema>;

/** Reads the settings. Throws a ConfigError that names all problems. */
export const readWorkspacesConfig = (env: Record<string, string | undefined> = process.env): Config =>
  readConfig(configSchema, env);
