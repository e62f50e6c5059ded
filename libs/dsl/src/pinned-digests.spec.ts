import { describe, expect, it } from '@jest/globals';
import type { NodeKind } from './ir.js';
import { NODE_KINDS } from './nodes/index.js';
import { artifactOf, catalogOf } from './testing/order-catalog.js';
import { PINNED_CATALOG, PINNED_DOCUMENTS } from './testing/pinned-documents.js';
import { nodesOf } from './walk.js';

type Pinned = keyof typeof PINNED_DOCUMENTS;

/** Never to be changed: runs are pinned to digests, and a definition with another digest is another definition. */
const DIGESTS: Readonly<Record<Pinned, string>> = {
  activity: '549b4aed55825fadca454587a4cbcc625e94d25eb683c2eb09fe777c2c32f70d',
  bindings: 'f89eb3243b79f7df45f6962645f2ad41580c8d1cc2fdfee455c97725d1b05834',
  choose: '609a59043f14d75d0334fd229d985982cd4fa989253cf5aa3b5f1503bbbf7316',
  while: 'a22873b568f1ad3e31b570c782ff038bff0f2154a53e279b6ce86ee6a9dcd691',
  do_while: '1362893b721235b783f6667fc1e95ab0eaccb97a20e7c76f9ddfe220fc976373',
  repeat: '9af24d09b7ab8841f591726b2eec1dd3f73f3dd3c61e9a9a1859e22bc0aef9d7',
  foreach: '3135594ae8a1ed8bfc88f8c71016b4d4ff19d3ae3ee252d0c3dcec51c025f65b',
  parallel: 'd18bc8d010a28c1afcd4ddfe216b8be530180d5453210e462cadd03a34d96540',
  saga: '4c9286bf552db5d4cb5ed7264acae6f79763ce3cd1507b71842f9b6815c6d9cf',
  timers: '6ded27da2716446a845c7577fe703dd46a8a46c1463889bfac564e8b98a8d42b',
  wait_signal: '4477c2f86fd80922b7445d54016f92247983d791c14cab40c0d33a24f67dfa75',
  on_error: '8db54c4132c0b1a3e3ecfa240d85b3fd03a843b8f8886d8fa7cf5161d4177eff',
  continue_as_new: '32ade1e9b0a4c3ddb17cf12044d59c5a362ad1b4dfc6ee593de921fd37429568',
  nested: '8e2f83728101e6561286a69d16f447f3586854f4ba571ec376e28f35e439a804',
};

const CATALOG = catalogOf(PINNED_CATALOG);
const documents = Object.entries(PINNED_DOCUMENTS) as [Pinned, string][];

describe('the digest', () => {
  it.each(documents)('of the pinned document %j is what it was', (name, source) => {
    expect(artifactOf(source, CATALOG).digest).toBe(DIGESTS[name]);
  });

  it('is pinned for every kind of node', () => {
    const kinds = new Set<NodeKind>();
    for (const [, source] of documents) {
      for (const { node } of nodesOf(artifactOf(source, CATALOG).definition)) kinds.add(node.kind);
    }
    expect([...kinds].toSorted()).toEqual([...NODE_KINDS.keys()].toSorted());
  });
});
