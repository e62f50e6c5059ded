/** `/healthz`: the process lives. `/readyz`: it can do its work, or why not. */
import { Controller, Get, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { readiness } from '../../readiness.js';
import { ControlServices } from '../../services.js';
import { Operation } from '../operation.js';

@ApiTags('health')
@Controller()
export class HealthController {
  constructor(private readonly services: ControlServices) {}

  @Get('healthz')
  @Operation({ summary: 'Liveness', answers: { 200: ['Health', 'The process answers'] } })
  health() {
    return { status: 'ok', reasons: [] };
  }

  @Get('readyz')
  @Operation({
    summary: 'Readiness, with reasons',
    answers: { 200: ['Health', 'Ready'], 503: ['Health', 'Not ready, and why'] },
  })
  async readiness(@Res({ passthrough: true }) reply: FastifyReply) {
    const reasons = await readiness(this.services);
    if (reasons.length > 0) void reply.status(503);
    return { status: reasons.length === 0 ? 'ok' : 'unavailable', reasons };
  }
}
