/**
 * Lines that change their column between two rows do so on horizontal tracks in the gap. Which line gets the higher
 * track decides what crosses: each pair is put in the order with fewer crossings, and lines that do not meet share.
 */

export interface Crossing {
  /** Column above the gap, px. */
  readonly from: number;
  /** Column below the gap, px. */
  readonly to: number;
  /** Lines of one bundle may lie on each other where they end in one column. */
  readonly bundle: string;
}

/** Between two lines on one track, px. */
const CLEARANCE = 12;

/** For each line its track, 0 the highest, or null where it runs straight; and how many tracks there are. */
export function tracksOf(crossings: readonly Crossing[]): {
  readonly tracks: readonly (number | null)[];
  readonly count: number;
} {
  const bent = crossings.map((line, index) => ({ ...line, index })).filter(({ from, to }) => !isStraight(from, to));
  const tracks = crossings.map((): number | null => null);
  const placed: (Crossing & { readonly track: number })[] = [];
  for (const line of topDown(bent)) {
    const track = placed
      .filter((above) => meets(above, line) && !merges(above, line))
      .reduce((lowest, above) => Math.max(lowest, above.track + 1), 0);
    placed.push({ ...line, track });
    tracks[line.index] = track;
  }
  return { tracks, count: placed.reduce((most, { track }) => Math.max(most, track + 1), 0) };
}

function isStraight(from: number, to: number): boolean {
  return Math.abs(from - to) < 0.5;
}

/** Each line in turn goes where it crosses least of those that are there, as low as possible. */
function topDown<Line extends Crossing>(lines: readonly Line[]): readonly Line[] {
  const order: Line[] = [];
  for (const line of lines) {
    let cost = 0;
    let best = { at: order.length, cost };
    // From the lowest place up: `line` gets above one more of the others with every step.
    for (let at = order.length - 1; at >= 0; at -= 1) {
      const other = order[at];
      if (other !== undefined && meets(other, line)) cost += crossed(line, other) - crossed(other, line);
      if (cost < best.cost) best = { at, cost };
    }
    order.splice(best.at, 0, line);
  }
  return order;
}

/** Crossings of two lines when the first has the higher track; two verticals in one column count as many. */
function crossed(upper: Crossing, lower: Crossing): number {
  const upperEnds = within(upper.to, lower) ? 1 : 0;
  const lowerBegins = within(lower.from, upper) ? 1 : 0;
  const sameColumn = Math.abs(upper.to - lower.from) < CLEARANCE / 2 && upper.bundle !== lower.bundle ? 8 : 0;
  return upperEnds + lowerBegins + sameColumn;
}

function within(x: number, { from, to }: Crossing): boolean {
  return x > Math.min(from, to) && x < Math.max(from, to);
}

function meets(a: Crossing, b: Crossing): boolean {
  return (
    Math.min(a.from, a.to) < Math.max(b.from, b.to) + CLEARANCE &&
    Math.min(b.from, b.to) < Math.max(a.from, a.to) + CLEARANCE
  );
}

/** Both end in one column and come from different sides, or one lies on the other. */
function merges(a: Crossing, b: Crossing): boolean {
  return a.bundle === b.bundle && isStraight(a.to, b.to);
}
