/** Code of an error that the operating system gave (`ENOENT`), or null for any other error. */
export function systemErrorCode(error: unknown): string | null {
  // By shape and not by class: errors of Node may come from another realm than this module.
  if (typeof error !== 'object' || error === null || !('code' in error) || !('syscall' in error)) return null;
  return String(error.code);
}
