/** The digest of a contract that is not part of any definition, as a program that uses it computes it. */
import { loadProgram, versionedName } from '@graphrun/dsl';
import type { Contract, Definition, Json } from '@graphrun/dsl';

/** `Program.contractDigest` looks at contracts and schemas only: the definition around them does not matter. */
const NO_DEFINITION: Definition = {
  dsl: 'graphrun/v1',
  id: 'contract',
  version: 1,
  runTimeoutMs: null,
  root: {
    inputSchema: 'unit/v1',
    outputSchema: 'unit/v1',
    start: 'end',
    nodes: { end: { kind: 'complete', output: { literal: null } } },
  },
};

/** SHA-256 over a contract and the schemas it names: what worker and engine must agree on. */
export function contractDigestOf(contract: Contract, schemas: { readonly [nameAndVersion: string]: Json }): string {
  const program = loadProgram({
    format: 'graphrun.artifact/v1',
    digest: '',
    definition: NO_DEFINITION,
    contracts: { [versionedName(contract.name, contract.version)]: contract },
    schemas,
  });
  return program.contractDigest(contract);
}
