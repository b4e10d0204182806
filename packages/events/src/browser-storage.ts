/** JSON values by name: what outlives a page. */
export interface BrowserStorage {
  get<Value>(name: string): Value | undefined
  set(name: string, value: unknown): void
  /** Forgets everything. */
  clear(): void
}

/** In the browser; where it refuses (private windows, servers), in memory as long as the page. */
export function openStorage(prefix: string, names: readonly string[]): BrowserStorage {
  /** What the browser would not store; newer than what it has stored. */
  const memory = new Map<string, string>()
  const kept = localStore()
  return {
    get: <Value>(name: string) => {
      const text = memory.get(name) ?? kept?.getItem(prefix + name) ?? undefined
      try {
        return text === undefined ? undefined : (JSON.parse(text) as Value)
      } catch {
        // Another script has written there.
        return undefined
      }
    },
    set: (name, value) => {
      const text = JSON.stringify(value)
      memory.set(name, text)
      try {
        kept?.setItem(prefix + name, text)
        if (kept !== undefined) memory.delete(name)
      } catch {
        // It is full of other things.
      }
    },
    clear: () => {
      memory.clear()
      for (const name of names) kept?.removeItem(prefix + name)
    },
  }
}

function localStore(): Storage | undefined {
  try {
    return globalThis.localStorage
  } catch {
    return undefined
  }
}
