/**
 * Text as it may stand in a picture. What a definition says was written by somebody else: control characters break XML
 * and terminals, and characters that turn the direction of reading make a text look like another one.
 */

/** C0 and C1 controls, line and paragraph separators, marks that steer the direction of reading, non-characters. */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufff9-\uffff]/gu;
const WHITE = /[\t\n\v\f\r\u0085\u2028\u2029]+/gu;

/** One line: breaks become spaces, everything unsafe becomes U+FFFD, half surrogate pairs too. */
export function cleanText(text: string): string {
  return wellFormed(text).replace(WHITE, ' ').replace(UNSAFE, '\ufffd');
}

/** A half of a surrogate pair is no character, and XML with it cannot be read. */
function wellFormed(text: string): string {
  return text.replace(/\p{Cs}/gu, '\ufffd');
}
