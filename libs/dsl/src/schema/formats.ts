/**
 * The formats that schemas may assert (spec 01 "Catalog"), as strict as their standards: what a library also lets pass,
 * such as `urn:uuid:` before a UUID or a line break inside a time, some reader of the value would not.
 */

/** RFC 9562: 32 hexadecimal digits in five groups, of any version. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** RFC 3339 `date-time`. */
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:Z|([+-])(\d{2}):(\d{2}))$/i;

/** Formats by name; a schema that names another one is refused. */
export const FORMAT_CHECKS = { uuid: isUuid, 'date-time': isDateTime } as const;

export const FORMATS = Object.keys(FORMAT_CHECKS) as readonly (keyof typeof FORMAT_CHECKS)[];

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (match === null) return false;
  const number = (group: number): number => Number(match[group] ?? 0);
  const [day, hour, minute, second] = [number(3), number(4), number(5), number(6)];
  const [offsetHour, offsetMinute] = [number(8), number(9)];
  if (day < 1 || day > daysOf(number(1), number(2))) return false;
  if (hour > 23 || minute > 59 || offsetHour > 23 || offsetMinute > 59) return false;
  const offset = (offsetHour * 60 + offsetMinute) * (match[7] === '-' ? -1 : 1);
  return second < 60 || (second === 60 && isLastMinute(hour * 60 + minute - offset));
}

/** Days of a month from 1 to 12; none of any other. */
function daysOf(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
}

/** Leap seconds are at the end of a day in UTC. */
function isLastMinute(utcMinute: number): boolean {
  const minutesOfDay = 24 * 60;
  return (utcMinute + minutesOfDay) % minutesOfDay === minutesOfDay - 1;
}
