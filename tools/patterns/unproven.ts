/**
 * A pattern with lookahead or lookbehind, which no automaton can prove linear, and why it is
 * harmless.
 */
interface Unproven {
  readonly path: string
  readonly source: string
  readonly reason: string
}

const SHORT_WORDS = 'stemmers are asked for words of at most 48 characters'
const EXPRESSION =
  'sticky: tried at one place of an expression of at most 20,000 characters; foreign-texts.test.ts'

export const UNPROVEN: readonly Unproven[] = [
  {
    path: 'packages/engine/src/analysis/respell.ts',
    source: 'oe(?!t(?:en|isch\\w*)?$|ing)',
    reason: SHORT_WORDS,
  },
  {
    path: 'packages/engine/src/analysis/respell.ts',
    source:
      '^(?!(?:arb|bil|bisk|buff|budg|intern|kab|kom|magn|pak|plan|rak|tabl|tromp)et)([^\\Waeiouy]*[aeiouy]\\w*[^aeiouyhciqwx])ets?$',
    reason: SHORT_WORDS,
  },
  {
    path: 'packages/engine/src/analysis/respell.ts',
    source: '^(?!japan|orkan|titan|roman|organ|sedan|innan|utan)(\\w{2,}[bdfgjklmnprstvx])an$',
    reason: SHORT_WORDS,
  },
  {
    path: 'packages/server/src/domain/expressions/filter-lexer.ts',
    source: '\\s*(?:and|or)(?=[\\s(!]|$)',
    reason: EXPRESSION,
  },
  {
    path: 'packages/server/src/domain/expressions/filter-lexer.ts',
    source:
      '\\s*(?:$|(?:(?:!|not(?=[\\s(]))\\s*)?(?:\\(|(?:[^\\s:()[\\]{}!=<>,"`&|]+|`(?:[^`\\\\]|\\\\[^])*`|"(?:[^"\\\\]|\\\\[^])*")\\s*:))',
    reason: EXPRESSION,
  },
  {
    path: 'packages/server/src/domain/expressions/filter-lexer.ts',
    source: 'not(?=[\\s(])(?!\\s*:)',
    reason: EXPRESSION,
  },
]
