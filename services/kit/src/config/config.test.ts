import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import {
  ConfigError,
  file,
  flag,
  list,
  mongoSettings,
  natsSettings,
  port,
  processSettings,
  publicAddress,
  readConfig,
  readMigrationConfig,
  redisSettings,
} from './config.js';
import { jsonSetting } from './json-setting.js';
import { telemetryEnvironment } from './telemetry-environment.js';

const schema = z.object({
  ...processSettings,
  ...mongoSettings('tautan_test'),
  ...natsSettings,
  OTHER: list(),
  PORT: port(8080),
  FLAG: flag(false),
  LIST: list(['a']),
});
const needed = { MONGODB_URI: 'mongodb://127.0.0.1', NATS_URL: 'nats://127.0.0.1:4222' };

describe('settings', () => {
  test('have defaults', () => {
    const config = readConfig(schema, needed);
    expect(config).toMatchObject({ PORT: 8080, FLAG: false, LIST: ['a'], OTHER: [], MONGODB_DATABASE: 'tautan_test' });
  });

  test('that are empty count as unset', () => {
    expect(readConfig(schema, { ...needed, PORT: '', LIST: '' })).toMatchObject({ PORT: 8080, LIST: ['a'] });
  });

  test('are parsed as numbers, flags and lists', () => {
    const config = readConfig(schema, { ...needed, PORT: '0', FLAG: 'yes', LIST: ' x, ,y ' });
    expect(config).toMatchObject({ PORT: 0, FLAG: true, LIST: ['x', 'y'] });
  });

  test('do not include other environment variables', () => {
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
      expect(message).toContain('NATS_URL: must be a nats:// or tls:// address');
      expect(message.match(/must be set/g)).toHaveLength(1);
    }
  });
});

const problems = (env: Record<string, string>): string[] => {
  try {
    readConfig(schema, { ...needed, ...env });
    return [];
  } catch (error) {
    return (error as ConfigError).problems;
  }
};

test('a database certificate file that cannot be read is reported with its path', () => {
  const uri = 'mongodb://a.example/?tlsCAFile=/nowhere/ca.pem';
  expect(problems({ MONGODB_URI: uri })).toEqual(['MONGODB_URI: tlsCAFile=/nowhere/ca.pem cannot be read']);
});

describe('settings that depend on each other', () => {
  const readableFile = import.meta.filename;

  test.each<[Record<string, string>, string[]]>([
    [{ NATS_USER: 'a' }, ['NATS_PASSWORD: must be set together with NATS_USER']],
    [{ NATS_PASSWORD: 'a' }, ['NATS_USER: must be set together with NATS_PASSWORD']],
    [{ NATS_TLS_CERT: readableFile }, ['NATS_TLS_KEY: must be set together with NATS_TLS_CERT']],
    [{ NATS_TLS_CERT: readableFile, NATS_TLS_KEY: readableFile }, []],
    [{ NATS_USER: 'a', NATS_PASSWORD: 'b' }, []],
    [
      { NATS_USER: 'a', NATS_PASSWORD: 'b', NATS_TOKEN: 'c', NATS_NKEY_FILE: readableFile },
      [
        'NATS_TOKEN: must not be set together with NATS_USER',
        'NATS_NKEY_FILE: must not be set together with NATS_USER',
      ],
    ],
    [{ NATS_TOKEN: 'a', NATS_CREDS_FILE: readableFile }, ['NATS_CREDS_FILE: must not be set together with NATS_TOKEN']],
    // A setting of another component is ignored.
    [{ REDIS_TLS_CERT: readableFile }, []],
  ])('are checked: with %j, the problems are %j', (env, expected) => expect(problems(env)).toEqual(expected));
});

test('settings of earlier versions are reported, with their replacement', () => {
  expect(problems({ RATE_LIMITS_FREE: '1', PORT: 'x' })).toEqual([
    'RATE_LIMITS_FREE: was replaced by PLAN_FREE',
    expect.stringContaining('PORT: '),
  ]);
  expect(problems({ STATS_RETENTION_DAYS_BUSINESS: '1' })).toEqual([
    'STATS_RETENTION_DAYS_BUSINESS: was replaced by PLAN_BUSINESS',
  ]);
  expect(problems({ RATE_LIMITS_FREE: '' })).toEqual([]);
});

