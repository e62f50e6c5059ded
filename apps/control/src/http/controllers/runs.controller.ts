/** `/v1/runs`: start, list, inspect, history. */
import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { listRuns, RUN_STATUSES } from '../../runs/list-runs.js';
import { hasEnded } from '../../runs/run-reader.js';
import { ControlServices } from '../../services.js';
import { jsonBody, pathParameter, queryShape } from '../body.js';
import { commandIdOf } from '../command-id.js';
import { Operation } from '../operation.js';
import {
  cursor,
  duration,
  integerText,
  json,
  listOf,
  name,
  runId,
  startKey,
  time,
  version,
  versionText,
} from '../shape/scalars.js';
import { object, optional, required } from '../shape/shape.js';

/** The longest wait for an outcome. */
const LONGEST_WAIT_MS = 5 * 60 * 1000;

const startBody = object({
  workflow: required(name),
  version: optional(version, null),
  input: required(json),
  start_key: optional(startKey, null),
});
const startQuery = { wait: optional(duration(LONGEST_WAIT_MS), 0) };
const listQuery = {
  workflow: optional(name, null),
  version: optional(versionText, null),
  status: optional(listOf(RUN_STATUSES), null),
  start_key: optional(startKey, null),
  created_after: optional(time, null),
  created_before: optional(time, null),
  limit: optional(integerText(1, 500), 50),
  cursor: optional(cursor, null),
  counts: optional(listOf(['true', 'false']), null),
};
const historyQuery = {
  from_seq: optional(integerText(1, Number.MAX_SAFE_INTEGER), 1),
  limit: optional(integerText(1, 1000), 200),
};

const reconstructQuery = { seq: optional(integerText(1, Number.MAX_SAFE_INTEGER), null) };

const readStartQuery = queryShape<{ wait: number }>(startQuery);
const readListQuery = queryShape(listQuery);
const readHistoryQuery = queryShape<{ from_seq: number; limit: number }>(historyQuery);

@ApiTags('runs')
@Controller('v1/runs')
export class RunsController {
  constructor(private readonly services: ControlServices) {}

  @Post()
  @Operation({
    summary: 'Start a run',
    description:
      'The answer is a receipt: the run is committed. With `wait` the answer comes when the run has ended (200), or when the time is over (202, the run goes on); a run that continues as new is followed, and the answer shows the last run. The same start key and input meet the same run.',
    query: startQuery,
    body: startBody,
    command: true,
    answers: { 200: ['Run', 'The run has ended'], 202: ['Run', 'The run goes on'] },
    problems: [
      'InvalidArgument',
      'NotFound',
      'AlreadyExists',
      'FailedPrecondition',
      'Expired',
      'ResourceExhausted',
      'DeadlineExceeded',
    ],
    alsoStatuses: [413, 415],
  })
  async startRun(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { workflow, version: wanted, input, start_key: key } = jsonBody(request, startBody);
    const { wait: waitMs } = readStartQuery(request);
    const commandId = commandIdOf(request);
    const started = await this.services.starter.start({
      principal: request.principal,
      commandId,
      workflow,
      version: wanted,
      startKey: key,
      input,
      waitMs,
      whenGone: (listener) => reply.raw.once('close', listener),
    });
    const view = await this.services.inspector.started(started, waitMs > 0);
    void reply
      .status(hasEnded(view.status) ? 200 : 202)
      .header('idempotency-key', commandId)
      .type('application/json')
      .send(JSON.stringify(view));
  }

  @Get()
  @Operation({
    summary: 'List runs, newest first',
    query: listQuery,
    answers: { 200: ['RunList', 'A page of runs'] },
    problems: ['InvalidArgument'],
  })
  listRuns(@Req() request: FastifyRequest) {
    const { counts, start_key, created_after, created_before, ...rest } = readListQuery(request);
    return listRuns(this.services.query, {
      ...rest,
      startKey: start_key,
      createdAfter: created_after,
      createdBefore: created_before,
      counts: counts?.includes('true') === true,
    });
  }

  @Get(':id')
  @Operation({
    summary: 'Inspect a run',
    path: { id: runId },
    answers: { 200: ['RunDetails', 'The run as committed last'] },
    problems: ['InvalidArgument', 'NotFound', 'FailedPrecondition'],
  })
  inspectRun(@Param('id') id: string, @Req() request: FastifyRequest) {
    const run = pathParameter('id', id, runId);
    readNothing(request);
    return this.services.inspector.inspect(run);
  }

  @Get(':id/history')
  @Operation({
    summary: 'Events of a run',
    path: { id: runId },
    query: historyQuery,
    answers: { 200: ['History', 'A page of events'] },
    problems: ['InvalidArgument', 'NotFound'],
  })
  readHistory(@Param('id') id: string, @Req() request: FastifyRequest) {
    const run = pathParameter('id', id, runId);
    const { from_seq: fromSeq, limit } = readHistoryQuery(request);
    return this.services.history(run, fromSeq, limit);
  }

  @Get(':id/reconstruct')
  @Operation({
    summary: 'The state of a run after one of its events',
    description:
      'Made from the events alone: after event `seq`, or after the last one. `agrees` says whether what the engine goes on from, a checkpoint and the events behind it, gives the same state as all events. Nothing is written.',
    path: { id: runId },
    query: reconstructQuery,
    answers: { 200: ['Reconstruction', 'The state after that event'] },
    problems: ['InvalidArgument', 'NotFound', 'FailedPrecondition'],
  })
  reconstructRun(@Param('id') id: string, @Req() request: FastifyRequest) {
    const run = pathParameter('id', id, runId);
    const { seq } = readReconstructQuery(request);
    return this.services.inspector.reconstruct(run, seq);
  }
}

const readReconstructQuery = queryShape<{ seq: number | null }>(reconstructQuery);
const readNothing = queryShape<object>({});
