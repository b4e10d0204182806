/** The members that every line carries. */
type Base = Readonly<Record<string, string | number>>

/**
 * Writes lines like pino, at a third of its cost, if their members are texts and numbers and they
 * have a message, as the lines of requests do.
 *
 * @returns undefined for parameters of another kind
 */
export function plainLines(
  base: Base,
): (level: number, atMs: number, parameters: readonly unknown[]) => string | undefined {
  const baseText = JSON.stringify(base).slice(1, -1)
  const ofAll = baseText === '' ? '' : `,${baseText}`
  return (level, atMs, parameters) => {
    const [members, message] = parameters
    if (parameters.length !== 2 || typeof message !== 'string' || !isPlain(members))
      return undefined
    const text = JSON.stringify(members).slice(1, -1)
    const own = text === '' ? '' : `,${text}`
    return `{"level":${level},"time":${atMs}${ofAll}${own},"msg":${JSON.stringify(message)}}\n`
  }
}

/** Whether `JSON.stringify` writes an object as pino does. */
function isPlain(members: unknown): members is object {
  if (typeof members !== 'object' || members === null) return false
  if (Object.getPrototypeOf(members) !== Object.prototype) return false
  for (const value of Object.values(members)) {
    if (value !== undefined && typeof value !== 'string' && typeof value !== 'number') return false
  }
  return true
}
