/** Starts one part of a process, from the parts of the rows above it, and stops it. */
interface Row<Parts, Part> {
  /** @param parts the other parts; those of the rows below only once they are started */
  readonly start: (parts: Parts) => Part | Promise<Part>
  stop?(part: Part, parts: Parts): unknown
}

/** The parts of a process except those that exist before, in the order in which they start. */
export type PartTable<Parts, Given extends keyof Parts> = {
  readonly [Name in Exclude<keyof Parts, Given>]: Row<Parts, Parts[Name]>
}

/**
 * Starts parts one after the other. If one fails, nothing is stopped, because the process ends.
 *
 * @returns all parts, and the stack that stops them, the last one first
 */
export async function startParts<Parts extends object, Given extends keyof Parts>(
  given: Pick<Parts, Given>,
  table: PartTable<Parts, Given>,
): Promise<{ readonly parts: Parts; readonly stack: AsyncDisposableStack }> {
  const started = { ...given } as Record<string | symbol, unknown>
  const parts = new Proxy(started, {
    get(_, name) {
      if (name in started) return started[name]
      throw new Error(`"${String(name)}" is not started yet`)
    },
  }) as Parts
  const stack = new AsyncDisposableStack()
  for (const [name, row] of Object.entries<Row<Parts, unknown>>(table)) {
    const { start, stop } = row
    const part = await start(parts)
    started[name] = part
    if (stop !== undefined) stack.defer(async () => void (await stop(part, parts)))
  }
  return { parts, stack }
}
