import { writeFileSync } from 'node:fs'
import { at, type Walk } from './walk.ts'

const table = (name: string, text: string): string => {
  writeFileSync(at(name), text)
  return at(name)
}
const GOOD = 'id,query,priority,pin\nfirst,zebra,2,1: a1\nsecond,zebra,1,1: a2\n'

/** Commands for many rules at a time; the store has none before. */
export const RULE_WALKS: readonly Walk[] = [
  {
    command: 'rules import',
    text: () => [table('rules.csv', GOOD), '--dry-run'],
    says: /^\+ first\n\+ second\nWould be: 2 added, 0 changed, 0 removed, 0 unchanged\./m,
    json: () => [table('rules.csv', GOOD)],
    gives: ({ differences }: { differences: unknown[] }) => differences.length === 2,
    wrong: () => [table('bad.csv', 'id,priority,boost\na,many,\nb,1,2: colour:=red\n')],
    exit: 'usage',
    complains: /2 +priority +must be a number/,
  },
  {
    command: 'rules export',
    text: () => ['-'],
    says: /"first","","yes","2",/,
    json: () => [at('exported.csv')],
    gives: ({ rules }: { rules: number }) => rules === 2,
    wrong: () => ['-', '--store', 'none'],
    exit: 'refused',
    complains: /store/,
  },
  {
    command: 'rules conflicts',
    text: () => [],
    says: /position 1 .*"first" pins `a1` there.*"second" pins `a2` there/,
    json: () => ['second'],
    gives: ({ conflicts }: { conflicts: unknown[] }) => conflicts.length === 1,
    wrong: () => ['none'],
    exit: 'refused',
    complains: /no rule/,
  },
  {
    command: 'rules move',
    text: () => ['second'],
    says: /^Moved rule "second" to place 1 of 2\./,
    json: () => ['second', '--after', 'first'],
    gives: ({ changed }: { changed: unknown[] }) => changed.length > 0,
    wrong: () => ['second', '--after', 'none'],
    exit: 'usage',
    complains: /no rule .*none/,
  },
]
