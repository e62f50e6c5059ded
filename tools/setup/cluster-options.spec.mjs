import { describe, expect, it } from '@jest/globals';
import { clusterOptions } from './cluster-options.mjs';

describe('npm run cluster', () => {
  it('leaves everything to the defaults when nothing is given', () => {
    expect(clusterOptions([])).toEqual({});
  });

  it('takes the number of servers, the port, the directory and the partitions', () => {
    expect(clusterOptions(['--nats', '1', '--port', '7171', '--dir', '/tmp/cluster', '--partitions', '4'])).toEqual({
      nats: 1,
      port: 7171,
      dir: '/tmp/cluster',
      partitions: 4,
    });
  });

  it.each([
    [['--nats', '2'], '--nats must be 1 or 3, not "2"; usage: npm run cluster -- '],
    [['--port', 'web'], '--port must be a number from 1 to 65535, not "web"; usage: '],
    [['--partitions', '0'], '--partitions must be a number from 1 to 1024, not "0"; usage: '],
    [['--replicas', '3'], "Unknown option '--replicas'; usage: npm run cluster -- "],
  ])('refuses %j with the usage', (args, message) => {
    expect(() => clusterOptions(args)).toThrow(message);
  });
});
