import { writeFileSync } from 'node:fs'
import { at, type Walk } from './walk.ts'

const WORDS = ['torch', 'lamp', 'candle', 'tent', 'shoe', 'flashlight', 'hammer', 'laptop']

/** A table of words, for commands that need no model and no network. */
function tableFile(): string {
  const path = at('words.txt')
  const lines = WORDS.map((word, i) => [word, ...WORDS.map((_, j) => (i === j ? 2 : 1))].join(' '))
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

const file = (): string[] => ['--embedders-file', at('embedders.json')]

/** Commands for the embedders of an installation, in an order in which each finds what it needs. */
export const EMBEDDER_WALKS: readonly Walk[] = [
  {
    command: 'embedder add',
    text: () => ['words', '--table', tableFile(), ...file()],
    says: /Added "words", 8 dimensions/,
    json: () => ['more', '--table', tableFile(), ...file()],
    gives: (added: { dimensions: number }) => added.dimensions === 8,
    wrong: () => ['words', '--table', tableFile(), ...file()],
    exit: 'usage',
    complains: /remove it first/,
  },
  {
    command: 'embedder list',
    text: file,
    says: /^words +table +8 +.*words\.txt$/m,
    json: file,
    gives: (all: { has_key: boolean }[]) => all.length === 2 && !all[0]!.has_key,
    wrong: () => ['--embedders-file', at('none.json')],
    exit: 'incomplete',
    complains: /Cannot read/,
  },
  {
    command: 'embedder test',
    text: () => ['words', ...file()],
    says: /8 dimensions; .* per second; [^]*Nearest to "torch"/,
    json: () => ['words', 'lamp', 'torch', '--query', 'lamp', ...file()],
    gives: ({ neighbours: [nearest] }: { neighbours: { text: string; similarity: number }[] }) =>
      nearest?.text === 'lamp' && nearest.similarity === 1,
    wrong: () => ['words', '--query', 'unheard', ...file()],
    exit: 'incomplete',
    complains: /no vector for .*unheard/,
  },
  {
    command: 'embedder remove',
    text: () => ['words', ...file()],
    says: /Removed "words"/,
    json: () => ['more', ...file()],
    gives: (done: { removed: string }) => done.removed === 'more',
    wrong: () => ['words', ...file()],
    exit: 'incomplete',
    complains: /no embedder .*words/,
  },
]
