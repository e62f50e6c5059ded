import { createProjectGraphAsync } from '@nx/devkit';
import nx from '@nx/eslint-plugin';
import prettier from 'eslint-config-prettier';
import { importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

// The rule of module boundaries reads Nx's graph from its cache and skips itself, with a warning, where there is none yet.
await createProjectGraphAsync();

/*
 * Layers point one way: dsl <- domain <- protocol <- adapter (store, messaging) <- engine, sdk <- app; diagram
 * stands beside domain, on dsl alone, for apps. Each package says its layer in `nx.tags` of its package.json.
 */
const LAYERS = [
  ['layer:dsl', ['layer:dsl']],
  ['layer:diagram', ['layer:diagram', 'layer:dsl']],
  ['layer:domain', ['layer:domain', 'layer:dsl']],
  ['layer:protocol', ['layer:protocol', 'layer:domain', 'layer:dsl']],
  ['layer:adapter', ['layer:adapter', 'layer:protocol', 'layer:domain', 'layer:dsl']],
  ['layer:engine', ['layer:engine', 'layer:adapter', 'layer:protocol', 'layer:domain', 'layer:dsl']],
  ['layer:sdk', ['layer:sdk', 'layer:adapter', 'layer:protocol', 'layer:domain', 'layer:dsl']],
  [
    'layer:app',
    [
      'layer:app',
      'layer:engine',
      'layer:sdk',
      'layer:adapter',
      'layer:protocol',
      'layer:domain',
      'layer:diagram',
      'layer:dsl',
    ],
  ],
  ['layer:testing', ['*']],
];

const boundaries = (extra = []) => [
  'error',
  {
    allow: [],
    enforceBuildableLibDependency: false,
    // A library's tests use the harness, which may itself use the library: no cycle of what is published.
    ignoredCircularDependencies: extra.includes('layer:testing') ? [['@graphrun/testing', '*']] : [],
    depConstraints: LAYERS.map(([sourceTag, allowed]) => ({
      sourceTag,
      onlyDependOnLibsWithTags: [...allowed, ...extra],
    })),
  },
];

const NO_INPUT = 'A decision must be a function of its arguments alone: pass what you need in (spec 02, "decide").';
const impure = (selector) => ({ selector, message: NO_INPUT });

export default tseslint.config(
  { ignores: ['**/dist/', '**/node_modules/', '.nx/', 'coverage/', '.graphrun/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  { plugins: { 'import-x': importX, '@nx': nx } },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.check.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@nx/enforce-module-boundaries': boundaries(),
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'separate-type-imports' }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-non-null-assertion': 'off', // allowed with a comment that says why it holds (CONTRIBUTING)
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true, allowNullish: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/dot-notation': ['error', { allowIndexSignaturePropertyAccess: true }],
      // Matters of taste where both forms read well.
      '@typescript-eslint/consistent-type-definitions': 'off',
      '@typescript-eslint/consistent-indexed-object-style': 'off',
      '@typescript-eslint/non-nullable-type-assertion-style': 'off',
      // Refuses plain objects for interfaces that a library declares as classes, which is how Nest and others take options.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Nest's modules are classes that hold nothing but their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
    },
  },
  {
    files: ['**/*.{ts,mjs}'],
    rules: {
      'import-x/order': [
        'error',
        {
          groups: ['builtin', 'external', 'internal', 'parent', 'sibling', 'index'],
          pathGroups: [{ pattern: '@graphrun/**', group: 'internal' }],
          pathGroupsExcludedImportTypes: ['builtin'],
          'newlines-between': 'never',
          alphabetize: { order: 'asc', orderImportKind: 'ignore', caseInsensitive: true },
        },
      ],
      'import-x/no-default-export': 'error',
      'import-x/no-duplicates': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-empty': ['error', { allowEmptyCatch: false }],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'], location: 'start' }],
      'no-console': 'off',
    },
  },
  {
    files: ['libs/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
    ignores: [
      '**/*.spec.ts',
      '**/{testing,spec,contract,negative,type-tests}/**',
      'libs/testing/**',
      'apps/{e2e,provider}/**',
    ],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/testing/**', '@graphrun/testing', '@graphrun/*/testing', 'fast-check', '@jest/globals'],
              message: 'What serves tests stays out of what is shipped.',
            },
          ],
        },
      ],
    },
  },
  {
    // The language, the aggregate and the drawings are pure: the same arguments give the same answer on every machine, for ever.
    files: ['libs/{dsl,domain,diagram}/src/**/*.ts'],
    ignores: ['**/*.spec.ts', 'libs/domain/src/testing/write-goldens.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: [
                'node:*',
                'fs',
                'fs/*',
                'crypto',
                'os',
                'path',
                'net',
                'http',
                'https',
                'child_process',
                'timers',
                'worker_threads',
              ],
              message: NO_INPUT,
            },
            {
              group: ['@nestjs/*', 'typeorm', 'pg', '@nats-io/*', 'pino', 'rxjs'],
              message: 'No framework and no I/O in the pure layers (spec 08).',
            },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...[
          'process',
          'setTimeout',
          'setInterval',
          'setImmediate',
          'queueMicrotask',
          'performance',
          'crypto',
          'fetch',
          'Buffer',
          'console',
        ].map((name) => ({
          name,
          message: NO_INPUT,
        })),
      ],
      'no-restricted-syntax': [
        'error',
        impure('CallExpression[callee.object.name="Date"][callee.property.name="now"]'),
        impure('NewExpression[callee.name="Date"][arguments.length=0]'),
        impure('CallExpression[callee.name="Date"]'),
        impure('MemberExpression[object.name="Math"][property.name="random"]'),
        impure('MemberExpression[object.name="globalThis"]'),
      ],
    },
  },
  {
    // Tests may reach for the harness and for servers' clients; benchmarks and end-to-end tests are nothing else.
    files: ['**/*.spec.ts', '**/src/testing/**/*.ts', 'bench/**/*.ts', 'apps/{e2e,provider}/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': boundaries(['layer:testing']),
      // In a test, `value!` fails the test where the value is missing, which is what an assertion is for.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Their mistakes are on purpose, and whatever follows from one has no type.
    files: ['**/type-tests/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
  {
    files: ['**/*.config.mjs', '**/jest.goldens.mjs'],
    rules: { 'import-x/no-default-export': 'off' },
  },
  prettier,
);