test.each<[string, string, boolean]>([
  ['PORT', '65535', true],
  ['PORT', '65536', false],
  ['PORT', '-1', false],
  ['PORT', '1.5', false],
  ['FLAG', 'off', true],
  ['LOG_LEVEL', 'silent', true],
  ['MONGODB_URI', 'mongodb+srv://a.example', true],
  ['MONGODB_URI', 'http://a.example', false],
  ['MONGODB_URI', 'xmongodb://a.example', false],
  ['MONGODB_URI', `mongodb://a.example/?tlsCAFile=${import.meta.filename}`, true],
  ['MONGODB_URI', 'mongodb://a.example/?tlsCAFile=/nowhere/ca.pem', false],
  ['MONGODB_URI', 'mongodb://a.example/?tlsCertificateKeyFile=/nowhere/key.pem', false],
  ['MONGODB_URI', 'mongodb://a.example/?appName=/nowhere/ca.pem', true],
  ['MONGODB_URI', 'mongodb://a.example/?xtlsCAFile=/nowhere/ca.pem&tlsCAFiles=/nowhere/ca.pem', true],
  ['MONGODB_DATABASE', 'x'.repeat(63), true],
  ['MONGODB_DATABASE', 'x'.repeat(64), false],
  ['MONGODB_POOL_SIZE', '1', true],
  ['MONGODB_POOL_SIZE', '0', false],
  ['MONGODB_POOL_SIZE', '1000', true],
  ['MONGODB_POOL_SIZE', '1001', false],
  ['NATS_URL', 'nats://a.example,tls://b.example', true],
  ['NATS_URL', 'nats://a.example,http://b.example', false],
  ['NATS_URL', 'xnats://a.example', false],
  ['NATS_URL', 'nats://user:secret@a.example', false],
  ['NATS_REPLICAS', '5', true],
  ['NATS_REPLICAS', '6', false],
  ['NATS_REPLICAS', '0', false],
  ['NATS_CREDS_FILE', '/nowhere/a.creds', false],
  ['DRAIN_TIMEOUT_MS', '100', true],
  ['DRAIN_TIMEOUT_MS', '99', false],
  ['DRAIN_TIMEOUT_MS', '300000', true],
  ['DRAIN_TIMEOUT_MS', '300001', false],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'http://a.example:4318', true],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'https://a.example:4318', true],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://a.example', false],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'xhttp://a.example', false],
  ['OTEL_EXPORTER_OTLP_ENDPOINT', 'httpsx://a.example', false],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'http://a.example:4318/v1/traces', true],
  ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'nonsense', false],
  ['OTEL_TRACES_EXPORTER', 'otlp', true],
  ['OTEL_TRACES_EXPORTER', 'none', true],
  ['OTEL_TRACES_EXPORTER', '', true],
  ['OTEL_TRACES_EXPORTER', 'otpl', false],
  ['OTEL_TRACES_EXPORTER', 'console', false],
  ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc', true],
  ['OTEL_TRACES_SAMPLER', 'traceidratio', true],
  ['OTEL_TRACES_SAMPLER_ARG', '1', true],
  ['OTEL_TRACES_SAMPLER_ARG', '1.1', false],
  ['OTEL_TRACES_SAMPLER_ARG', '-0.1', false],
])('%s=%s is valid: %p', (name, value, valid) => {
  expect(problems({ [name]: value }).map((line) => line.split(':')[0])).toEqual(valid ? [] : [name]);
});

test.each([
  ['https://go.example', 'https://go.example'],
  ['HTTP://Go.example:8080/', 'http://go.example:8080'],
  ['https://go.example/a', undefined],
  ['https://go.example/?a', undefined],
  ['https://user@go.example/', undefined],
])('the public address %s is read as %j', (text, address) => {
  expect(publicAddress.safeParse(text).data).toBe(address);
});

test.each(['ftp://go.example', 'xhttp://go.example', 'httpsx://go.example', 'go.example'])(
  'the public address %s is rejected, because it is not an http(s) address',
  (text) => {
    const message = 'must be an http(s) address';
    expect(publicAddress.safeParse(text).error?.issues).toMatchObject([{ message }]);
  },
);

test('a file setting is only valid if the file is readable', () => {
  expect([import.meta.filename, '/nowhere'].map((path) => file.safeParse(path).success)).toEqual([true, false]);
});

test('REDIS_URL must be a redis:// or rediss:// address', () => {
  const url = (text: string) => redisSettings.REDIS_URL.safeParse(text).success;
  expect(['redis://a', 'rediss://a'].map(url)).toEqual([true, true]);
  expect(['http://a', 'redissx://a', 'xredis://a'].map(url)).toEqual([false, false, false]);
});

test('REDIS_TLS_CERT requires REDIS_TLS_KEY', () => {
  const read = () => readConfig(z.object(redisSettings), { REDIS_TLS_CERT: import.meta.filename });
  expect(read).toThrow('REDIS_TLS_KEY: must be set together with REDIS_TLS_CERT');
});

test('the migrate command uses the database of its service', () => {
  expect(readMigrationConfig('links', needed)).toMatchObject({ MONGODB_DATABASE: 'tautan_links', NATS_REPLICAS: 1 });
});

test('OpenTelemetry gets only the environment variables whose names start with OTEL_', () => {
  process.env['OTEL_SERVICE_NAME'] = 'a';
  process.env['X_OTEL_'] = 'b';
  expect(telemetryEnvironment()).toHaveProperty('OTEL_SERVICE_NAME', 'a');
  expect(Object.keys(telemetryEnvironment()).filter((name) => !name.startsWith('OTEL_'))).toEqual([]);
});

test('a JSON setting is parsed and checked, and its problems name the fields', () => {
  const configOrProblems = (text: string) => {
    const schema = z.object({ JSON: jsonSetting(z.object({ a: z.object({ b: z.number() }), c: z.number() })) });
    try {
      return readConfig(schema, { JSON: text });
    } catch (error) {
      return (error as ConfigError).problems;
    }
  };
  expect(configOrProblems('{"a":{"b":1},"c":2}')).toEqual({ JSON: { a: { b: 1 }, c: 2 } });
  expect(configOrProblems('{')).toEqual(['JSON: must be valid JSON']);
  expect(configOrProblems('1')).toEqual([expect.stringMatching(/^JSON: value: [^;]+$/)]);
  expect(configOrProblems('{"a":{}}')).toEqual([expect.stringMatching(/^JSON: a\.b: [^;]+; c: [^;]+$/)]);
});
