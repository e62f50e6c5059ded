/** Writes golden histories, by hand only: see `src/testing/write-goldens.ts`. */
import jest from '../../jest.config.mjs';

const [unit] = jest.projects;
export default {
  ...jest,
  projects: [{ ...unit, displayName: 'goldens', testMatch: ['<rootDir>/libs/domain/src/testing/write-goldens.ts'] }],
};
