/** Reads settings from the environment: all mistakes at once, each in a sentence that says what to set. */
import { GraphrunError } from '@graphrun/protocol';
import type { SettingName, Settings, Setting } from './table.js';
import { SETTINGS } from './table.js';

/** Throws GraphrunError `InvalidArgument` whose message and `details.problems` name every setting that is wrong. */
export function readSettings<K extends SettingName>(
  environment: Readonly<Record<string, string | undefined>>,
  names: readonly K[],
): Pick<Settings, K> {
  const problems: string[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const key of names) {
    const setting: Setting<unknown> = SETTINGS[key];
    const given = environment[setting.variable];
    const text = given === undefined || given === '' ? setting.fallback : given;
    if (text === undefined) {
      problems.push(`${setting.variable} is not set: ${setting.meaning}`);
      continue;
    }
    const parsed = setting.parse(text);
    if (parsed.ok) values[key] = parsed.value;
    else {
      const shown = setting.secret === true ? '' : `, not ${JSON.stringify(text)}`;
      problems.push(`${setting.variable} must be ${parsed.expected}${shown}.`);
    }
  }
  if (problems.length > 0) {
    throw new GraphrunError('InvalidArgument', `The settings are not valid. ${problems.join(' ')}`, {
      details: { problems },
    });
  }
  return values as Pick<Settings, K>;
}
