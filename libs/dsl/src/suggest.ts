/** "Did you mean": the candidate closest to a misspelt name, if one is close enough. */

/** A sentence for the hint of a diagnostic, or null when nothing is close. */
export function didYouMean(word: string, candidates: Iterable<string>): string | null {
  const best = closest(word, candidates);
  return best === null ? null : `did you mean "${best}"?`;
}

const MAX_WORD = 80;
const MAX_EDITS = 3;

/** The candidate with the fewest edits: at most a third of the word's length and three, or one for a short word. */
export function closest(word: string, candidates: Iterable<string>): string | null {
  if (word === '' || word.length > MAX_WORD) return null;
  let best: string | null = null;
  // A single letter that becomes another is another word.
  const edits = Math.min(word.length - 1, Math.max(1, Math.min(MAX_EDITS, Math.floor(word.length / 3))));
  let bestDistance = edits + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/**
 * Insertions, deletions, replacements and swaps of neighbours that turn one word into the other, or `limit` when it takes
 * that many or more. Only a band around the diagonal can stay below the limit, so the work is linear in the length.
 */
function editDistance(from: string, to: string, limit: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const current: number[] = [row];
    let least = limit;
    const first = row > limit ? row - limit : 1;
    const last = row + limit < to.length ? row + limit : to.length;
    for (let column = first; column <= last; column += 1) {
      let cost = (previous[column - 1] ?? limit) + (from[row - 1] === to[column - 1] ? 0 : 1);
      const removed = (previous[column] ?? limit) + 1;
      const inserted = (current[column - 1] ?? limit) + 1;
      if (removed < cost) cost = removed;
      if (inserted < cost) cost = inserted;
      if (row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]) {
        const swapped = (beforePrevious[column - 2] ?? limit) + 1;
        if (swapped < cost) cost = swapped;
      }
      current[column] = cost;
      if (cost < least) least = cost;
    }
    if (least >= limit) return limit;
    beforePrevious = previous;
    previous = current;
  }
  return previous[to.length] ?? limit;
}
