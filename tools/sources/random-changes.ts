import { SeededRandom, until } from '@aisle/testing'
import type { FollowedShop } from './followed-shop.ts'

/** `npm run test:sources -- --changes 10000` is the campaign. */
export const IS_CAMPAIGN = process.env['SOURCE_CHANGES'] !== undefined
export const CHANGES = Number(process.env['SOURCE_CHANGES'] ?? 400)
const SEED = Number(process.env['SOURCE_SEED'] ?? 39)
const KILL_EVERY = Math.max(100, CHANGES / 20)

interface Killable {
  kill(): Promise<void>
  restart(): Promise<void>
}

/**
 * Changes a table, and kills the service and the database in turns meanwhile.
 *
 * @returns what was done, for the log
 */
export async function changeAndKill(
  shop: FollowedShop,
  database: Killable,
  change: (random: SeededRandom) => Promise<void>,
): Promise<string> {
  const random = new SeededRandom(SEED)
  let kills = 0
  for (let count = 1; count <= CHANGES; count++) {
    await change(random)
    if (count % KILL_EVERY !== 0) continue
    if (kills++ % 2 === 0) await shop.kill()
    else {
      await database.kill()
      await database.restart()
    }
  }
  return `${CHANGES} changes, ${kills} kills, seed ${SEED}`
}

/** Resolves when the documents of a shop are the rows of its table. */
export async function sameDocuments(
  shop: FollowedShop,
  table: () => Promise<ReadonlyMap<string, unknown>>,
): Promise<void> {
  const expected = await table()
  let found = new Map<string, unknown>()
  await until(
    () => `the documents are the table: ${firstDifference(found, expected)}`,
    async () => {
      found = await shop.documents()
      return firstDifference(found, expected) === undefined
    },
    { pauseMs: 250 },
  )
}

function firstDifference(
  found: ReadonlyMap<string, unknown>,
  expected: ReadonlyMap<string, unknown>,
): string | undefined {
  for (const [id, data] of expected) {
    const one = found.get(id)
    if (JSON.stringify(sorted(one)) !== JSON.stringify(sorted(data))) {
      return `${id}: ${JSON.stringify(one)?.slice(0, 200)}, expected ${JSON.stringify(data).slice(0, 200)}`
    }
  }
  const more = [...found.keys()].find((id) => !expected.has(id))
  return more === undefined ? undefined : `${more} is not in the table`
}

function sorted(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data
  return Object.entries(data).toSorted(([a], [b]) => (a < b ? -1 : 1))
}
