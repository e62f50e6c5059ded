/** `/v1/commands`: what became of a command id. */
import { Controller, Get, Param, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { GraphrunError } from '@graphrun/protocol';
import { findCommandResult } from '../../runs/command-lookup.js';
import { ControlServices } from '../../services.js';
import { pathParameter } from '../body.js';
import { Operation } from '../operation.js';
import { problemOf } from '../problem.js';
import { commandId as commandIdShape } from '../shape/scalars.js';

@ApiTags('commands')
@Controller('v1/commands')
export class CommandsController {
  constructor(private readonly services: ControlServices) {}

  @Get(':id')
  @Operation({
    summary: 'The recorded result of a command',
    description: 'Only of your own commands. `NotFound` means "not known yet", never "rejected".',
    path: { id: commandIdShape },
    answers: { 200: ['CommandResult', 'The committed result'] },
    problems: ['InvalidArgument', 'NotFound'],
  })
  async readCommand(@Param('id') id: string, @Req() request: FastifyRequest) {
    const commandId = pathParameter('id', id, commandIdShape);
    const { query, config } = this.services;
    const result = await findCommandResult(query, config.partitions, request.principal, commandId);
    if (result.ok) {
      return {
        command_id: commandId,
        ok: true,
        run: result.run,
        workflow_id: result.workflowId,
        version: result.version,
      };
    }
    const error = new GraphrunError(result.code, result.message, {
      details: { ...result.details, command_id: commandId },
    });
    return { command_id: commandId, ok: false, problem: problemOf(error) };
  }
}
