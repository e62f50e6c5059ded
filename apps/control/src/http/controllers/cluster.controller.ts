/** `/v1/partitions`, `/v1/workers`, `/v1/quarantine`, `/v1/unrecoverable`: what operators look at. */
import { Controller, Get } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ControlServices } from '../../services.js';
import { Operation } from '../operation.js';

/** Lists for operators end here; the newest entries come first. */
const LONGEST_LIST = 1000;

@ApiTags('cluster')
@Controller('v1')
export class ClusterController {
  constructor(private readonly services: ControlServices) {}

  @Get('partitions')
  @Operation({
    summary: 'Partitions, their owners and positions',
    answers: { 200: ['PartitionList', 'All partitions'] },
  })
  async listPartitions() {
    const rows = await this.services.query.partitions();
    return {
      partitions: rows.map((row) => ({
        partition: row.partition,
        owner: row.owner,
        epoch: row.epoch,
        incarnation: row.incarnation,
        commit_no: row.commitNo,
        applied_seq: row.position.seq,
        lease_until: row.leaseUntil,
        engine_time: row.engineTime,
        takeovers_here: row.takeoversHere,
        paused: row.paused,
      })),
    };
  }

  @Get('workers')
  @Operation({ summary: 'Worker sessions that answer now', answers: { 200: ['WorkerList', 'All sessions'] } })
  async listWorkers() {
    const sessions = await this.services.queue.sessions();
    return {
      workers: sessions.map((session) => ({
        session: session.session,
        worker: session.worker,
        principal: session.principal,
        started_at: session.startedAt,
        draining: session.draining,
        running: session.running,
        capabilities: session.capabilities.map((capability) => ({
          role: capability.role,
          activity: capability.activity,
          version: capability.version,
          slots: capability.slots,
          codec_version: capability.codecVersion,
          input_schema_digest: capability.inputSchemaDigest,
          output_schema_digest: capability.outputSchemaDigest,
          contract_digest: capability.contractDigest,
        })),
        handed_back: session.unknownContracts.map(({ role, activity, version, contractDigest }) => ({
          role,
          activity,
          version,
          contract_digest: contractDigest,
          reason: 'unknown contract',
        })),
      })),
    };
  }

  @Get('quarantine')
  @Operation({
    summary: 'Commands that could not be applied',
    answers: { 200: ['QuarantineList', 'The newest first'] },
  })
  async listQuarantine() {
    const rows = await this.services.query.quarantine(LONGEST_LIST);
    return {
      // The command itself holds payloads; it stays in the store.
      quarantine: rows.map(({ id, partition, incarnation, seq, run, kind, principal, error, at }) => ({
        id,
        partition,
        incarnation,
        seq,
        run,
        kind,
        principal,
        error,
        at,
      })),
    };
  }

  @Get('unrecoverable')
  @Operation({
    summary: 'Runs whose stored state cannot be read',
    answers: { 200: ['UnrecoverableList', 'All of them'] },
  })
  async listUnrecoverable() {
    const rows = await this.services.query.unrecoverable(LONGEST_LIST);
    return {
      unrecoverable: rows.map(({ run, partition, reason, since, attempts }) => ({
        run,
        partition,
        reason,
        since,
        attempts,
      })),
    };
  }
}
