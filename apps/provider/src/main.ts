/** Entry of the provider. Exit codes: 0 stopped, 2 wrong settings, 1 anything else. */
import { Journal } from './journal.js';
import { Provider } from './provider.js';
import { createServer } from './server.js';

interface Settings {
  readonly file: string;
  readonly host: string;
  readonly port: number;
}

const FILE = 'GRAPHRUN_PROVIDER_FILE';
const HOST = 'GRAPHRUN_PROVIDER_HOST';
const PORT = 'GRAPHRUN_PROVIDER_PORT';

function settingsOf(environment: Readonly<Record<string, string | undefined>>): Settings {
  const file = environment[FILE] ?? '';
  const port = Number(environment[PORT] ?? '7080');
  const problems = [
    ...(file === '' ? [`${FILE} is not set: name the file of the ledger.`] : []),
    ...(Number.isInteger(port) && port >= 0 && port <= 65_535 ? [] : [`${PORT} must be a port from 0 to 65535.`]),
  ];
  if (problems.length > 0) {
    process.stderr.write(`the provider does not start: ${problems.join(' ')}\n`);
    process.exit(2);
  }
  return { file, host: environment[HOST] ?? '127.0.0.1', port };
}

const { file, host, port } = settingsOf(process.env);
const provider = new Provider(Journal.open(file));
const server = createServer(provider);
process.stdout.write(`the provider is ready at ${await server.listen({ host, port })}\n`);

const stop = (): void => {
  void server.close().then(() => {
    provider.close();
    process.exit(0);
  });
};
process.on('SIGTERM', stop);
process.on('SIGINT', stop);
