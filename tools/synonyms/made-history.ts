import { replacedWords, type VisitorEvent } from '@aisle/event-log'
import { seededRandom } from '@aisle/testing'

/** Synonyms of the generated shop: the words of visitors, and those of products. */
const MEANING = [
  ['couch', 'sofa'],
  ['laptop', 'notebook'],
  ['trash can', 'garbage bin'],
  ['tee', 't-shirt'],
  ['ps5', 'playstation 5'],
  ['trousers', 'pants'],
  ['cell', 'mobile phone'],
  ['rug', 'carpet'],
] as const
/** Other things that visitors look for: some are alternatives of one another, none is a synonym. */
const THINGS = ['lamp', 'desk', 'mirror', 'jacket', 'boots', 'scarf', 'kettle', 'headphones']
const BRANDS = ['nike', 'adidas', 'puma', 'fila']
const COLOURS = ['', '', '', 'red', 'blue', 'black']
/** Searches that many visitors end with, from any start. */
const FASHIONS = ['sale', 'gift']

/** Frequencies of the behaviours of a visitor; the others look for one thing and find it. */
export interface MadeTraffic {
  readonly visitors: number
  readonly seed: number
  /** Types the visitor's word first, finds little, and then the shop's word. */
  readonly synonym: number
  /** Share of the pairs whose first word finds many, because some products contain it. */
  readonly halfKnown: number
  /** Gives up a thing or brand for another one. */
  readonly otherThing: number
  readonly otherBrand: number
  readonly otherColour: number
  /** Ends with a fashionable search. */
  readonly fashion: number
  /** Clicks at random if there is nothing to click on purpose. */
  readonly noise: number
}

export const USUAL_TRAFFIC: MadeTraffic = {
  visitors: 5_000,
  seed: 1,
  synonym: 0.05,
  halfKnown: 0.5,
  otherThing: 0.1,
  otherBrand: 0.05,
  otherColour: 0.05,
  fashion: 0.05,
  noise: 0.1,
}

export interface MadeHistory {
  readonly events: readonly VisitorEvent[]
  /** Whether two phrases mean the same in this shop. */
  readonly isTrue: (from: string, to: string) => boolean
  /** Pairs that at least three visitors typed and clicked for. */
  readonly findable: readonly (readonly [from: string, to: string])[]
}

const START_MS = Date.UTC(2026, 0, 1)

/** Generates visitors of a shop with known synonyms, over thirty days. */
export function madeHistory(traffic: MadeTraffic): MadeHistory {
  const random = seededRandom(traffic.seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const events: VisitorEvent[] = []
  const replacing = new Map<string, Set<number>>()
  const nothing = new Set(
    MEANING.filter((_, i) => i >= traffic.halfKnown * MEANING.length).map(
      ([from]) => from as string,
    ),
  )

  for (let i = 0; i < traffic.visitors; i++) {
    let atMs = START_MS + Math.floor(random() * 30 * 86_400_000)
    const send = (name: string, properties: VisitorEvent['properties']): void => {
      const messageId = `${i} ${events.length}`
      const visitor = { anonymousId: `visitor ${i}`, sessionId: `session ${i}` }
      events.push({
        kind: 'event',
        name,
        source: 'simple',
        messageId,
        atMs,
        receivedMs: atMs,
        visitor,
        properties,
      })
    }
    /** @returns whether something was clicked */
    const search = (query: string, thing: string, wanted: number): boolean => {
      const total_results = nothing.has(thing) ? Math.floor(random() * 3) : 20
      send('search', { query, total_results })
      const isClicked = total_results > 0 && random() < wanted
      if (!isClicked) return false
      atMs += 5_000
      const position = 1 + Math.floor(random() ** 2 * 10)
      // Products of a thing are numbered; both words of a meaning find the same ones.
      const meaning = MEANING.find((words) => words.includes(thing as never))?.[1] ?? thing
      send('click', { query, document_id: `${meaning} ${position % 6}`, position })
      return true
    }
    const inColour = (colour: string, thing: string): string =>
      colour === '' ? thing : `${colour} ${thing}`
    const colour = pick(COLOURS)
    const roll = random()
    let share = 0
    const isIn = (part: number): boolean => roll < (share += part)
    if (isIn(traffic.synonym)) {
      const [from, to] = pick(MEANING)
      const [first, second] = [inColour(colour, from), inColour(colour, to)]
      if (search(first, from, 0.1)) continue
      atMs += 20_000 + Math.floor(random() * 120_000)
      if (search(second, to, 0.7)) {
        const { from: x, to: y } = replacedWords(first, second)!
        const key = `${x}\n${y}`
        replacing.set(key, (replacing.get(key) ?? new Set()).add(i))
      }
    } else if (isIn(traffic.otherThing)) {
      const first = pick([...THINGS, ...MEANING.map(([from]) => from)])
      const second = pick([...THINGS, ...MEANING.map(([, to]) => to)])
      search(inColour(colour, first), first, traffic.noise)
      atMs += 60_000
      search(inColour(colour, second), second, 0.6)
    } else if (isIn(traffic.otherBrand)) {
      const thing = pick(['boots', 'jacket'])
      search(`${pick(BRANDS)} ${thing}`, thing, traffic.noise)
      atMs += 40_000
      search(`${pick(BRANDS)} ${thing}`, thing, 0.6)
    } else if (isIn(traffic.otherColour)) {
      const thing = pick(THINGS)
      search(inColour(pick(COLOURS), thing), thing, traffic.noise)
      atMs += 30_000
      search(inColour(pick(COLOURS), thing), thing, 0.6)
    } else if (isIn(traffic.fashion)) {
      const thing = pick(THINGS)
      search(inColour(colour, thing), thing, traffic.noise)
      atMs += 90_000
      search(pick(FASHIONS), pick(THINGS), 0.5)
    } else {
      const thing = pick([
        ...THINGS,
        ...MEANING.map(([, to]) => to),
        ...MEANING.map(([from]) => from),
      ])
      search(inColour(colour, thing), thing, 0.6)
    }
  }
  const known = new Set(MEANING.flatMap(([from, to]) => [`${from}\n${to}`, `${to}\n${from}`]))
  return {
    events: events.toSorted((a, b) => a.receivedMs - b.receivedMs),
    isTrue: (from, to) => known.has(`${from}\n${to}`),
    findable: [...replacing]
      .filter(([, visitors]) => visitors.size >= 3)
      .map(([key]) => key.split('\n') as [string, string]),
  }
}

/** The generated catalog's answer for two phrases. */
export function isOneField(from: string, to: string): boolean {
  return [BRANDS, COLOURS].some((values) => values.includes(from) && values.includes(to))
}
