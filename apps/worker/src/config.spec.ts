import { hostname } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { workerConfigFromEnv } from './config.js';

const NATS = { GRAPHRUN_NATS_URLS: 'nats://a:4222, nats://b:4222' };

describe('settings of the worker', () => {
  it('have defaults for everything but the servers', () => {
    expect(workerConfigFromEnv(NATS)).toEqual({
      cluster: 'graphrun',
      natsUrls: ['nats://a:4222', 'nats://b:4222'],
      partitions: 16,
      replicas: 1,
      worker: hostname(),
      principal: hostname(),
      activities: null,
      handlers: '@graphrun/examples',
      catalogPath: null,
      slots: 32,
      maxRunning: 128,
      drainMs: 30_000,
      healthPort: null,
      healthHost: '127.0.0.1',
      logLevel: 'info',
    });
  });

  it('are read from the environment; empty variables count as unset', () => {
    const config = workerConfigFromEnv({
      ...NATS,
      GRAPHRUN_CLUSTER: 'c1',
      GRAPHRUN_PARTITIONS: '4',
      GRAPHRUN_WORKER: 'payments-0',
      GRAPHRUN_WORKER_ACTIVITIES: 'payment.charge,payment.refund/v1',
      GRAPHRUN_HANDLERS: '/srv/handlers.js',
      GRAPHRUN_CATALOG: '/srv/catalog.json',
      GRAPHRUN_SLOTS: '8',
      GRAPHRUN_HEALTH_PORT: '0',
      GRAPHRUN_LOG_LEVEL: '',
    });
    expect(config).toMatchObject({
      cluster: 'c1',
      partitions: 4,
      worker: 'payments-0',
      principal: 'payments-0',
      activities: ['payment.charge', 'payment.refund/v1'],
      handlers: 'file:///srv/handlers.js',
      catalogPath: '/srv/catalog.json',
      slots: 8,
      healthPort: 0,
      logLevel: 'info',
    });
  });

  it('that are wrong are all named at once, with what they should be', () => {
    expect(() =>
      workerConfigFromEnv({
        GRAPHRUN_PARTITIONS: 'many',
        GRAPHRUN_SLOTS: '129',
        GRAPHRUN_WORKER_ACTIVITIES: 'pay me',
        GRAPHRUN_LOG_LEVEL: 'loud',
      }),
    ).toThrow(
      'The settings are not valid. ' +
        'GRAPHRUN_NATS_URLS is not set: NATS servers, separated by commas, such as nats://127.0.0.1:4222. ' +
        'GRAPHRUN_PARTITIONS must be an integer from 1 to 1024, not "many". ' +
        'GRAPHRUN_WORKER_ACTIVITIES must be a list, separated by commas, of activities such as payment.charge or payment.charge/v1, not "pay me". ' +
        'GRAPHRUN_SLOTS must be an integer from 1 to 128, not "129". ' +
        'GRAPHRUN_LOG_LEVEL must be one of debug, info, warn, error, not "loud".',
    );
  });
});
