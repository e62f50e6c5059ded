import { ContractEntity, ReconcilerEntity, SchemaEntryEntity } from './catalog.entity.js';
import { CheckpointEntity } from './checkpoint.entity.js';
import { ClusterEntity } from './cluster.entity.js';
import { ArtifactEntity, DefinitionEntity } from './definition.entity.js';
import { EventEntity } from './event.entity.js';
import { PartitionEntity } from './partition.entity.js';
import { QuarantineEntity } from './quarantine.entity.js';
import { ResultEntity } from './result.entity.js';
import { RunEntity } from './run.entity.js';
import { SignalIdentityEntity } from './signal-identity.entity.js';
import { UnrecoverableEntity } from './unrecoverable.entity.js';
import { WakeEntity } from './wake.entity.js';

export const ENTITIES = [
  ArtifactEntity,
  CheckpointEntity,
  ClusterEntity,
  ContractEntity,
  DefinitionEntity,
  EventEntity,
  PartitionEntity,
  QuarantineEntity,
  ReconcilerEntity,
  ResultEntity,
  RunEntity,
  SchemaEntryEntity,
  SignalIdentityEntity,
  UnrecoverableEntity,
  WakeEntity,
];
