/** Generated conditions: every operator, over operands that can be compared. */
import type { Binding, ComparisonOperator, Condition } from '../../ir.js';
import { bindingOfPiece } from './bindings.js';
import type { Picks } from './picks.js';
import type { Piece } from './pieces.js';
import type { Place } from './places.js';

export function conditionOf(places: readonly Place[], picks: Picks, depth = 0): Condition {
  const forms = depth >= 3 ? 3 : 6;
  switch (picks.below(forms)) {
    case 0:
      return compare(picks.of(['eq', 'ne']), picks.of(SCALARS), places, picks);
    case 1:
      return compare(picks.of(['lt', 'le', 'gt', 'ge']), picks.of(['integer', 'number']), places, picks);
    case 2: {
      const place = places[picks.below(Math.max(1, places.length))];
      const { from, path } = place ?? { from: 'workflow.input' as const, path: '' };
      return { exists: path === '' ? { from } : { from, path } };
    }
    case 3:
      return { all: conditionsOf(places, picks, depth) };
    case 4:
      return { any: conditionsOf(places, picks, depth) };
    default:
      return { not: conditionOf(places, picks, depth + 1) };
  }
}

const SCALARS = ['integer', 'string', 'boolean', 'text', 'null', 'number'] as const;

function conditionsOf(places: readonly Place[], picks: Picks, depth: number): readonly Condition[] {
  return Array.from({ length: 1 + picks.below(3) }, () => conditionOf(places, picks, depth + 1));
}

function compare(operator: ComparisonOperator, piece: Piece, places: readonly Place[], picks: Picks): Condition {
  const nullable = places.filter((place) => place.piece === 'text');
  if (piece === 'text' && nullable.length > 0) {
    // What may be null is compared with null or a string; a string alone and null never meet.
    const { from, path } = nullable[picks.below(nullable.length)] ?? { from: 'workflow.input', path: '' };
    return comparison(operator, [{ from, path, default: null }, { literal: picks.of([null, 'a']) }]);
  }
  const common = piece === 'text' ? 'string' : piece;
  // `integer` and `number` never meet either, so a number is compared with numbers only.
  const comparable = places.filter((place) => place.piece === common);
  return comparison(operator, [bindingOfPiece(common, comparable, picks), bindingOfPiece(common, comparable, picks)]);
}

/** The condition that compares two bindings. */
export function comparison(operator: ComparisonOperator, operands: readonly [Binding, Binding]): Condition {
  switch (operator) {
    case 'eq':
      return { eq: operands };
    case 'ne':
      return { ne: operands };
    case 'lt':
      return { lt: operands };
    case 'le':
      return { le: operands };
    case 'gt':
      return { gt: operands };
    case 'ge':
      return { ge: operands };
  }
}
