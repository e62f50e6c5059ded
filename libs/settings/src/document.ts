/** The table of settings as it stands in `docs/configuration.md`. */
import type { Setting } from './table.js';
import { SETTINGS } from './table.js';

export function settingsMarkdown(): string {
  const rows = Object.values(SETTINGS).map((setting: Setting<unknown>) => {
    const fallback =
      setting.fallback === undefined ? 'required' : setting.fallback === '' ? '' : `\`${setting.fallback}\``;
    return `| \`${setting.variable}\` | ${fallback} | ${setting.meaning} |`;
  });
  return ['| Variable | Default | Meaning |', '| --- | --- | --- |', ...rows, ''].join('\n');
}
