import { readdirSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/** Returns a configuration that rejects the imports `forbidden` in `files`, except in tests. */
const forbidImports = (files, ...forbidden) => ({
  files,
  ignores: ['**/*.test.ts', '**/testing/**'],
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group: forbidden }] }] },
});

const services = readdirSync(new URL('services', import.meta.url)).filter((name) => name !== 'kit');
/** The resources of large services, each a folder with its own use cases, rules and queries. */
const resources = {
  links: ['links', 'tags', 'domains', 'qr-routes', 'redirects', 'stats'],
  workspaces: ['workspaces', 'members', 'sessions', 'api-keys', 'audit', 'requests', 'plans'],
};

const environment = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only config.ts reads the environment.',
};
const timers = [
  "CallExpression[callee.object.name='Promise'][callee.property.name='race']",
  "NewExpression[callee.name='Promise'] CallExpression[callee.name='setTimeout']",
  "ImportDeclaration[source.value='node:timers/promises'] ImportSpecifier[imported.name='setTimeout']",
].map((selector) => ({
  selector,
  message: 'Use sleep, withTimeout or withInterrupt of services/kit/src/async/time.ts.',
}));

/** One program for all packages with the same compiler options takes less time than one for each. */
const typePrograms = [
  './tsconfig.lint.json',
  './docs/site/tsconfig.json',
  './sdk/tsconfig*.json',
  './web/tsconfig.json',
];

const allServices = services.map((name) => `@tautan/${name}`);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', 'gateway/site/**', 'node_modules/**', '.data/**'] },
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: typePrograms, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
    },
  },
  // Only config.ts reads the environment.
  {
    files: [
      'services/**/*.ts',
      'plans/**/*.ts',
      'gateway/**/*.ts',
      'sdk/**/*.ts',
      'cli/**/*.ts',
      'admin/**/*.ts',
      'web/**/*.ts',
      'web/**/*.tsx',
    ],
    ignores: ['**/config.ts', 'services/kit/src/config/**', '**/*.test.ts', '**/testing/**'],
    rules: { 'no-restricted-syntax': ['error', environment] },
  },
  // Only one module implements sleeps and timeouts.
  {
    files: ['services/**/*.ts', 'plans/**/*.ts', 'gateway/**/*.ts', 'admin/**/*.ts'],
    ignores: [
      'services/kit/src/async/time.ts',
      'services/kit/src/config/**',
      '**/config.ts',
      '**/*.test.ts',
      '**/*.fixture.ts',
      '**/testing/**',
    ],
    rules: { 'no-restricted-syntax': ['error', environment, ...timers] },
  },
  // Services never import each other, and kit imports none of them.
  ...services.map((name) =>
    forbidImports(
      [`services/${name}/**/*.ts`],
      ...allServices.filter((each) => each !== `@tautan/${name}`),
      '@tautan/gateway',
    ),
  ),
  // Kit is generic. It may import the names of plans, which principals contain, but nothing else about plans.
  {
    files: ['services/kit/**/*.ts'],
    ignores: ['**/*.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { group: [...allServices, '@tautan/gateway', '@tautan/plans', '@tautan/proto/plans'] },
            { group: ['@tautan/proto'], importNamePattern: '([Pp]lan(?!Name$)|[Ll]imit|[Uu]sage|[Rr]ecord$)' },
          ],
        },
      ],
    },
  },
  forbidImports(['plans/**/*.ts'], ...allServices, '@tautan/gateway'),
  // The client library runs on any platform with the Fetch API. It imports no other package of this repository; its
  // types are generated from the OpenAPI document.
  forbidImports(['sdk/src/*.ts', 'sdk/src/import-formats/*.ts'], '@tautan/*', 'node:*'),
  // Of the packages in this repository, the CLI imports only the client library.
  forbidImports(['cli/**/*.ts'], '@tautan/*', '!@tautan/sdk'),
  // Only the client library calls the API. The CLI itself speaks HTTP to the identity provider and to webhook handlers.
  {
    files: ['cli/src/**/*.ts'],
    ignores: ['cli/src/identity/**', 'cli/src/listen/**', '**/*.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-globals': ['error', { name: 'fetch', message: 'Call the API through @tautan/sdk.' }],
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: ['@tautan/*', '!@tautan/sdk', 'node:http', 'node:https', 'node:http2', 'undici'] }] },
      ],
    },
  },
  // Of the packages in this repository, the web application imports only the client library.
  forbidImports(['web/src/**/*.ts', 'web/src/**/*.tsx'], '@tautan/*', '!@tautan/sdk'),
  // Operator commands access the services only through RPCs.
  forbidImports(['admin/**/*.ts'], ...allServices, '@tautan/gateway', 'mongoose', 'mongodb'),
  forbidImports(['gateway/**/*.ts'], ...allServices, 'mongoose', 'mongodb'),
  // Inside a service, imports have one direction: from `rpc.ts` and `consumers.ts` to use cases, from use cases to
  // `domain/` and `store/`, and from `store/` to `domain/`.
  forbidImports(
    ['services/*/src/**/domain/**/*.ts'],
    '**/usecases/**',
    '**/store/**',
    '**/rpc.js',
    '**/consumers.js',
    'mongoose',
    ...allServices,
    '@tautan/gateway',
  ),
  forbidImports(
    ['services/*/src/**/store/**/*.ts'],
    '**/usecases/**',
    '**/rpc.js',
    '**/consumers.js',
    ...allServices,
    '@tautan/gateway',
  ),
  forbidImports(
    ['services/*/src/**/{usecases,steps}/**/*.ts'],
    '**/rpc.js',
    '**/consumers.js',
    'mongoose',
    ...allServices,
    '@tautan/gateway',
  ),
  // Shared steps never import use cases, and a resource never imports the `store/` folder of another.
  {
    files: ['services/*/src/**/steps/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: { '@typescript-eslint/no-restricted-imports': ['error', { patterns: [{ group: ['**/usecases/**'] }] }] },
  },
  ...Object.entries(resources)
    .flatMap(([service, names]) =>
      names.map((name) => {
        const others = names.filter((other) => other !== name).map((other) => `**/${other}/store/**`);
        return ['steps/', ''].map((folder) => ({
          files: [`services/${service}/src/${name}/${folder}**/*.ts`],
          ignores: folder === '' ? ['**/*.test.ts', '**/steps/**'] : ['**/*.test.ts'],
          rules: {
            '@typescript-eslint/no-restricted-imports': [
              'error',
              { patterns: [{ group: folder === '' ? others : [...others, '**/usecases/**'] }] },
            ],
          },
        }));
      }),
    )
    .flat(),
);
