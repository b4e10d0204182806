/** What a site asks of robots (RFC 9309). */
export interface Robots {
  allows(path: string): boolean
  /** Seconds between two requests, if the site says so. */
  readonly crawlDelaySeconds: number | undefined
}

interface Rule {
  readonly isAllowed: boolean
  readonly pattern: string
}

const AGENT = 'aisle-source'
/** The rest of a longer file is not read. */
const CHARS_MAX = 500_000

/** Reads `robots.txt`: the group for us, or the one for all. */
export function readRobots(text: string): Robots {
  const own: Rule[] = []
  const all: Rule[] = []
  const delays: { own?: number; all?: number } = {}
  let agents: string[] = []
  let isHead = false
  for (const line of text.slice(0, CHARS_MAX).split(/[\r\n]+/)) {
    const [content = ''] = line.split('#')
    const colon = content.indexOf(':')
    if (colon === -1) continue
    const name = content.slice(0, colon).trim().toLowerCase()
    const value = content.slice(colon + 1).trim()
    if (name === 'user-agent') {
      if (!isHead) agents = []
      agents.push(value.toLowerCase())
      isHead = true
      continue
    }
    isHead = false
    const isOwn = agents.includes(AGENT)
    if (!isOwn && !agents.includes('*')) continue
    if (name === 'crawl-delay') delays[isOwn ? 'own' : 'all'] = Number(value)
    // An empty rule forbids nothing.
    if ((name !== 'allow' && name !== 'disallow') || value === '') continue
    const rules = isOwn ? own : all
    rules.push({ isAllowed: name === 'allow', pattern: value })
  }
  const isNamed = own.length > 0 || delays.own !== undefined
  const rules = isNamed ? own : all
  const delay = isNamed ? delays.own : delays.all
  return {
    allows: (path) => isAllowed(path, rules),
    crawlDelaySeconds: delay !== undefined && delay > 0 ? delay : undefined,
  }
}

/** The longest rule that matches counts; of two that are as long, the one that allows. */
function isAllowed(path: string, rules: readonly Rule[]): boolean {
  let best: Rule | undefined
  for (const rule of rules) {
    if (!matches(path, rule.pattern)) continue
    const longer = rule.pattern.length - (best?.pattern.length ?? -1)
    if (longer > 0 || (longer === 0 && rule.isAllowed)) best = rule
  }
  return best?.isAllowed ?? true
}

/** `*` is any text, `$` at the end is the end. Each part is searched once, from left to right. */
function matches(path: string, pattern: string): boolean {
  const isWhole = pattern.endsWith('$')
  const [first = '', ...parts] = (isWhole ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  let at = first.length
  const last = parts.pop()
  for (const part of parts) {
    const found = path.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  if (last === undefined) return !isWhole || at === path.length
  if (!isWhole) return path.includes(last, at)
  return path.length - last.length >= at && path.endsWith(last)
}
