import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { Problem } from './problem.mjs';

const USAGE = 'npm run cluster -- [--nats 1|3] [--port N] [--dir D] [--partitions N]';

/** The command line of `npm run cluster`. */
export function clusterOptions(args) {
  const { nats, port, dir, partitions } = parse(args);
  return {
    ...(nats === undefined ? {} : { nats: oneOf('nats', nats, [1, 3]) }),
    ...(port === undefined ? {} : { port: within('port', port, 1, 65_535) }),
    ...(dir === undefined ? {} : { dir: resolve(dir) }),
    ...(partitions === undefined ? {} : { partitions: within('partitions', partitions, 1, 1024) }),
  };
}

function parse(args) {
  const text = { type: 'string' };
  try {
    return parseArgs({ args, options: { nats: text, port: text, dir: text, partitions: text } }).values;
  } catch (error) {
    throw new Problem(`${error.message.split('. ')[0]}; usage: ${USAGE}`);
  }
}

function oneOf(name, value, allowed) {
  if (allowed.includes(Number(value))) return Number(value);
  throw new Problem(`--${name} must be ${allowed.join(' or ')}, not "${value}"; usage: ${USAGE}`);
}

function within(name, value, least, most) {
  const number = Number(value);
  if (value !== '' && Number.isInteger(number) && number >= least && number <= most) return number;
  throw new Problem(`--${name} must be a number from ${least} to ${most}, not "${value}"; usage: ${USAGE}`);
}
