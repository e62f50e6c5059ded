import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The newest stored state of a run, every 256 events and at the end. It can be rebuilt from the events. */
@Entity({ name: 'checkpoint', synchronize: false })
export class CheckpointEntity {
  @PrimaryColumn({ type: 'uuid' })
  run!: string;

  /** The state is the one after this event. */
  @Column({ type: 'integer' })
  seq!: number;

  @Column({ type: 'text' })
  state!: string;
}
