import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { addressSettings } from '@tautan/proto/callers';
import { operatorServices, rpcServices } from '@tautan/proto/rpc';
import { databaseOf, containerProcesses, serviceNames } from '@tautan/proto/services';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/** Files that list all services; neither the compiler nor another quick test checks these lists. */
const filesWithAllServices = [
  '.ci/chart',
  '.ci/compose',
  '.ci/images',
  '.ci/stand-ins/Dockerfile',
  'README.md',
  'admin/README.md',
  'deploy/local/README.md',
  'deploy/local/src/stack.long.test.ts',
  'docs/operations/backup.md',
  'docs/operations/runbooks/TautanCircuitBreakerOpen.md',
  'docs/operations/runbooks/TautanServiceMissing.md',
  'docs/operations/scale-out.md',
  'docs/operations/secrets.md',
  'docs/operations/sizing.md',
  'gateway/README.md',
  'gateway/package.json',
  'gateway/src/testing/gateway.ts',
  'gateway/src/testing/product.ts',
  'gateway/tsconfig.json',
  'proto/operator.proto',
  'services/kit/README.md',
  'services/kit/src/lifecycle/migrate.long.test.ts',
  'tests/chaos/cells.ts',
  'tests/e2e/operators.long.test.ts',
  'tests/load/benchmarks/processes.ts',
];

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();
const services = sorted(serviceNames);

/** Returns the names that a pattern captures in a text. */
const named = (text: string, pattern: RegExp): string[] => sorted([...text.matchAll(pattern)].map(([, name]) => name!));

describe('the list of services matches', () => {
  test('the folders in services/, each a package with the name of its service', () => {
    const folders = readdirSync(join(root, 'services')).filter((name) => name !== 'kit');
    expect(folders.sort()).toEqual(services);
    for (const name of folders) {
      expect(JSON.parse(read(`services/${name}/package.json`))).toMatchObject({ name: `@tautan/${name}` });
    }
  });

  test('the protobuf packages', () => {
    const paths = Object.values({ ...rpcServices, ...operatorServices })
      .flatMap((definition) => Object.values(definition as Record<string, { path: string }>))
      .map(({ path }) => path);
    const packages = named(paths.join('\n'), /^\/tautan\.(\w+)\./gm);
    // These two packages do not belong to a single service.
    expect(packages.filter((name) => name !== 'usage' && name !== 'operator')).toEqual(services);
  });

  test('the databases that the services use by default', () => {
    for (const name of serviceNames)
      expect(read(`services/${name}/src/config.ts`)).toContain(`mongoSettings('${databaseOf(name)}')`);
  });

  test('the image and its entrypoint', () => {
    const dockerfile = read('deploy/docker/Dockerfile');
    expect(named(dockerfile, /COPY services\/(\w+)\/package\.json/g)).toEqual(sorted([...services, 'kit']));
    expect(named(dockerfile, /-w @tautan\/(\w+)/g)).toEqual(sorted([...containerProcesses, 'admin']));
    const entrypoint = read('deploy/docker/entrypoint.sh');
    expect(
      entrypoint
        .match(/^ {2}(.*)\) main=services/m)![1]!
        .split(' | ')
        .sort(),
    ).toEqual(services);
    expect(
      entrypoint
        .match(/Usage: (\S+)/)![1]!
        .split('|')
        .sort(),
    ).toEqual(sorted(containerProcesses));
  });

  test('the compose file and its certificates', () => {
    const { services: containers } = parse(read('deploy/docker/compose.yaml')) as {
      services: Record<string, { environment?: Record<string, string> }>;
    };
    expect(Object.keys(containers)).toEqual(expect.arrayContaining([...containerProcesses]));
    expect(Object.keys(containers['gateway']!.environment!)).toEqual(expect.arrayContaining(addressSettings));
    const init = read('deploy/docker/init').match(/^\s*for name in (.*); do$/m)![1]!;
    expect(init.split(' ').sort()).toEqual(sorted(containerProcesses));
  });

  test("the chart's workloads", () => {
    const values = parse(read('charts/tautan/values.yaml')) as Record<string, unknown>;
    expect(Object.keys(values)).toEqual(expect.arrayContaining([...containerProcesses]));
    const table = read('charts/tautan/templates/_helpers.tpl');
    expect(named(table, /^\w+: \{ service: (\w+),/gm)).toEqual(sorted(containerProcesses));
  });

  test("the chart's migrations", () => {
    const lists = [...read('charts/tautan/templates/migrate.yaml').matchAll(/\$name := list (.*) \}\}/g)];
    expect(lists.map(([, list]) => named(list!, /"(\w+)"/g))).toEqual([services]);
  });

  test('the files that list all services', () => {
    const missing = filesWithAllServices.flatMap((path) => {
      const text = read(path);
      const names = services.filter((name) => !new RegExp(`(?<![a-z])${name}(?![a-z])`, 'i').test(text));
      return names.map((name) => `${path}: ${name}`);
    });
    expect(missing).toEqual([]);
  });
});
