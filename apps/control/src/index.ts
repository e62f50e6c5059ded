/** Control: the services without HTTP, and the HTTP server around them (loaded when it is asked for). */
export { systemClock } from '@graphrun/runtime';
export type { WallClock } from '@graphrun/runtime';
export { tryAddress } from './address.js';
export { NAMESPACE } from './config.js';
export type { ControlConfig } from './config.js';
export { validateText } from './definitions/validate.js';
export type { Validation } from './definitions/validate.js';
export type { DefinitionDetails, DefinitionPublished, DefinitionView } from './definitions/definition-service.js';
export { ControlServices } from './services.js';
export type { ControlPorts } from './services.js';
export type { HistoryPage } from './runs/history.js';
export type { ControlApp } from './http/control-app.js';
import type { ControlApp } from './http/control-app.js';
import type { ControlPorts } from './services.js';

/** Loads Nest and Fastify ahead of `createControl`, while something else is waited for. */
export async function preloadControl(): Promise<void> {
  await import('./http/control-app.js');
}

/** Builds the HTTP server. Nest and Fastify are loaded here, so that users of the services alone do not pay for them. */
export async function createControl(ports: ControlPorts): Promise<ControlApp> {
  const { createControlApp } = await import('./http/control-app.js');
  return createControlApp(ports);
}
export { diagnosticView } from './definitions/diagnostic-view.js';
export type { DiagnosticView } from './definitions/diagnostic-view.js';
