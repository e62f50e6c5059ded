import { it } from '@jest/globals';
import { GOLDEN_HISTORIES } from './testing/golden-histories.js';
it.each(Object.keys(GOLDEN_HISTORIES))('%s', (name) => { ((...a: unknown[]) => process.stderr.write(a.join(" ")+"\n"))(name); const d = GOLDEN_HISTORIES[name]?.run(); ((...a: unknown[]) => process.stderr.write(a.join(" ")+"\n"))(name, d?.scenario.history.length, d?.scenario.run.status.kind); });
