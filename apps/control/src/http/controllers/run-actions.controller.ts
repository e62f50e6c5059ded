/** `/v1/runs/:id/<action>`: what clients and operators ask of a run. Each is a command, answered when it is committed. */
import { applyDecorators, Controller, HttpCode, Param, Post, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CommandId, Resolution } from '@graphrun/domain';
import { LIMITS, POLICIES } from '@graphrun/dsl';
import type { RunAction } from '../../runs/run-command.js';
import { ControlServices } from '../../services.js';
import { jsonBody, pathParameter } from '../body.js';
import { commandIdOf } from '../command-id.js';
import { Operation } from '../operation.js';
import { activationId, integer, json, name, runId, signalEventId, text } from '../shape/scalars.js';
import type { Shape } from '../shape/shape.js';
import { object, optional, required, variants } from '../shape/shape.js';

const reason = text(LIMITS.errorMessageBytes);
const seq = integer(1, Number.MAX_SAFE_INTEGER);

const signalBody = object({
  signal: required(name),
  key: required(text(LIMITS.signalKeyBytes, 0)),
  payload: required(json),
  event_id: optional(signalEventId, null),
});
const cancelBody = object({ reason: required(reason) });
const holdBody = object({ reason: required(reason), expected_seq: optional(seq, null) });
/** What cannot be taken back is decided on a state of the run that somebody has seen. */
const dangerousBody = object({ reason: required(reason), expected_seq: required(seq) });
const reopenBody = object({
  reason: required(reason),
  expected_seq: required(seq),
  version: optional(integer(1, Number.MAX_SAFE_INTEGER), null),
});
const resolution = variants<Resolution>('kind', {
  applied: { output: required(json) },
  not_applied: {},
  retry: { attempts: required(integer(1, POLICIES.budgetExtension)) },
  fail: { failure: required(object({ code: required(name), message: required(text(LIMITS.errorMessageBytes)) })) },
  input: { input: required(json) },
});
const resolveBody = object({
  activation: required(activationId),
  resolution: required(resolution),
  reason: required(reason),
  expected_seq: required(seq),
});

/** A command on a run: all of them are described, and can fail, alike. */
function Action(path: string, summary: string, description: string, body: Shape<unknown>): MethodDecorator {
  return applyDecorators(
    Post(path),
    HttpCode(202),
    Operation({
      summary,
      description,
      path: { id: runId },
      body,
      command: true,
      answers: { 202: ['Accepted', 'The command is committed'] },
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
    }),
  );
}

@ApiTags('actions')
@Controller('v1/runs/:id')
export class RunActionsController {
  constructor(private readonly services: ControlServices) {}

  @Action(
    'signals',
    'Send a signal to a run',
    'The earliest wait of this signal and key takes it; without one it is kept for 7 days. The same `event_id` with the same content is the same signal, whatever the command id; left out, it is the command id.',
    signalBody,
  )
  sendSignal(@Param('id') id: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#send(id, request, reply, (commandId) => {
      const { signal, key, payload, event_id: given } = jsonBody(request, signalBody);
      // A command id has the form of an event id; only the brand differs.
      const event = given ?? (commandId as string as NonNullable<typeof given>);
      return { kind: 'signal', event, signal, key, payload };
    });
  }

  @Action(
    'cancel',
    'Cancel a run',
    'Records the intent. The run ends as `cancelled` when its work has settled and what its sagas owe is undone.',
    cancelBody,
  )
  cancelRun(@Param('id') id: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#send(id, request, reply, () => ({ kind: 'cancel', ...jsonBody(request, cancelBody) }));
  }

  @Action(
    'pause',
    'Pause a run',
    'Nothing new starts until it is resumed, cleanup included. Running attempts report, timers and signals are recorded. A run that is paused stays paused.',
    holdBody,
  )
  pauseRun(@Param('id') id: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#send(id, request, reply, () => hold('pause', request));
  }

  @Action('resume', 'Resume a paused run', 'A run that is not paused stays as it is.', holdBody)
  resumeRun(@Param('id') id: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#send(id, request, reply, () => hold('resume', request));
  }

  @Action(
    'resolve',
    'Say what became of something that is blocked',
    'For an attempt whose outcome nobody knows: `applied` with its output, `not_applied`, `retry` with up to ten more attempts, or `fail`. For a compensation whose input could not be built: `input`. Refused when the run is no longer at `expected_seq`.',
    resolveBody,
  )
  resolveRun(@Param('id') id: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#send(id, request, reply, () => {
      const { expected_seq: expectedSeq, ...rest } = jsonBody(request, resolveBody);
      return { kind: 'resolve', ...rest, expectedSeq };
    });
  }

  @Action(
    'abandon',
    'Give up what compensations still owe',
    'The run ends as `failed` with `saga.abandoned`, and its outcome names every effect that was not undone. Refused when the run is no longer at `expected_seq`.',
    dangerousBody,
  )
  abandonRun(@Param('id') id: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#send(id, request, reply, () => endNow('abandon', request));
  }

  @Action(
    'terminate',
    'End a run at once',
    'Nothing is settled and nothing undone: what runs may still have its effect. Refused when the run is no longer at `expected_seq`.',
    dangerousBody,
  )
  terminateRun(
    @Param('id') id: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.#send(id, request, reply, () => endNow('terminate', request));
  }

  @Action(
    'reopen',
    'Open a failed run again',
    'It goes on at its failed activations and at what was cancelled with them, with fresh attempts and all results it has; a saga whose undoing had begun starts its body anew. With `version` it goes on with that version of the definition, which must have every node that the run has been at. Refused when the run is no longer at `expected_seq`: of two that race one wins.',
    reopenBody,
  )
  reopenRun(@Param('id') id: string, @Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply) {
    return this.#send(id, request, reply, () => {
      const { reason, expected_seq: expectedSeq, version } = jsonBody(request, reopenBody);
      return { kind: 'reopen', reason, expectedSeq, version };
    });
  }

  #send(id: string, request: FastifyRequest, reply: FastifyReply, read: (commandId: CommandId) => RunAction) {
    const run = pathParameter('id', id, runId);
    const commandId = commandIdOf(request);
    const action = read(commandId);
    void reply.header('idempotency-key', commandId);
    return this.services.commander.send({ principal: request.principal, commandId, run, action });
  }
}

function hold(kind: 'pause' | 'resume', request: FastifyRequest): RunAction {
  const { reason, expected_seq: expectedSeq } = jsonBody(request, holdBody);
  return { kind, reason, expectedSeq };
}

function endNow(kind: 'abandon' | 'terminate', request: FastifyRequest): RunAction {
  const { reason, expected_seq: expectedSeq } = jsonBody(request, dangerousBody);
  return { kind, reason, expectedSeq };
}
