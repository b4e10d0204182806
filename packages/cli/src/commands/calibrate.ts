import { similarityCut, type JudgedPair, type SimilarityPair } from '@aisle/client'
import { CommandError } from '../exit-codes.ts'
import { printable } from '../terminal/style.ts'
import { counted } from '../terminal/table.ts'
import { addCommand, wholeNumber, type Command, type CommonOptions, type Run } from './command.ts'

interface CalibrateOptions extends CommonOptions {
  readonly pairs?: number
}

/** Adds the command that finds `min_similarity` of a store by asking a person. */
export function addCalibrate(embedder: Command): void {
  addCommand(embedder, {
    name: 'calibrate',
    summary:
      'judge pairs of queries and products, and set from which similarity products are found',
    talksTo: 'store',
    examples: ['aisle embedder calibrate --store shop'],
  })
    .option('--pairs <n>', 'pairs to judge (60)', wholeNumber)
    .runs(async (run, { pairs: limit }: CalibrateOptions) => {
      const { ask } = run.context
      if (ask === undefined) {
        throw new CommandError('usage', 'calibrate asks you, so it needs a terminal')
      }
      const store = await run.store('write')
      const { pairs } = await store.similarityPairs(limit === undefined ? {} : { limit })
      if (pairs.length === 0) {
        throw new CommandError('incomplete', 'No product of the store has a vector yet')
      }
      run.note('Does the product fit the query? y(es), n(o), s(kip), q(uit)')
      const judged = await judge(run, ask, pairs)
      const { cut, judged: above, right } = similarityCut(judged)
      const { semantic } = await store.settings()
      const now = semantic?.min_similarity ?? null
      if (cut === undefined) {
        const result = { judged: judged.length, min_similarity: now, is_changed: false }
        const why = 'no similarity has five judged pairs and eight in ten right from there on'
        run.print(
          result,
          `${counted(judged.length, 'pair')} judged: ${why}. Nothing was changed.\n`,
        )
        return
      }
      const summary = `From ${cut} on, ${right} of ${counted(above, 'judged pair')} fit.`
      const question = `${summary} Set min_similarity to ${cut} (now ${now ?? 'none'})? y/n `
      const isChanged = isYes(await ask(question, { hidden: false }))
      if (isChanged) await store.changeSettings({ semantic: { min_similarity: cut } })
      run.print(
        {
          judged: judged.length,
          proposed: cut,
          min_similarity: isChanged ? cut : now,
          is_changed: isChanged,
        },
        isChanged ? `min_similarity is ${cut}.\n` : 'Nothing was changed.\n',
      )
    })
}

async function judge(
  run: Run,
  ask: NonNullable<Run['context']['ask']>,
  pairs: readonly SimilarityPair[],
): Promise<JudgedPair[]> {
  const judged: JudgedPair[] = []
  for (const [i, { query, text, similarity }] of pairs.entries()) {
    // Without its similarity, which would be an answer.
    run.note(`\n${i + 1} of ${pairs.length}\n  query    ${printable(query)}`)
    const question = `  product  ${printable(text)}\n  fits? y/n/s/q `
    const answer = (await ask(question, { hidden: false })).trim().toLowerCase()
    if (answer.startsWith('q')) break
    if (isYes(answer) || answer.startsWith('n')) {
      judged.push({ similarity, isRight: isYes(answer) })
    }
  }
  return judged
}

function isYes(answer: string): boolean {
  return answer.trim().toLowerCase().startsWith('y')
}
