import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startStack, type Stack } from '../support/stack.js';
import {
  bodyOf,
  dataOf,
  errorsOf,
  isPublic,
  operation,
  operations,
  queryOf,
  readDescription,
  resolved,
  responseHeaders,
  schemaAt,
  webhookTypes,
  type Operation,
} from '../support/description.js';
import { byName, contract, firstGroup, reference, rows, section, words } from './documents.js';
import { differences, shapeOf } from './shapes.js';

// Compares the OpenAPI document of a running gateway with the contract and the API reference.
let stack: Stack;

beforeAll(async () => {
  stack = await startStack();
  await readDescription(stack.baseUrl);
});
afterAll(() => stack?.stop());

interface Endpoint {
  name: string;
  query: string[];
  body: string[];
  personOnly: boolean | undefined;
}

const namesIn = (cell: string | undefined): string[] =>
  cell === undefined || /^none\b/.test(cell) ? [] : cell.split(/, /);

/** The endpoints of the reference: method, path, query parameters and body fields. */
const endpoints: Endpoint[] = (() => {
  const text = section(reference, 'Endpoints');
  return ['Links', 'QR codes', 'Tags', 'Domains', 'Workspaces', 'Billing', 'Audit log', 'Webhooks'].flatMap((part) => {
    const table = section(text, part);
    const [, header] = /^\| (Method .*) \|$/m.exec(table)!;
    const columns = header!.split(' | ');
    const cell = (row: string[], column: string): string | undefined => row[columns.indexOf(column)];
    return rows(table).map((row) => ({
      name: `${cell(row, 'Method')} ${cell(row, 'Path')!.split(' ')[0]}`,
      query: namesIn(cell(row, 'Query')),
      body: namesIn(
        cell(row, 'Body')
          ?.replace(/multipart.*`(\w+)`.*/, '$1')
          .replace(/ \(.*\)/, ''),
      ),
      personOnly: columns.includes('Credential') ? cell(row, 'Credential') === 'person only' : undefined,
    }));
  });
})();
const nameOf = ({ method, path }: Operation): string => `${method} ${path}`;
const find = (name: string): Operation | undefined => operations().find((each) => nameOf(each) === name);

