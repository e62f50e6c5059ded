/** Runs what was asked for, one after the other, and reports each result as soon as it is there. */
import { BarePath } from './bare-path/bare-path.js';
import { compileShapes } from './benchmarks/compile.js';
import { embeddedRound } from './benchmarks/embedded.js';
import { FanOutLoad, ITEMS } from './benchmarks/fan-out.js';
import type { FanOutRound } from './benchmarks/fan-out.js';
import { fanOutSizes, longHistory } from './benchmarks/replay.js';
import { SequenceLoad } from './benchmarks/sequence.js';
import type { SequenceRound } from './benchmarks/sequence.js';
import { SignalLoad } from './benchmarks/signals.js';
import type { SignalRound } from './benchmarks/signals.js';
import { httpStarts, natsStarts, StartLoad } from './benchmarks/starts.js';
import type { StartRound, StartSender } from './benchmarks/starts.js';
import { APPROVAL, EXTERNAL, FAN_OUT, publish, PURE, WAITING } from './benchmarks/workflows.js';
import type { SequenceWorkflow } from './benchmarks/workflows.js';
import { measureFloors } from './floors/floors.js';
import { pgliteFloor } from './floors/pglite.js';
import { HttpClient } from './http/http-client.js';
import { describeMachine } from './machine.js';
import type { BenchOptions } from './options.js';
import { ProfileSession } from './profile/session.js';
import { Report } from './report/report.js';
import type { Measured } from './report/report.js';
import { profileTable } from './report/table.js';
import { startCluster } from './topology/cluster.js';
import type { Cluster } from './topology/cluster.js';
import { startServers } from './topology/servers.js';
import type { Servers } from './topology/servers.js';
import { warningsOf } from './topology/service.js';
import { readTraffic, trafficEach } from './topology/traffic.js';

/** Those that need the services of a cluster. */
const CLUSTER_BENCHMARKS = ['B1', 'B1x', 'B2', 'B3', 'B4'] as const;

const IN_FLIGHT = 64;
const MANY_IN_FLIGHT = 256;
/** Runs of a thousand items beside each other. */
const FAN_OUTS_IN_FLIGHT = 5;

interface Sizes {
  readonly warmUp: number;
  readonly runs: number;
  readonly runsOneByOne: number;
  readonly starts: number;
  readonly publishes: number;
  readonly httpRequests: number;
  readonly floorSeconds: number;
  readonly compilations: number;
  readonly fanOuts: number;
  readonly signals: number;
  readonly replays: number;
}

const FULL: Sizes = {
  warmUp: 4000,
  runs: 6000,
  runsOneByOne: 400,
  starts: 10_000,
  publishes: 40_000,
  httpRequests: 20_000,
  floorSeconds: 3,
  compilations: 40,
  fanOuts: 20,
  signals: 2000,
  replays: 20,
};

function scaled(sizes: Sizes, part: number): Sizes {
  const scale = (value: number): number => Math.ceil(value * part);
  return {
    // Code gets as warm in a short measurement as in a long one.
    warmUp: sizes.warmUp,
    runs: scale(sizes.runs),
    runsOneByOne: scale(sizes.runsOneByOne),
    starts: scale(sizes.starts),
    publishes: scale(sizes.publishes),
    httpRequests: scale(sizes.httpRequests),
    floorSeconds: sizes.floorSeconds * part,
    compilations: scale(sizes.compilations),
    fanOuts: scale(sizes.fanOuts),
    signals: scale(sizes.signals),
    replays: scale(sizes.replays),
  };
}

export async function runBenchmarks(options: BenchOptions): Promise<void> {
  const sizes = options.quick ? scaled(FULL, 0.25) : FULL;
  const report = [...options.only].some((id) => id !== 'B8')
    ? await withServers(sizes, options)
    : new Report(await describeMachine(null), options.repeats, options.undisturbed);
  if (options.only.has('B8')) await compilations(report, sizes);
  if (options.only.has('B8')) await replays(report, sizes);
  if (options.only.has('B9')) await embedded(report, sizes);
  report.summarize();
}

