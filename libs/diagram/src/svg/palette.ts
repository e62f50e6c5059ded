/** Colours, light and dark. Texts have a contrast of 4.5 to 1 and more on what they stand on, lines and marks 3 to 1. */
import type { Box } from '../diagram.js';

export type Hue =
  'activity' | 'choose' | 'loop' | 'parallel' | 'saga' | 'wait' | 'complete' | 'fail' | 'again' | 'neutral';

/** `strong` for marks and borders, `soft` for areas behind text. */
interface Shade {
  readonly strong: string;
  readonly soft: string;
}

export interface Palette {
  readonly page: string;
  readonly card: string;
  readonly border: string;
  readonly ink: string;
  readonly muted: string;
  readonly line: string;
  readonly hues: Readonly<Record<Hue, Shade>>;
}

export const LIGHT: Palette = {
  page: '#fbfcfe',
  card: '#ffffff',
  border: '#a9b4c2',
  ink: '#17202b',
  muted: '#4b5866',
  line: '#5f6d7c',
  hues: {
    activity: { strong: '#2258c9', soft: '#eaf0fc' },
    choose: { strong: '#7136c9', soft: '#f4effc' },
    loop: { strong: '#0b7068', soft: '#e8f5f3' },
    parallel: { strong: '#3f46b8', soft: '#eeeffb' },
    saga: { strong: '#a8195a', soft: '#fcf0f6' },
    wait: { strong: '#9a4d04', soft: '#fdf4e5' },
    complete: { strong: '#14713a', soft: '#e8f6ed' },
    fail: { strong: '#b01c1c', soft: '#fdeeee' },
    again: { strong: '#5b2bb0', soft: '#f1ebfb' },
    neutral: { strong: '#5f6d7c', soft: '#eef1f5' },
  },
};

export const DARK: Palette = {
  page: '#0e151d',
  card: '#17212c',
  border: '#45535f',
  ink: '#e8eef4',
  muted: '#a9b7c4',
  line: '#93a2b1',
  hues: {
    activity: { strong: '#83abf9', soft: '#172640' },
    choose: { strong: '#bb9bf5', soft: '#241b38' },
    loop: { strong: '#5fd3c6', soft: '#10292a' },
    parallel: { strong: '#a3aef8', soft: '#1b203d' },
    saga: { strong: '#f3a0c8', soft: '#33182a' },
    wait: { strong: '#f0b454', soft: '#2e2412' },
    complete: { strong: '#6fd797', soft: '#12291c' },
    fail: { strong: '#f79a9a', soft: '#34181a' },
    again: { strong: '#c3a8f8', soft: '#271d3f' },
    neutral: { strong: '#93a2b1', soft: '#1c2631' },
  },
};

export function hueOf(kind: Box['kind']): Hue {
  switch (kind) {
    case 'while':
    case 'do_while':
    case 'repeat':
    case 'foreach':
      return 'loop';
    case 'delay':
    case 'wait_until':
    case 'wait_signal':
      return 'wait';
    case 'continue_as_new':
      return 'again';
    case 'link':
      return 'neutral';
    default:
      return kind;
  }
}
