export type { CoordinatorService, CoordinatorSettings } from './service.js';
export { COORDINATOR_SETTINGS, startCoordinator } from './service.js';
