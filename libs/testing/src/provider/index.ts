export { ProviderClient } from './client.js';
export { ProviderLedger } from './ledger.js';
export type {
  Behaviour,
  EffectRequest,
  LedgerLine,
  Match,
  MisusedLine,
  Probe,
  ProbedLine,
  RequestedLine,
  Rule,
  SettledLine,
} from './protocol.js';
export { startProvider, type ProviderService } from './service.js';
