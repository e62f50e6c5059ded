/** Icons in a square of 16, drawn with lines. */
import type { Box } from '../diagram.js';

const LOOP = 'M13 8.2a5 5 0 1 1-1.5-3.7M12.9 1.8v3.1H9.8';

export const ICONS: Readonly<Record<Box['kind'], string>> = {
  activity: 'M9 1.8 3.8 9h3.9l-.9 5.2L12.2 7H8.2z',
  choose: 'M8 1.9 14.1 8 8 14.1 1.9 8z',
  while: LOOP,
  do_while: LOOP,
  repeat: LOOP,
  foreach: 'M2.5 4h1M6 4h7.5M2.5 8h1M6 8h7.5M2.5 12h1M6 12h7.5',
  parallel: 'M4 2.8v10.4M8 2.8v10.4M12 2.8v10.4',
  saga: 'M5.4 2.8 2.2 6l3.2 3.2M2.6 6h6.9a3.6 3.6 0 0 1 0 7.2H5.6',
  delay: 'M8 2a6 6 0 1 0 .01 0zM8 4.8V8l2.3 1.6',
  wait_until: 'M2.8 3.9h10.4v9.3H2.8zM2.8 6.9h10.4M5.6 2.3v2.9M10.4 2.3v2.9',
  wait_signal: 'M2.2 3.8h11.6v8.6H2.2zM2.6 4.3 8 8.9l5.4-4.6',
  complete: 'M2.8 8.6 6.4 12.2 13.2 4.4',
  fail: 'M4 4l8 8M12 4l-8 8',
  continue_as_new: 'M2 8h8.4M7 4.4 10.6 8 7 11.6M13.6 3v10',
  link: 'M8 2.8v10M4.2 9 8 12.8 11.8 9',
};

export const UNDO_ICON = 'M5.4 3 2.4 6l3 3M2.8 6h6.6a3.4 3.4 0 0 1 0 6.8H6';
export const LOCK_ICON = 'M3.5 7.4h9v6.2h-9zM5.3 7.4V5.2a2.7 2.7 0 0 1 5.4 0v2.2';