/** The floors, and what runs on servers. The report goes on with the rest. */
async function withServers(sizes: Sizes, options: BenchOptions): Promise<Report> {
  const servers = await startServers();
  try {
    const report = new Report(await describeMachine(servers), options.repeats, options.undisturbed);
    await floors(report, servers, sizes, options);
    if (CLUSTER_BENCHMARKS.some((id) => options.only.has(id))) {
      const cluster = await startCluster(servers, options);
      try {
        await clusterBenchmarks(report, servers, cluster, sizes, options);
        report.warnings(cluster.services.flatMap(warningsOf));
      } finally {
        await cluster.stop();
      }
    }
    return report;
  } finally {
    await servers.stop();
  }
}

async function floors(report: Report, servers: Servers, sizes: Sizes, { only }: BenchOptions): Promise<void> {
  await report.floors(() =>
    measureFloors(servers, {
      commitSeconds: sizes.floorSeconds,
      publishes: sizes.publishes,
      httpRequests: sizes.httpRequests,
    }),
  );
  for (const [id, grants] of [
    ['B1', false],
    ['B1x', true],
  ] as const) {
    if (!only.has(id) && !only.has('floors')) continue;
    const bare = await BarePath.start(servers, grants);
    try {
      await bare.round(sizes.warmUp, IN_FLIGHT);
      for (const [inFlight, count] of sequenceRounds(sizes)) {
        report.bare(id, inFlight, await measured(report, servers, count, () => bare.round(count, inFlight)));
      }
    } finally {
      await bare.stop();
    }
  }
}

function sequenceRounds(sizes: Sizes): readonly (readonly [inFlight: number, count: number])[] {
  return [
    [IN_FLIGHT, sizes.runs],
    [1, sizes.runsOneByOne],
  ];
}

async function clusterBenchmarks(
  report: Report,
  servers: Servers,
  cluster: Cluster,
  sizes: Sizes,
  { only, partitions, profileDir }: BenchOptions,
): Promise<void> {
  const client = new HttpClient(cluster.url);
  await publish(client, [PURE, EXTERNAL, WAITING, FAN_OUT, APPROVAL]);
  const profiles = profileDir === null ? null : new ProfileSession(profileDir, cluster.services);
  if (only.has('B1')) await sequence(report, 'B1', PURE, client, servers, cluster, sizes, profiles);
  if (only.has('B1x')) await sequence(report, 'B1x', EXTERNAL, client, servers, cluster, sizes, profiles);
  if (only.has('B2')) {
    const load = new StartLoad();
    await client.open(MANY_IN_FLIGHT);
    const direct = await natsStarts(servers.nats.servers, partitions);
    try {
      await starts(report, 'HTTP', load, httpStarts(client), servers, cluster, sizes);
      await starts(report, 'NATS', load, direct, servers, cluster, sizes);
    } finally {
      await direct.close();
    }
    await load.verify(client);
  }
  if (only.has('B3')) await fanOut(report, client, servers, cluster, sizes);
  if (only.has('B4')) await signals(report, client, servers, cluster, sizes);
  client.close();
}

async function sequence(
  report: Report,
  id: 'B1' | 'B1x',
  workflow: SequenceWorkflow,
  client: HttpClient,
  servers: Servers,
  cluster: Cluster,
  sizes: Sizes,
  profiles: ProfileSession | null,
): Promise<void> {
  const load = new SequenceLoad(client, workflow);
  await load.round(sizes.warmUp, IN_FLIGHT, []);
  for (const [inFlight, count] of sequenceRounds(sizes)) {
    const round = (): Promise<SequenceRound> => load.round(count, inFlight, cluster.consumers);
    report.sequence(id, inFlight, await measured(report, servers, count, round));
  }
  await load.verify(20);
  if (profiles === null) return;
  const recorded = await profiles.record(() => load.round(sizes.runs, IN_FLIGHT, []));
  for (const { service, file, summary } of recorded) report.text(profileTable(`${id}, ${service} (${file})`, summary));
}

