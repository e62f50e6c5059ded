/** All topics. */
import { ACTIVITIES } from './activities.js';
import { AVAILABILITY } from './availability.js';
import { BINDINGS } from './bindings.js';
import type { Topic } from './case.js';
import { CATALOGS } from './catalogs.js';
import { CHOOSE } from './choose.js';
import { CONDITIONS } from './conditions.js';
import { DOCUMENT } from './document.js';
import { FAILURES } from './failures.js';
import { FOREACH } from './foreach.js';
import { FRAMES } from './frames.js';
import { GRAPH } from './graph.js';
import { LIMITS_TOPIC } from './limits.js';
import { LOOPS } from './loops.js';
import { PARALLEL } from './parallel.js';
import { REGIONS } from './regions.js';
import { SAGAS } from './sagas.js';
import { SCHEMAS } from './schemas.js';
import { SEARCH_ATTRIBUTES } from './search-attributes.js';
import { SIGNALS } from './signals.js';
import { SOURCE } from './source.js';
import { TIMERS } from './timers.js';
import { TYPING } from './typing.js';

export const TOPICS: readonly Topic[] = [
  SOURCE,
  DOCUMENT,
  GRAPH,
  BINDINGS,
  FRAMES,
  AVAILABILITY,
  TYPING,
  CONDITIONS,
  ACTIVITIES,
  CHOOSE,
  LOOPS,
  FOREACH,
  PARALLEL,
  SAGAS,
  SIGNALS,
  TIMERS,
  FAILURES,
  REGIONS,
  SEARCH_ATTRIBUTES,
  LIMITS_TOPIC,
  CATALOGS,
  SCHEMAS,
];
