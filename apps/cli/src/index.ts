/** The command line, usable in process: tests and tools run commands through `runCli`. */
export { runCli, VERSION } from './program.js';
export { EXIT } from './exit-codes.js';
export { Interrupts } from './interrupts.js';
export type { Streams } from './terminal.js';
export { openEmbedded } from './embedded/open-embedded.js';
export type { Embedded } from './embedded/embedded.js';
export type { EmbeddedOptions } from './embedded/open-embedded.js';
