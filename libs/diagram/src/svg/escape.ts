/** Text and numbers as they may stand in XML. */
import { cleanText } from '../text/clean.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text content and for attribute values alike. */
export function escapeXml(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}

/** At most two decimals. */
export function px(length: number): string {
  return String(Math.round(length * 100) / 100);
}
