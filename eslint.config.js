import tseslint from 'typescript-eslint';

/** Refuses imports that point against the direction of dependencies: rpc, consumers → usecases → domain ← store. */
const inward = (files, ...forbidden) => ({
  files,
  ignores: ['**/*.test.ts', '**/testing/**'],
  rules: { 'no-restricted-imports': ['error', { patterns: forbidden.map((group) => ({ group: [group] })) }] },
});

export default tseslint.config(
  { ignores: ['**/dist/**', '**/generated/**', 'node_modules/**', '.data/**'] },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
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
    files: ['services/**/*.ts', 'gateway/**/*.ts', 'cli/**/*.ts'],
    ignores: ['**/config.ts', '**/*.test.ts', '**/testing/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Only config.ts reads the environment.',
        },
      ],
    },
  },
  // Services never import each other, and kit imports none of them.
  inward(['services/links/**/*.ts'], '@tautan/workspaces', '@tautan/webhooks', '@tautan/gateway'),
  inward(['services/workspaces/**/*.ts'], '@tautan/links', '@tautan/webhooks', '@tautan/gateway'),
  inward(['services/webhooks/**/*.ts'], '@tautan/links', '@tautan/workspaces', '@tautan/gateway'),
  inward(['services/kit/**/*.ts'], '@tautan/links', '@tautan/workspaces', '@tautan/webhooks', '@tautan/gateway'),
  // The terminal client knows nothing but the public API.
  inward(['cli/**/*.ts'], '@tautan/*'),
  inward(['gateway/**/*.ts'], '@tautan/links', '@tautan/workspaces', '@tautan/webhooks', 'mongoose', 'mongodb'),
  inward(
    ['services/*/src/domain/**/*.ts'],
    '**/usecases/**',
    '**/store/**',
    '**/rpc.js',
    '**/consumers.js',
    'mongoose',
    '@tautan/links',
    '@tautan/workspaces',
    '@tautan/webhooks',
  ),
  inward(
    ['services/*/src/store/**/*.ts'],
    '**/usecases/**',
    '**/rpc.js',
    '**/consumers.js',
    '@tautan/links',
    '@tautan/workspaces',
    '@tautan/webhooks',
  ),
  inward(
    ['services/*/src/usecases/**/*.ts'],
    '**/rpc.js',
    '**/consumers.js',
    'mongoose',
    '@tautan/links',
    '@tautan/workspaces',
    '@tautan/webhooks',
  ),
);
