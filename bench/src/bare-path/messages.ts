/**
 * The bare path carries a sequence of two steps through the same kinds of messages as the product, with one
 * transaction for each batch, and nothing else: no language, no checks, no leases, no recovery. It shows what the
 * servers and the runtime carry, so that the engine's figure can be read as a share of it.
 */
export const COMMAND_STREAM = 'BARE_COMMANDS';
export const COMMAND_SUBJECT = 'bare.command';
export const WORK_STREAM = 'BARE_WORK';
export const WORK_SUBJECT = 'bare.work';
export const WORK_CONSUMER = 'bare-worker';

export interface BareOrder {
  readonly order_id: string;
  readonly amount: number;
}

export type BareValue = Readonly<Record<string, string | number>>;

export type BareCommand =
  | {
      readonly kind: 'start';
      readonly id: string;
      readonly run: string;
      readonly replyTo: string;
      readonly input: BareOrder;
    }
  | {
      readonly kind: 'claim';
      readonly id: string;
      readonly run: string;
      readonly step: BareStep;
      readonly replyTo: string;
    }
  | {
      readonly kind: 'report';
      readonly id: string;
      readonly run: string;
      readonly step: BareStep;
      readonly output: BareValue;
    };

export type BareStep = 'reserve' | 'charge';

export interface BareOffer {
  readonly run: string;
  readonly step: BareStep;
  readonly input: BareValue;
}

export interface BareGrant {
  readonly id: string;
}

export interface BareResult {
  readonly run: string;
  readonly output: BareValue;
}

/** Environment of the two processes. */
export const BARE_NATS = 'BARE_NATS_URL';
export const BARE_POSTGRES = 'BARE_POSTGRES_URL';
/** `yes`: a committed grant before each step, as external work has it. */
export const BARE_GRANTS = 'BARE_GRANTS';
