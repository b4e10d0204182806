import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { teamDraft, type Drafted, type Team } from './team-draft.ts'

/** The live definition of the draft, which searches the lists again for each pick. */
function naiveDraft(
  live: readonly number[],
  draft: readonly number[],
  coins: readonly boolean[],
  size: number,
): Drafted<number>[] {
  const drafted: Drafted<number>[] = []
  while (drafted.length < size && live[drafted.length] === draft[drafted.length]) {
    const item = live[drafted.length]
    if (item === undefined) break
    drafted.push({ item, team: undefined })
  }
  for (const isLiveFirst of coins) {
    const teams: Team[] = isLiveFirst ? ['live', 'draft'] : ['draft', 'live']
    for (const team of teams) {
      const ranking = team === 'live' ? live : draft
      const item = ranking.find((one) => !drafted.some((other) => other.item === one))
      if (item !== undefined && drafted.length < size) drafted.push({ item, team })
    }
  }
  return drafted
}

const rankings = fc
  .uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 20 })
  .chain((all) =>
    fc.tuple(
      fc.constant(all),
      fc.shuffledSubarray(all, { minLength: all.length }),
      fc.nat(all.length),
    ),
  )

suite('a team draft', () => {
  test('equals the naive draft, takes each item once, and loses none', () => {
    fc.assert(
      fc.property(
        rankings,
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        fc.nat(25),
        ([live, shuffled, kept], coins, size) => {
          const draft = [
            ...live.slice(0, kept),
            ...shuffled.filter((one) => !live.slice(0, kept).includes(one)),
          ]
          const drafted = teamDraft(
            live,
            draft,
            (one) => one,
            (round) => coins[round]!,
            size,
          )
          assert.deepEqual(drafted, naiveDraft(live, draft, coins, size))
          assert.equal(new Set(drafted.map(({ item }) => item)).size, Math.min(size, live.length))
          const count = (team: Team): number => drafted.filter((one) => one.team === team).length
          assert.ok(Math.abs(count('live') - count('draft')) <= 1)
        },
      ),
      { numRuns: Number(process.env['FUZZ_RUNS'] ?? 300) },
    )
  })

  test('of equal rankings has no teams', () => {
    const drafted = teamDraft(
      [3, 1, 2],
      [3, 1, 2],
      (one) => one,
      () => true,
      10,
    )
    assert.deepEqual(
      drafted.map(({ item, team }) => [item, team]),
      [3, 1, 2].map((item) => [item, undefined]),
    )
  })
})
