import { operatorPortSetting, readConfig } from '@tautan/kit';
import { z } from 'zod';

const schema = z.object({ OPERATOR_PORT: operatorPortSetting });

/** Returns the port of the operators' listener, which the environment of a service's pod names. Throws a ConfigError. */
export const operatorPort = (env: Record<string, string | undefined> = process.env): number =>
  readConfig(schema, env).OPERATOR_PORT;
