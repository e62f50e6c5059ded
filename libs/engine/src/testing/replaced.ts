/** An object with some of its members replaced, to break what must be survived. Everything else is the real one. */
export function replaced<T extends object>(target: T, members: Partial<T>): T {
  return new Proxy(target, {
    get: (_, name) => {
      if (name in members) return members[name as keyof T];
      const value: unknown = target[name as keyof T];
      // Methods keep their `this`: private members are not reached through a proxy.
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}
