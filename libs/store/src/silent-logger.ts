import type { Logger } from 'typeorm';

/** TypeORM writes failures to the console although it also throws them. Ours are reported once, by who handles them. */
export class SilentLogger implements Logger {
  logQuery(): void {
    // Statements are seen in PostgreSQL's own log.
  }

  logQueryError(): void {
    // The error reaches the caller.
  }

  logQuerySlow(): void {
    // Slow statements are seen in PostgreSQL's own log.
  }

  logSchemaBuild(): void {
    // The schema is made by migrations alone.
  }

  logMigration(): void {
    // A failed migration reaches the caller.
  }

  log(): void {
    // What TypeORM wants to say of its pool reaches the caller as an error.
  }
}
