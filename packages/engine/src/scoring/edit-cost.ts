/**
 * How unlikely the edits are that turn one word into another: "Corrections" in docs/ranking.md.
 * Costs are log-odds, fitted on misspelt words of real queries and on real words that a catalog
 * lacks: people omit, swap and double letters, and hardly ever type one consonant for a different
 * one.
 */

/** Two adjacent letters swapped: jakcet. */
const SWAPPED_COST = 0.9
/** One letter for two equal ones (hamock), or two for one (jackket). */
const SINGLED_COST = 0.2
const DOUBLED_COST = 1.4
/** A missing letter: candl and trales, trekin. */
const MISSING_VOWEL_COST = 0.7
const MISSING_COST = 1.5
/** An extra letter: jancket. */
const EXTRA_COST = 2.8
/** A vowel for another vowel (helmut), or a consonant for one that sounds alike (jagket). */
const ALIKE_COST = 2.2
/** A letter for its neighbour on the keyboard: jaclet. */
const NEIGHBOUR_KEY_COST = 2.7
/** Any other substitution: touch and torch. */
const OTHER_COST = 3.8
/** Added for an edit of the first letter. */
const FIRST_LETTER_COST = 1.9
/** Exceeds the total cost of any word, so that fewer edits always win. */
const EDIT_STEP = 4096

const VOWELS = new Set('aeiouy')
/** Pairs of consonants that sound alike. */
const ALIKE = new Set(
  'bp dt fv vw gj gk cg ck cq kq cs sz sx xz lr mn'
    .split(' ')
    .flatMap(([a, b]) => [a! + b!, b! + a!]),
)
const KEYBOARD = ['qwertyuiop', 'asdfghjkl', 'zxcvbnm']
/** Offset of each keyboard row from the first, in keys. */
const ROW_INDENTS = [0, 0.5, 1.25]
/** Maximum distance between the centers of neighbouring keys, in keys. */
const KEY_DISTANCE_MAX = 1.1
const NEIGHBOUR_KEYS = new Set(neighbourKeys())

/**
 * Cost of the edits (as in `editDistance`: no part is edited twice) that turn `meant` into `typed`:
 * the cheapest with the fewest edits. 0 for equal words.
 *
 * Time and memory are proportional to the product of the lengths.
 */
export function editCost(typed: string, meant: string): number {
  const from = Array.from(meant)
  const to = Array.from(typed)
  // Rows of the table for the first i - 2, i - 1 and i letters of the meant word.
  let beforeLast: number[] = []
  let last: number[] = []
  for (let i = 0; i <= from.length; i++) {
    const row: number[] = []
    for (let j = 0; j <= to.length; j++) {
      let least = i === 0 && j === 0 ? 0 : Infinity
      if (i > 0) least = Math.min(least, last[j]! + missingCost(from, i - 1, j === 0))
      if (j > 0) least = Math.min(least, row[j - 1]! + extraCost(to, j - 1, i === 0))
      if (i > 0 && j > 0) {
        const isFirst = i === 1 && j === 1
        least = Math.min(least, last[j - 1]! + replacedCost(to[j - 1]!, from[i - 1]!, isFirst))
      }
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]) {
        const isFirst = i === 2 && j === 2
        least = Math.min(least, beforeLast[j - 2]! + edit(SWAPPED_COST, isFirst))
      }
      row.push(least)
    }
    beforeLast = last
    last = row
  }
  return last[to.length]! % EDIT_STEP
}

function edit(cost: number, isFirst: boolean): number {
  return EDIT_STEP + cost + (isFirst ? FIRST_LETTER_COST : 0)
}

function missingCost(word: readonly string[], at: number, isFirst: boolean): number {
  if (isDouble(word, at)) return edit(SINGLED_COST, isFirst)
  return edit(isConsonant(word[at]!) ? MISSING_COST : MISSING_VOWEL_COST, isFirst)
}

function extraCost(word: readonly string[], at: number, isFirst: boolean): number {
  return edit(isDouble(word, at) ? DOUBLED_COST : EXTRA_COST, isFirst)
}

function replacedCost(typed: string, meant: string, isFirst: boolean): number {
  if (typed === meant) return 0
  const pair = typed + meant
  const areVowels = !isConsonant(typed) && !isConsonant(meant)
  if (areVowels || ALIKE.has(pair)) return edit(ALIKE_COST, isFirst)
  return edit(NEIGHBOUR_KEYS.has(pair) ? NEIGHBOUR_KEY_COST : OTHER_COST, isFirst)
}

/** Whether an adjacent letter is equal. */
function isDouble(word: readonly string[], at: number): boolean {
  return word[at] === word[at - 1] || word[at] === word[at + 1]
}

/** Other scripts were not measured: their letters may be confused like vowels. */
function isConsonant(letter: string): boolean {
  return letter >= 'a' && letter <= 'z' && !VOWELS.has(letter)
}

/** Pairs of letters, in both orders. */
function neighbourKeys(): string[] {
  const keys = KEYBOARD.flatMap((letters, row) =>
    Array.from(letters, (letter, i) => ({ letter, row, x: i + ROW_INDENTS[row]! })),
  )
  return keys.flatMap((a) =>
    keys
      .filter((b) => Math.abs(a.row - b.row) <= 1 && Math.abs(a.x - b.x) <= KEY_DISTANCE_MAX)
      .map((b) => a.letter + b.letter),
  )
}