async function starts(
  report: Report,
  transport: 'HTTP' | 'NATS',
  load: StartLoad,
  sender: StartSender,
  servers: Servers,
  cluster: Cluster,
  sizes: Sizes,
): Promise<void> {
  await load.round(sender, Math.ceil(sizes.starts / 2), IN_FLIGHT, []);
  for (const inFlight of [IN_FLIGHT, MANY_IN_FLIGHT]) {
    const round = (): Promise<StartRound> => load.round(sender, sizes.starts, inFlight, cluster.consumers);
    report.starts(transport, inFlight, await measured(report, servers, sizes.starts, round));
  }
}

async function fanOut(
  report: Report,
  client: HttpClient,
  servers: Servers,
  cluster: Cluster,
  sizes: Sizes,
): Promise<void> {
  const load = new FanOutLoad(client);
  await load.round(Math.ceil(sizes.fanOuts / 2), FAN_OUTS_IN_FLIGHT, []);
  for (const inFlight of [FAN_OUTS_IN_FLIGHT, 1]) {
    const round = (): Promise<FanOutRound> => load.round(sizes.fanOuts, inFlight, cluster.consumers);
    report.fanOut(inFlight, await measured(report, servers, sizes.fanOuts * ITEMS, round));
  }
  report.sizes('B3', 'one run of 1,000 items', fanOutSizes());
}

async function signals(
  report: Report,
  client: HttpClient,
  servers: Servers,
  cluster: Cluster,
  sizes: Sizes,
): Promise<void> {
  const load = new SignalLoad(client, `bench-${process.pid}`);
  await load.round(sizes.signals, IN_FLIGHT, []);
  for (const [inFlight, count] of [
    [1, Math.ceil(sizes.signals / 5)],
    [IN_FLIGHT, sizes.signals],
  ] as const) {
    const round = (): Promise<SignalRound> => load.round(count, inFlight, cluster.consumers);
    report.signals(inFlight, await measured(report, servers, count, round));
  }
}

/** The repeats of a round, and what the servers did for each of its units. */
async function measured<R extends Measured['rounds'][number]>(
  report: Report,
  servers: Servers,
  unitsOfARound: number,
  round: () => Promise<R>,
): Promise<Measured<R>> {
  let units = 0;
  const before = await readTraffic(servers);
  const rounds = await report.repeat(() => {
    units += unitsOfARound; // of rounds that do not count too: the servers worked for them
    return round();
  });
  return { rounds, unitsOfARound, traffic: trafficEach(before, await readTraffic(servers), units) };
}

/** Compilations of a shape before the first that counts. */
const COMPILE_WARM_UP = 15;

async function compilations(report: Report, sizes: Sizes): Promise<void> {
  for (const shape of compileShapes(COMPILE_WARM_UP)) {
    const rounds = await report.repeat(() => Promise.resolve(shape.round(sizes.compilations)));
    report.compilations(shape, sizes.compilations, rounds);
  }
}

const REPLAY_WARM_UP = 5;

async function replays(report: Report, sizes: Sizes): Promise<void> {
  const history = longHistory(REPLAY_WARM_UP);
  const rounds = await report.repeat(() => Promise.resolve(history.round(sizes.replays)));
  report.replays(history, sizes.replays, rounds);
}

async function embedded(report: Report, sizes: Sizes): Promise<void> {
  const runs = Math.ceil(sizes.runs / 3);
  const floor = await report.repeat(() => pgliteFloor(sizes.floorSeconds));
  const rounds = await report.repeat(() => embeddedRound(runs, IN_FLIGHT));
  report.embedded(IN_FLIGHT, rounds, floor);
}
