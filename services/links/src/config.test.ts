import { expect, test } from '@jest/globals';
import { domainRulesOf, fallbackUrlsOf, readLinksConfig } from './config.js';

const required = {
  MONGODB_URI: 'mongodb://127.0.0.1',
  NATS_URL: 'nats://127.0.0.1',
  BASE_URL: 'https://Go.example.com',
  BIND_HOST: '127.0.0.1',
};

test('runs every role by default, and the other optional settings have defaults', () => {
  expect(readLinksConfig(required)).toMatchObject({
    ROLES: ['api', 'redirect', 'stats'],
    BASE_URL: 'https://go.example.com',
    ALLOW_PRIVATE_DESTINATIONS: false,
    EXPIRY_SWEEP_MS: 10_000,
    MONGODB_DATABASE: 'tautan_links',
    REDIRECT_BUDGET_UNKNOWN: 300,
    REDIRECT_BUDGET_LIMITED: 30,
    REDIRECT_TRACE_RATIO: 0,
  });
});

test('needs no TLS for gRPC unless the role api runs', () => {
  const exposed = { ...required, BIND_HOST: '' };
  expect(readLinksConfig({ ...exposed, ROLES: 'redirect,stats' }).BIND_HOST).toBe('0.0.0.0');
  expect(() => readLinksConfig({ ...exposed, ROLES: 'api' })).toThrow('BIND_HOST: gRPC would listen beyond loopback');
});

test('points custom domains to the host of BASE_URL, unless another target is set', () => {
  const target = (env: object) => domainRulesOf(readLinksConfig({ ...required, ...env })).target;
  expect(target({})).toEqual({ host: 'go.example.com', addresses: [] });
  expect(target({ BASE_URL: 'http://[::1]:8080' })).toEqual({ host: '::1', addresses: [] });
  const env = { DOMAIN_TARGET: 'Links.Bücher.example.', DOMAIN_ADDRESSES: '192.0.2.7, 2001:DB8:0::7' };
  expect(target(env)).toEqual({ host: 'links.xn--bcher-kva.example', addresses: ['192.0.2.7', '2001:db8::7'] });
});

test('accepts as fallback URLs of the default domain only http(s) URLs without credentials whose host is not the default domain', () => {
  const env = { ROOT_URL: 'https://Example.com', NOT_FOUND_URL: 'http://10.0.0.1/help' };
  const urls = { rootUrl: 'https://example.com/', notFoundUrl: 'http://10.0.0.1/help', expiredUrl: null };
  expect(fallbackUrlsOf(readLinksConfig({ ...required, ...env }))).toEqual(urls);
  for (const url of ['https://go.example.com/x', 'https://user:secret@example.com', 'example.com', 'ftp://example.com'])
    expect(() => readLinksConfig({ ...required, EXPIRED_URL: url })).toThrow('EXPIRED_URL: must be an http(s) address');
});

test('reports all problems together', () => {
  const env = {
    BASE_URL: 'https://go.example.com/path',
    ROLES: 'api,cook',
    EXPIRY_SWEEP_MS: '0',
    REDIRECT_PORT: 'x',
    REDIRECT_BUDGET_LIMITED: '-1',
    REDIRECT_TRACE_RATIO: '1.5',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '2',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    DOMAIN_TARGET: 'a/b',
    DOMAIN_ADDRESSES: 'a.example',
    TRUSTED_PROXIES: '10.0.0.0/8, nonsense',
  };
  const problems = [
    'MONGODB_URI: must be set',
    'NATS_URL: must be set',
    'BASE_URL',
    'ROLES',
    'EXPIRY_SWEEP_MS',
    'REDIRECT_PORT',
    'REDIRECT_BUDGET_LIMITED',
    'REDIRECT_TRACE_RATIO',
    'OTEL_TRACES_SAMPLER',
    'OTEL_TRACES_SAMPLER_ARG',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'DOMAIN_TARGET',
    'DOMAIN_ADDRESSES',
    'TRUSTED_PROXIES: must be IP addresses or CIDR ranges',
  ];
  for (const problem of problems) expect(() => readLinksConfig(env)).toThrow(problem);
});
