import { operatorPortSetting, readConfig } from '@tautan/kit';
import { z } from 'zod';

const schema = z.object({ OPERATOR_PORT: operatorPortSetting });

/** Returns the port of the operator listener from the environment. Throws a ConfigError if it is invalid. */
export const operatorPort = (env: Record<string, string | undefined> = process.env): number =>
  readConfig(schema, env).OPERATOR_PORT;
