export { settingsMarkdown } from './document.js';
export type { ApiKey } from './parsers.js';
export { readSettings } from './read.js';
export type { LogLevel, SettingName, Settings } from './table.js';
export { SETTINGS } from './table.js';
