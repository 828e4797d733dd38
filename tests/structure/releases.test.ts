import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const read = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const json = <T>(path: string): T => JSON.parse(read(path)) as T;

interface Locked {
  version?: string;
  link?: boolean;
  integrity?: string;
}
const { packages } = json<{ packages: Record<string, Locked> }>('package-lock.json');
const { version } = json<{ version: string }>('lerna.json');

describe('the version of a release', () => {
  test('is that of every package', () => {
    const own = Object.entries(packages).filter(([path]) => !path.includes('node_modules/'));
    expect(own.length).toBeGreaterThan(15);
    expect(own.filter(([, one]) => one.version !== version)).toEqual([]);
    for (const [path] of own)
      expect(json<Locked>(path === '' ? 'package.json' : `${path}/package.json`).version).toBe(version);
  });

  test.each([
    ['charts/tautan/Chart.yaml', /^(?:appV|v)ersion: (\S+)$/gm, 2],
    ['deploy/docker/Dockerfile', /^ARG VERSION=(\S+)$/gm, 1],
    ['deploy/docker/compose.yaml', /\/tautan:([\d.]+)/g, 1],
    ['docs/operations/compose.md', /\btautan:([\d.]+)/g, 2],
    ['docs/operations/install.md', /\btautan(?::|, tag: )([\d.]+)/g, 2],
    ['proto/asyncapi.json', /^ {4}"version": "(.*)"/gm, 1],
  ])('is in %s', (path, pattern, times) => {
    const found = [...read(path).matchAll(pattern)].map(([, each]) => each);
    expect(found).toEqual(Array.from({ length: times }, () => version));
  });
});

describe('an installation of npm packages', () => {
  test('verifies the hash of every downloaded package', () => {
    const downloaded = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);
    expect(downloaded.length).toBeGreaterThan(500);
    expect(downloaded.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual(
      [],
    );
  });

  test('runs no package scripts in the production image', () => {
    const production = read('deploy/docker/Dockerfile').split('AS production')[1]!.split('\nFROM ')[0]!;
    const installs = production.match(/npm (?:ci|install)[^&]*/g);
    expect(installs).toHaveLength(1);
    expect(installs![0]).toContain('--ignore-scripts');
  });
});
