/** A Fastify server that does nothing but read a JSON body and answer it: the least that HTTP costs here. */
import { fastify } from 'fastify';

const server = fastify({ logger: false });
server.post('/echo', (request) => request.body);
const url = await server.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`ready ${url}\n`);
process.on('SIGTERM', () => void server.close());
