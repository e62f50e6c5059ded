/** The provider as a process that a test may kill and bring back; it keeps its ledger and its address. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Service } from '../cluster/service.js';
import { freePort } from '../services/port.js';
import { ProviderClient } from './client.js';

/** Seen from `libs/testing/{src,dist}/provider`. */
const MAIN = fileURLToPath(new URL('../../../../apps/provider/dist/main.js', import.meta.url));

export interface ProviderService {
  readonly url: string;
  readonly service: Service;
  readonly client: ProviderClient;
}

/** Starts the built provider (`npm run build`), with ledger and log in `dir`; returns when it is ready. */
export async function startProvider(dir: string): Promise<ProviderService> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await Service.start({
    name: 'provider',
    main: MAIN,
    env: { GRAPHRUN_PROVIDER_FILE: join(dir, 'provider.jsonl'), GRAPHRUN_PROVIDER_PORT: String(port) },
    healthUrl: url,
    logFile: join(dir, 'provider.log'),
  });
  return { url, service, client: new ProviderClient(url) };
}