describe('endpoints', () => {
  /** Endpoints that the contract adds: it names them like `POST /billing/resume`, or like `POST login` for sign-in. */
  const added = (): string[] => {
    const auth = firstGroup(contract, /\*\*Auth endpoints\*\*(.*)/);
    const signIn = [...auth.matchAll(/`(GET|POST|DELETE) ([a-z/{}-]+)/g)].map(
      ([, method, path]) => `${method} /api/v1/auth/${path}`,
    );
    const paths = [
      '/workspaces/current/stats',
      '/billing/resume',
      '/billing/portal',
      '/webhooks/{id}/rotate-secret',
      '/webhooks/{id}/test',
    ];
    const others = paths.map(
      (path) =>
        `${firstGroup(contract, new RegExp(`\`(GET|POST) ${path.replaceAll(/[{}]/g, '\\$&')}`))} /api/v1${path}`,
    );
    return [
      ...signIn,
      ...others,
      `POST ${firstGroup(contract, /`POST (\/api\/v1\/billing\/provider-webhook)`/)}`,
      'GET /q/{token}',
    ];
  };
  // Additional endpoints, in neither document.
  const additional = [
    'GET /api/v1/openapi.json', // The OpenAPI document itself.
    'GET /api/v1/auth/configuration', // First request of the device flow.
    'GET /api/v1/qr-codes/logos/{ref}', // The `url` of an uploaded logo.
    'GET /api/v1/qr-codes/preview', // An image of a QR code that is not stored.
    'PATCH /api/v1/domains/{id}', // Changes the pages that visitors of a custom domain see.
    'GET /app/billing/return', // The page that checkouts return to.
  ];

  test('are those of the reference and the contract', () => {
    const stated = new Set([...endpoints.map(({ name }) => name), ...added(), ...additional]);
    expect(operations().map(nameOf).sort()).toEqual([...stated].sort());
  });
});

describe('query parameters', () => {
  /** Filters of links that only the OpenAPI document describes. */
  const linkFilters = ['createdBy', 'createdFrom', 'createdTo', 'domain'];
  // By operation: the parameters that the contract adds to the reference, and the text that specifies them.
  const additional: Record<string, [parameters: string[], statement: string]> = {
    listLinks: [linkFilters, 'record the choice in the OpenAPI document'],
    getLink: [['domain'], '`?domain=` selects another'],
    updateLink: [['domain'], '`?domain=` selects another'],
    deleteLink: [['domain'], '`?domain=` selects another'],
    getLinkStats: [['domain', 'granularity', 'tz'], '[&granularity=hour|day|month][&tz=IANA]'],
    exportLinkStats: [['domain', 'granularity', 'tz'], '[&granularity=hour|day|month][&tz=IANA]'],
    getQrCodeStats: [['granularity', 'tz'], 'Stats as for links'],
    getWorkspaceStats: [['granularity', 'tz'], '`GET /workspaces/current/stats`'],
    downloadQrCode: [['size'], '`?format=png|svg&size=`'],
    listAuditLog: [['actor', 'target', 'from', 'to'], 'additive filters `actor`, `target`, `from`, `to`'],
  };

  test('are those of the reference and the additions of the contract', () => {
    const stated = endpoints.map(({ name, query }) => {
      const [more = [], statement = ''] = additional[find(name)?.operationId ?? ''] ?? [];
      expect(contract).toContain(statement);
      return [name, [...query, ...more].sort()];
    });
    const described = endpoints.map(({ name }) => [
      name,
      queryOf(find(name)!)
        .map((each) => each.name)
        .sort(),
    ]);
    expect(described).toEqual(stated);
  });

  test('that are unknown are rejected under /api/v1, except by the redirects of sign-in', () => {
    expect(contract).toContain('is refused with VALIDATION_ERROR naming it, on every `/api/v1` route');
    // Unknown parameters of an identity provider must be ignored (OpenID Connect Core 1.0, section 4; RFC 6749,
    // section 4.1.2).
    const signIn = ['beginSignIn', 'finishSignIn'];
    const lenient = operations().filter(
      (each) => each['x-ignores-unknown-parameters'] && each.path.startsWith('/api/v1/'),
    );
    expect(lenient.map(({ operationId }) => operationId)).toEqual(signIn);
  });

  test('of lists have the values, ranges and defaults of the reference', () => {
    const table = rows(section(reference, 'Pagination and common list parameters'));
    const type = (name: string): string => table.find(([param]) => param === name)![1]!;
    const parameters = Object.fromEntries(queryOf(operation('listLinks')).map(({ name, schema }) => [name, schema]));
    for (const name of ['status', 'sort', 'order'])
      expect([name, parameters[name]!.enum]).toEqual([name, type(name).split(', ')]);
    expect(parameters['order']!.default).toBe('desc');
    expect(Object.keys(parameters).sort()).toEqual([...table.map(([name]) => name), ...linkFilters].sort());
    const limits = byName(section(reference, 'Limits'));
    for (const each of operations()) {
      const limit = queryOf(each).find(({ name }) => name === 'limit')?.schema;
      const range = limit && `${limit.minimum} to ${limit.maximum}, default ${String(limit.default)}`;
      const paged = `1 to ${limits['Maximum page size']}, default ${limits['Default page size']}`;
      const stated = each.operationId === 'listDeliveries' ? limits['Webhook delivery listing page size'] : paged;
      if (limit) expect([each.operationId, range]).toEqual([each.operationId, stated]);
    }
  });
});

describe('bodies', () => {
  // By operation: the fields that the contract adds to the reference, and the text that specifies them.
  const additional: Record<string, [fields: string[], statement: string]> = {
    createLink: [
      ['domain', 'title', 'description'],
      '`domain` (name of a verified custom domain; create only), `title`',
    ],
    updateLink: [['title', 'description'], '`description` ≤ 500'],
    createCheckout: [['returnUrl'], 'currency IDR|USD, returnUrl?}'],
  };

  test('accept the fields of the reference and the additions of the contract', () => {
    const stated = endpoints.map(({ name, body }) => {
      const [more = [], statement = ''] = additional[find(name)?.operationId ?? ''] ?? [];
      expect(contract).toContain(statement);
      return [name, [...body, ...more].sort()];
    });
    const described = endpoints.map(({ name }) => [name, Object.keys(bodyOf(find(name)!).properties ?? {}).sort()]);
    expect(described).toEqual(stated);
  });

  test.each([
    ['signUp', /`POST signup (\{[^}]+\})`/],
    ['logIn', /`POST login (\{[^}]+\})`/],
    ['forgotPassword', /`POST forgot-password (\{[^}]+\})`/],
    ['mintApiKey', /`POST api-keys (\{[^}]+\})`/],
    ['bulkLinks', /\*\*bulk\*\* `(\{[^}]+\})`/],
    ['importLinks', /\*\*import\*\* `(\{[^}]+\})`/],
    ['createCheckout', /Checkout `(\{[^}]+\})`/],
    ['createPortal', /`POST \/billing\/portal (\{[^}]+\})`/],
  ])('of %s are those of the contract', (id, pattern) => {
    expect(differences(shapeOf(firstGroup(contract, pattern)), bodyOf(operation(id)))).toEqual([]);
  });

  test('of an import accept all row fields of the contract and, besides these, only the read-only fields of a link', () => {
    const item = schemaAt(bodyOf(operation('importLinks')).properties!['links']!).items!;
    const stated = shapeOf(firstGroup(contract, /≤ 1,000 items `(\{[^`]+\})`/));
    const readOnly = shapeOf(firstGroup(contract, /\nRecord: `(id, slug[^`]+)`/));
    expect(differences({ ...stated, ...readOnly }, item).filter((each) => !each.startsWith('-'))).toEqual([]);
    expect(Object.keys(stated).filter((name) => !(name in item.properties!))).toEqual([]);
  });

  test('of a QR code accept the styles of the contract', () => {
    const notation = firstGroup(contract, /\*\*styleConfig\*\*: `(\{[^`]+\})`/)
      .replaceAll(/ \([^)]*\)| "[^,]*/g, '')
      .replace('}|null', '}');
    const { styleConfig } = bodyOf(operation('createQrCode')).properties!;
    const shape = shapeOf(notation.replace('gradient {', 'gradient: {'));
    expect(differences(shape, styleConfig!)).toEqual([]);
  });
});

