/** The floors: what the parts underneath carry alone on this machine, in this minute. */
import type { Servers } from '../topology/servers.js';
import { httpFloor } from './http.js';
import { publishFloor } from './jetstream.js';
import { commitFloor } from './postgres.js';

export interface FloorSizes {
  readonly commitSeconds: number;
  readonly publishes: number;
  readonly httpRequests: number;
}

/** Metrics by name, once for each call. */
export async function measureFloors(servers: Servers, sizes: FloorSizes): Promise<Readonly<Record<string, number>>> {
  const commits = await commitFloor(servers.postgres.url, sizes.commitSeconds);
  const publishes = await publishFloor(servers.nats.servers, sizes.publishes);
  const http = await httpFloor(sizes.httpRequests, 64);
  return { ...commits, ...publishes, ...http };
}
