/** The one place where errors become answers. */
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import { Catch, HttpException } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphrunError } from '@graphrun/protocol';
import type { Logger } from '@graphrun/runtime';
import { BODY_LIMIT_BYTES } from './body.js';
import { HttpProblem, PROBLEM_MEDIA_TYPE, problemOf } from './problem.js';
import type { Problem } from './problem.js';

@Catch()
export class ProblemFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const error = translate(exception, request);
    const problem = problemOf(error);
    if (problem.status >= 500) {
      this.logger.error(
        { err: exception, code: problem.code, method: request.method, route: request.routeOptions.url },
        'request failed',
      );
    }
    sendProblem(http.getResponse<FastifyReply>(), problem);
  }
}

export function sendProblem(reply: FastifyReply, problem: Problem): void {
  if (problem.status === 401) void reply.header('www-authenticate', 'Bearer realm="graphrun"');
  if (problem.status === 429 || problem.status === 503) {
    const seconds = problem['retry_after_s'];
    void reply.header('retry-after', typeof seconds === 'number' ? String(seconds) : '1');
  }
  void reply.status(problem.status).type(PROBLEM_MEDIA_TYPE).send(JSON.stringify(problem));
}

/** What Fastify and Nest report in their own words. */
export function translate(exception: unknown, request: FastifyRequest): unknown {
  if (exception instanceof GraphrunError) return exception;
  if (exception instanceof HttpException && exception.getStatus() === 404) {
    return new GraphrunError(
      'NotFound',
      `There is no ${request.method} ${path(request)}; GET /openapi.json lists what there is.`,
    );
  }
  // Nest wraps what Fastify reports; the code inside says what it was.
  const inner = exception instanceof HttpException ? (exception.cause ?? exception) : exception;
  const code = (inner as { readonly code?: unknown }).code;
  const statusCode =
    exception instanceof HttpException
      ? exception.getStatus()
      : (inner as { readonly statusCode?: unknown }).statusCode;
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new HttpProblem(
        'ResourceExhausted',
        `The body is over ${BODY_LIMIT_BYTES} bytes; store large values elsewhere and pass a reference.`,
        413,
        {
          limit: 'body_bytes',
          max: BODY_LIMIT_BYTES,
        },
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new HttpProblem(
        'InvalidArgument',
        'The content type must be application/json, or application/yaml for definitions.',
        415,
        {
          expected: ['application/json', 'application/yaml'],
        },
      );
    default:
      break;
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    const message = exception instanceof Error ? exception.message : 'the request cannot be read';
    return new HttpProblem('InvalidArgument', `The request is malformed: ${message}.`, statusCode);
  }
  return exception;
}

function path(request: FastifyRequest): string {
  return request.url.split('?', 1)[0] ?? '';
}
