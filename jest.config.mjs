/** Unit and integration tests run from source: SWC compiles, TypeScript checks in `npm run build`. */
const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2023',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true },
    },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  },
];

const project = (displayName, testMatch, testPathIgnorePatterns = []) => ({
  displayName,
  rootDir: import.meta.dirname,
  testMatch,
  testPathIgnorePatterns: ['/node_modules/', '/dist/', ...testPathIgnorePatterns],
  modulePathIgnorePatterns: ['/dist/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '^.+\\.ts$': swc },
  moduleNameMapper: {
    '^@graphrun/(coordinator|worker|control|cli|provider)$': '<rootDir>/apps/$1/src/index.ts',
    '^@graphrun/examples$': '<rootDir>/examples/src/index.ts',
    '^@graphrun/([a-z]+)$': '<rootDir>/libs/$1/src/index.ts',
    '^@graphrun/([a-z]+)/([a-z-]+)$': '<rootDir>/libs/$1/src/$2/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  testEnvironment: 'node',
});

const folders = '<rootDir>/{libs,apps,examples,bench,tools}';

export default {
  rootDir: import.meta.dirname,
  maxWorkers: 2,
  // A deadline against hangs, not a measurement: tests wait for conditions (see `eventually`), never for time.
  testTimeout: 60_000,
  projects: [
    project('unit', [`${folders}/**/*.spec.{ts,mjs}`], ['\\.integration\\.spec\\.(ts|mjs)$']),
    // Real servers, or real processes of the built product.
    project('integration', [`${folders}/**/*.integration.spec.{ts,mjs}`]),
  ],
};