describe('access', () => {
  test('is limited to users where the documents say so', () => {
    const stated = endpoints.filter(({ personOnly }) => personOnly).map(({ name }) => name);
    expect(section(reference, 'Access rules')).toContain(
      ': create workspace, update workspace, invite member, remove member, change member role, switch workspace.',
    );
    expect(contract).toContain('Minting and revoking keys are person-only.');
    const keys = ['POST /api/v1/auth/api-keys', 'DELETE /api/v1/auth/api-keys/{id}'];
    // A session belongs to a user: an API key has none.
    const sessions = ['GET /api/v1/auth/sessions', 'DELETE /api/v1/auth/sessions/{id}', 'DELETE /api/v1/auth/sessions'];
    const reserved = operations()
      .filter((each) => each['x-person-only'])
      .map(nameOf);
    expect(reserved.sort()).toEqual([...stated, ...keys, ...sessions].sort());
  });

  test('of each role is that of the contract', () => {
    const [, admin, member] = /Owner and admin: ([^.]+)\. Member: ([^.]+)\. Viewer: read only\./.exec(contract)!;
    const minimumRoles = new Map([
      ...admin!.split(', ').map((resource) => [resource, 'admin'] as const),
      ...member!.split(', ').map((resource) => [resource, 'member'] as const),
    ]);
    /** Names of resources in the contract, by OpenAPI tag, if they differ from the tag in lower case. */
    const resourceOf: Record<string, string> = {
      'API keys': 'API keys',
      'QR codes': 'QR codes',
      Workspaces: 'workspace name',
    };
    // Any user can create a workspace or switch to one that they belong to, and any member can leave.
    const exceptions = ['createWorkspace', 'switchWorkspace', 'removeMember'];
    const guarded = operations().filter((each) => !isPublic(each) && each.tags[0] !== 'Signing in');
    const changes = guarded.filter(({ method, operationId }) => method !== 'GET' && !exceptions.includes(operationId));
    const role = (each: Operation) => [each.operationId, each['x-required-role']];
    expect(changes.map(role)).toEqual(
      changes.map(({ operationId, tags }) => [
        operationId,
        minimumRoles.get(resourceOf[tags[0]!] ?? tags[0]!.toLowerCase()),
      ]),
    );
    const reads = guarded.filter(({ method, operationId }) => method === 'GET' && operationId !== 'listWorkspaces');
    const adminOnly = ['listApiKeys', 'listAuditLog'];
    expect(reads.map(role)).toEqual(
      reads.map(({ operationId }) => [operationId, adminOnly.includes(operationId) ? 'admin' : 'viewer']),
    );
  });
});

