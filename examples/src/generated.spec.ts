import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { compileYaml, parseCatalog } from '@graphrun/dsl';
import { arrayOf, workflow } from '@graphrun/dsl/builder';
import { generateModule } from '@graphrun/dsl/codegen';
import * as generated from './generated/catalog.js';
import { exampleCatalogText, exampleDefinitionText } from './index.js';

const { bench, inventory, Order, payment, PaymentReceipt, ReservedOrder } = generated;

function catalog() {
  const parsed = parseCatalog(exampleCatalogText());
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.diagnostics));
  return parsed.catalog;
}

/** The references in a group of activities, groups within included. */
function referencesIn(group: object): readonly string[] {
  return Object.values(group).flatMap((member: object) =>
    'retryable' in member && 'name' in member && 'version' in member
      ? [`${String(member.name)}/v${String(member.version)}`]
      : referencesIn(member),
  );
}

describe('the generated module of the examples', () => {
  it('is what `graphrun codegen --catalog examples/catalog.json` writes', () => {
    const kept = readFileSync(new URL('./generated/catalog.ts', import.meta.url), 'utf8');
    expect(kept).toBe(generateModule(catalog()).text);
  });

  it('has a reference for every activity of the catalog', () => {
    const groups = Object.values(generated).filter((value) => !('ref' in value));
    const names = catalog().contracts.map(({ name, version }) => `${name}/v${version}`);
    expect(groups.flatMap(referencesIn).toSorted()).toEqual(names.toSorted());
  });

  it('knows the schemas by their names, and what is made of them', () => {
    expect(Order.ref).toBe('order/v1');
    expect(arrayOf(ReservedOrder).ref).toEqual({ array: 'reserved_order/v1' });
    expect(inventory.reserve.input).toBe(Order);
    expect(payment.charge.retryable).toEqual(['payment.unavailable']);
  });

  it('writes the same definition as YAML', () => {
    const yaml = compileYaml(exampleDefinitionText('bench-sequence'), { catalog: catalog() });
    const built = workflow('bench_order', 1)
      .input(Order)
      .output(PaymentReceipt)
      .body((r) => {
        const reserved = r.activity('reserve', bench.reserve, r.input);
        const charged = r.activity('charge', bench.charge, reserved.output);
        return r.complete('finish', charged.output);
      })
      .compile({ catalog: catalog() });
    if (!yaml.ok || !built.ok) throw new Error(JSON.stringify([yaml, built]));
    expect(built.artifact.digest).toBe(yaml.artifact.digest);
  });
});
