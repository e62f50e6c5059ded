import { afterAll, beforeAll } from '@jest/globals';
import { eventually, startNats } from '@graphrun/testing';
import type { NatsService } from '@graphrun/testing';
import type { Adapter } from '../contract/cluster.js';
import { changeFeedContract } from '../contract/feed-contract.js';
import { jetStreamCluster } from '../contract/jetstream-cluster.js';
import { commandLogContract } from '../contract/log-contract.js';
import { workQueueContract } from '../contract/queue-contract.js';

let nats: NatsService;

beforeAll(async () => {
  nats = await startNats();
});

afterAll(async () => {
  await nats.stop();
});

const jetStream: Adapter = { name: 'JetStream', eventually, open: () => Promise.resolve(jetStreamCluster(nats)) };

commandLogContract(jetStream);
workQueueContract(jetStream);
changeFeedContract(jetStream);