describe('responses', () => {
  const success = (id: string): string => Object.keys(operation(id).responses).find((status) => /^[23]/.test(status))!;

  test('have the success statuses of the contract', () => {
    expect(contract).toContain(
      'create 201; read, update and actions 200; delete 200 with `data: {id, deleted: true}`; delivery retry 202',
    );
    const creating = /^(create|add|invite|mint|upload|signUp)/;
    const redirecting = ['beginSignIn', 'finishSignIn'];
    const stated = operations().map(({ operationId }) => {
      if (redirecting.includes(operationId)) return [operationId, '302'];
      if (operationId === 'retryDelivery') return [operationId, '202'];
      return [operationId, creating.test(operationId) ? '201' : '200'];
    });
    expect(operations().map(({ operationId }) => [operationId, success(operationId)])).toEqual(stated);
    const deletes = operations().filter(({ method, path }) => method === 'DELETE' && path.endsWith('}'));
    for (const each of deletes)
      expect([each.operationId, ...differences(shapeOf('id, deleted'), dataOf(each))]).toEqual([each.operationId]);
  });

  test('have the rate-limit headers of the contract, and with status 429 also Retry-After', async () => {
    const [, names] =
      /Every response carries (.+) \(seconds\) and the `X-RateLimit-\*` twins; 429 adds `Retry-After`/.exec(contract)!;
    const unprefixed = words(names!.replaceAll('`', ''));
    const all = [...unprefixed, ...unprefixed.map((name) => `X-${name}`)];
    expect(responseHeaders()).toEqual(expect.arrayContaining(all));
    const { 'x-response-headers': headers } = await readDescription(stack.baseUrl);
    expect(resolved(headers['Retry-After'] as { $ref?: string; description: string }).description).toMatch(
      /^With 429\b/,
    );
    const statuses = operations().map((each) => [each.operationId, errorsOf(each).map(({ status }) => status)]);
    expect(statuses).toEqual(statuses.map(([id]) => [id, expect.arrayContaining(['429'])]));
  });

  test('have the error codes and statuses of the contract', () => {
    const table = rows(section(contract, 'Errors')).map(
      ([codes, statuses]) => [codes!.split(/ \/ |, /), statuses!.split(' / ')] as const,
    );
    const statusOf = new Map(
      table.flatMap(([codes, statuses]) => codes.map((code, at) => [code, statuses[at] ?? statuses[0]!] as const)),
    );
    for (const each of operations())
      for (const { status, code } of errorsOf(each))
        expect([each.operationId, code, statusOf.get(code)]).toEqual([each.operationId, code, status]);
  });
});

test('webhooks are described for every type of the contract', () => {
  const stated = words(firstGroup(section(contract, 'Webhooks'), /Types: `([^`]+)`/));
  // In addition to the contract: changes to the pages that visitors of a custom domain see.
  expect(webhookTypes().sort()).toEqual([...stated, 'domain.updated'].sort());
});
