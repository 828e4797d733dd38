import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { ConfigError, flag, list, mongoSettings, natsSettings, port, processSettings, readConfig } from './config.js';

const schema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_test'),
  ...natsSettings,
  PORT: port(8080),
  FLAG: flag(false),
  LIST: list(['a']),
});
const needed = { MONGODB_URI: 'mongodb://127.0.0.1', NATS_URL: 'nats://127.0.0.1:4222' };

describe('settings', () => {
  test('have defaults', () => {
    const config = readConfig(schema, needed);
    expect(config).toMatchObject({ PORT: 8080, FLAG: false, LIST: ['a'], MONGODB_DATABASE: 'tautan_test' });
  });

  test('that are empty count as unset', () => {
    expect(readConfig(schema, { ...needed, PORT: '', LIST: '' })).toMatchObject({ PORT: 8080, LIST: ['a'] });
  });

  test('are parsed as numbers, flags and lists', () => {
    const config = readConfig(schema, { ...needed, PORT: '0', FLAG: 'yes', LIST: ' x, ,y ' });
    expect(config).toMatchObject({ PORT: 0, FLAG: true, LIST: ['x', 'y'] });
  });

  test('of other components are ignored', () => {
    expect(readConfig(schema, { ...needed, PATH: '/bin' })).not.toHaveProperty('PATH');
  });

  test('that are invalid are reported together, by name', () => {
    const read = () => readConfig(schema, { PORT: '70000', FLAG: 'maybe', LOG_LEVEL: 'loud', NATS_URL: 'http://x' });
    expect(read).toThrow(ConfigError);
    try {
      read();
    } catch (error) {
      const { problems, message } = error as ConfigError;
      expect(problems.map((line) => line.split(':')[0]).sort()).toEqual(
        ['FLAG', 'LOG_LEVEL', 'MONGODB_URI', 'NATS_URL', 'PORT'].sort(),
      );
      expect(message).toContain('MONGODB_URI: must be set');
      expect(message).toContain('NATS_URL: must be a nats:// address');
    }
  });
});
