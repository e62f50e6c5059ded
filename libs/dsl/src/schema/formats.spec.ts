import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isDateTime, isUuid } from './formats.js';

describe('uuid', () => {
  it.each([
    '2eb8aa08-aa98-11ea-b4aa-73b441d16380',
    '2EB8AA08-AA98-11EA-B4AA-73B441D16380',
    '2eb8aa08-AA98-11ea-B4Aa-73B441D16380',
    '00000000-0000-0000-0000-000000000000',
    '0190a5e0-0000-7000-8000-000000000000',
    'ffffffff-ffff-ffff-ffff-ffffffffffff',
  ])('is %s', (text) => {
    expect(isUuid(text)).toBe(true);
  });

  it.each([
    '',
    '2eb8aa08-aa98-11ea-b4aa-73b441d1638',
    '2eb8aa08-aa98-11ea-b4aa-73b441d163800',
    '2eb8aa08aa9811eab4aa73b441d16380',
    '2eb8-aa08-aa98-11ea-b4aa73b44-1d16380',
    '2eb8aa08-aa98-11ea-b4ga-73b441d16380',
    'urn:uuid:2eb8aa08-aa98-11ea-b4aa-73b441d16380',
    '{2eb8aa08-aa98-11ea-b4aa-73b441d16380}',
    ' 2eb8aa08-aa98-11ea-b4aa-73b441d16380',
    '2eb8aa08-aa98-11ea-b4aa-73b441d16380\n',
  ])('is not %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});

describe('date-time', () => {
  it.each([
    '1963-06-19T08:30:06Z',
    '1963-06-19T08:30:06.283185Z',
    '1963-06-19t08:30:06.283185z',
    '1937-01-01T12:00:27.87+00:20',
    '1990-12-31T15:59:50.123-08:00',
    '2020-02-29T00:00:00-23:59',
    '2000-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '1998-12-31T23:59:60Z',
    '1998-12-31T15:59:60.123-08:00',
    '1999-01-01T00:59:60+01:00',
  ])('is %s', (text) => {
    expect(isDateTime(text)).toBe(true);
  });

  it.each([
    '',
    '1963-06-19',
    '08:30:06Z',
    '1963-06-19T08:30:06',
    '1963-06-19T08:30Z',
    '1963-06-19T08:30:06.Z',
    '1963-06-19 08:30:06Z',
    '1963-06-19\n08:30:06Z',
    '1963-06-19T08:30:06Z\n',
    '1963-06-19T08:30:06+01',
    '1963-06-19T08:30:06+0100',
    '1963-06-19T08:30:06+01:00Z',
    '1963-06-19T08:30:06+24:00',
    '1963-06-19T08:30:06+01:60',
    '1963-6-19T08:30:06Z',
    '1963-06-1T08:30:06Z',
    '1963-00-19T08:30:06Z',
    '1963-13-19T08:30:06Z',
    '1963-06-00T08:30:06Z',
    '1963-06-31T08:30:06Z',
    '2021-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '1963-06-19T24:00:00Z',
    '1963-06-19T08:60:00Z',
    '1998-12-31T23:59:61Z',
    '1998-12-31T23:58:60Z',
    '1998-12-31T22:59:60Z',
    '1998-12-31T23:59:60+01:00',
    '2013-350T01:01:01Z',
    '+11963-06-19T08:30:06Z',
    '-0001-06-19T08:30:06Z',
    '1963-06-1৪T00:00:00Z',
    'Wed, 19 Jun 1963 08:30:06 GMT',
  ])('is not %j', (text) => {
    expect(isDateTime(text)).toBe(false);
  });

  it('is whatever JavaScript writes of the years it may have', () => {
    const time = fc.date({
      min: new Date('0000-01-01T00:00:00Z'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(time, (date) => isDateTime(date.toISOString())),
      { numRuns: 500 },
    );
  });

  it('is no day that the calendar does not have', () => {
    const digits = (most: number): fc.Arbitrary<string> =>
      fc.integer({ min: 0, max: most }).map((value) => String(value).padStart(2, '0'));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), digits(13), digits(32), (year, month, day) => {
        const text = `${String(year).padStart(4, '0')}-${month}-${day}T00:00:00.000Z`;
        const date = new Date(text);
        const exists = !Number.isNaN(date.getTime()) && date.toISOString() === text;
        expect({ text, is: isDateTime(text) }).toEqual({ text, is: exists });
      }),
      { numRuns: 1_000 },
    );
  });
});
