/** What stands in the header of a document. */
import { LIMITS } from '../limits.js';
import { SEARCH_ATTRIBUTE_FIELDS } from '../search-attributes.js';
import { SIGNAL_FIELDS } from '../signals.js';
import { SYNTAX, type Syntax } from '../syntax.js';
import { dictionarySchema, mapSchema } from './table.js';

export const SIGNALS: Syntax = {
  title: 'signals',
  ...dictionarySchema(SYNTAX.name, { title: 'signal', ...mapSchema(SIGNAL_FIELDS) }),
};

export const SEARCH_ATTRIBUTES: Syntax = {
  title: 'search attributes',
  ...dictionarySchema(SYNTAX.name, { title: 'search attribute', ...mapSchema(SEARCH_ATTRIBUTE_FIELDS) }),
  maxProperties: LIMITS.searchAttributes,
};

export const LABELS: Syntax = {
  title: 'labels',
  type: 'object',
  additionalProperties: { type: ['string', 'number', 'boolean'] },
};
